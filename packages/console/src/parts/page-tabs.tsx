import type { KeyboardEvent } from 'react';
import { PageLink } from './link.tsx';
import './page-tabs.css';

interface PageTabsProps {
  label: string;
  /** The address of the page; each tab is an address below it. */
  base: string;
  current: string;
  tabs: readonly (readonly [key: string, title: string])[];
}

/** Views of one object. Each is a link that can be shared; arrow keys move between them, as between tabs. */
export function PageTabs({ label, base, current, tabs }: PageTabsProps) {
  return (
    <nav aria-label={label} className="nova-tabs">
      <ul onKeyDown={goOn}>
        {tabs.map(([key, title]) => (
          <li key={key}>
            <PageLink to={`${base}/${key}`} isCurrent={key === current} className="nova-tab">
              {title}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function goOn(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll('a')];
  const now = links.indexOf(event.target as HTMLAnchorElement);
  const places: Record<string, number> = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: -1 };
  const place = places[event.key];
  if (now === -1 || place === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  links.at(place % links.length)?.focus();
}
