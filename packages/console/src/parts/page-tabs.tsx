import { type KeyboardEvent, useEffect, useRef } from 'react';
import { PageLink } from './link.tsx';
import './page-tabs.css';

interface PageTabsProps {
  label: string;
  /** The address of the page; each tab is an address below it. */
  base: string;
  current: string;
  tabs: readonly (readonly [key: string, title: string])[];
}

/** The part of the previous tab that stays visible, in pixels. */
const edge = 48;

/** Views of one object. Each is a link that can be shared; arrow keys move between them, as between tabs. */
export function PageTabs({ label, base, current, tabs }: PageTabsProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    // On narrow screens the tabs scroll. Only the tabs: scrollIntoView would scroll the page as well.
    const tab = place.current?.querySelector<HTMLElement>(`a[href$="/${current}"]`);
    if (tab && place.current) place.current.scrollLeft = tab.offsetLeft - place.current.offsetLeft - edge;
  }, [current]);
  return (
    <nav ref={place} aria-label={label} className="nova-tabs">
      <ul onKeyDown={moveFocus}>
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

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll('a')];
  const now = links.indexOf(event.target as HTMLAnchorElement);
  const places: Record<string, number> = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: -1 };
  const place = places[event.key];
  if (now === -1 || place === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  links.at(place % links.length)?.focus();
}
