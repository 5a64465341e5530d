import { PageLink } from './link.tsx';

interface PageTabsProps {
  label: string;
  /** Where the page is; each tab is an address below it. */
  base: string;
  current: string;
  tabs: readonly (readonly [key: string, title: string])[];
}

/** Views of one thing. Each is a link that can be shared. */
export function PageTabs({ label, base, current, tabs }: PageTabsProps) {
  return (
    <nav aria-label={label} className="nova-tabs">
      <ul>
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
