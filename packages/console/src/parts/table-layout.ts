import { useSyncExternalStore } from 'react';

/** `fixed`: long lists have rows of a fixed height. `wrapped`: cells wrap. `cards`: each row is a card. */
export type TableLayout = 'fixed' | 'wrapped' | 'cards';

/** The same widths as in data-table.css. */
const [small, narrow] = [matchMedia('(max-width: 75rem)'), matchMedia('(max-width: 52rem)')];

/** The layout of tables on this screen. */
export function useTableLayout(): TableLayout {
  return useSyncExternalStore(follow, layout);
}

function layout(): TableLayout {
  if (narrow.matches) return 'cards';
  return small.matches ? 'wrapped' : 'fixed';
}

function follow(onChange: () => void): () => void {
  for (const each of [small, narrow]) each.addEventListener('change', onChange);
  return () => {
    for (const each of [small, narrow]) each.removeEventListener('change', onChange);
  };
}
