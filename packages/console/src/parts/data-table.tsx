import { SearchInput } from '@patternfly/react-core';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useWords } from '../language.tsx';
import { Nothing } from './empty.tsx';
import { type TableLayout, useTableLayout } from './table-layout.ts';
import './data-table.css';
import './list-tools.css';

export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** The sort key; without it, the column is not sortable. */
  sort?: (row: Row) => string | number;
  /** Relative width of the column. */
  width?: number;
}

interface DataTableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** The text to search in. Without it, there is no search. */
  text?: (row: Row) => string;
  /** Rows that the tools let through. */
  filter?: (row: Row) => boolean;
  /** Shown if there are no rows at all. */
  empty: ReactNode;
  /** Controls next to the search field. */
  tools?: ReactNode;
  /** Renders all rows, each as high as its content: for lists that stay short. */
  isWhole?: boolean;
}

/** Narrower columns would break words; instead, the table scrolls. Narrow screens show cards. */
const partWidth = 5.1;
const leastWidth = 46;
const rowHeight = 44;
/** Only until a card is measured. */
const lineOfCard = 32;
/** Longer lists render only the visible rows. */
const manyRows = 60;

/** A table with search and sorting in the browser; long lists render only the visible rows. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, text, filter, empty, tools, isWhole = false } = props;
  const { t, language } = useWords();
  const layout = useTableLayout();
  const [search, setSearch] = useState('');
  const [order, setOrder] = useState<{ key: string; isDown: boolean }>();
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const texts = useMemo(() => (text ? rows.map((row) => text(row).toLowerCase()) : []), [rows, text]);
  const shown = useMemo(() => {
    const words = wanted.split(/\s+/).filter((word) => word !== '');
    const isFound = (index: number) => words.every((word) => texts[index]?.includes(word));
    const found =
      words.length === 0 && !filter
        ? rows
        : rows.filter((row, index) => isFound(index) && (filter === undefined || filter(row)));
    const by = columns.find(({ key }) => key === order?.key)?.sort;
    if (!by || !order) return found;
    const collator = new Intl.Collator(language, { numeric: true });
    const keyed = found.map((row) => [by(row), row] as const);
    keyed.sort(([one], [other]) =>
      typeof one === 'number' && typeof other === 'number' ? one - other : collator.compare(String(one), String(other)),
    );
    const sorted = keyed.map(([, row]) => row);
    return order.isDown ? sorted.reverse() : sorted;
  }, [rows, texts, wanted, filter, order, columns, language]);

  if (rows.length === 0) return empty;
  return (
    <div className="nova-list">
      {(text !== undefined || tools !== undefined) && (
        <div className="nova-list-tools">
          {text !== undefined && (
            <SearchInput
              aria-label={t('common.search')}
              placeholder={t('common.search')}
              resetButtonLabel={t('common.clear')}
              value={search}
              onChange={(_event, value) => setSearch(value)}
              onClear={() => setSearch('')}
            />
          )}
          {tools}
          <span className="nova-list-count" aria-live="polite">
            {shown.length === rows.length
              ? t('common.entryCount', { count: rows.length })
              : t('common.doneOf', { done: shown.length, total: rows.length })}
          </span>
        </div>
      )}
      {shown.length === 0 ? (
        <Nothing title={t('common.noMatches')} />
      ) : (
        <Rows
          // Each layout has its own heights.
          key={layout}
          label={label}
          rows={shown}
          columns={columns}
          rowKey={rowKey}
          isLong={!isWhole && shown.length > manyRows}
          layout={layout}
          order={order}
          onOrder={(key) => setOrder((before) => ({ key, isDown: before?.key === key && !before.isDown }))}
        />
      )}
    </div>
  );
}

interface RowsProps<Row> extends Pick<DataTableProps<Row>, 'label' | 'rows' | 'columns' | 'rowKey'> {
  isLong: boolean;
  layout: TableLayout;
  order: { key: string; isDown: boolean } | undefined;
  onOrder: (key: string) => void;
}

function Rows<Row>({ label, rows, columns, rowKey, isLong, layout, order, onOrder }: RowsProps<Row>) {
  const scroller = useRef<HTMLElement>(null);
  const last = useRef<Element>(null);
  useEffect(() => {
    // The focused row was removed or scrolled out of view: move the focus to the list, so that keys still scroll it.
    const isLost = last.current?.isConnected === false && document.activeElement === document.body;
    if (isLost) scroller.current?.focus({ preventScroll: true });
  });
  const isMeasured = isLong && layout !== 'fixed';
  // A measured height belongs to its row, also after sorting.
  const keyOf = useCallback(
    (index: number) => {
      const row = rows[index];
      return isMeasured && row !== undefined ? rowKey(row) : index;
    },
    [rows, rowKey, isMeasured],
  );
  const virtual = useVirtualizer({
    count: isLong ? rows.length : 0,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    estimateSize: () => (layout === 'cards' ? columns.length * lineOfCard : rowHeight),
    overscan: 6,
    useFlushSync: false,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.start ?? 0;
  const rest = isLong ? virtual.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  const drawn = isLong ? items.map(({ index }) => index) : rows.map((_row, index) => index);
  const total = columns.reduce((sum, { width = 1 }) => sum + width, 0);
  return (
    // A scrollable region must be reachable by keyboard.
    <section
      ref={scroller}
      className={isLong ? 'nova-scroller nova-scroller-long' : 'nova-scroller'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the focused element.
      tabIndex={0}
      aria-label={label}
      onFocus={(event) => {
        last.current = event.target;
      }}
    >
      <table
        className="nova-table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        style={{ '--nova-table-least': `${Math.max(leastWidth, total * partWidth)}rem` } as CSSProperties}
      >
        <colgroup>
          {columns.map(({ key, width = 1 }) => (
            <col key={key} style={{ width: `${(width / total) * 100}%` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ key, title, sort }) => (
              <th
                key={key}
                scope="col"
                {...(sort && {
                  'aria-sort': order?.key !== key ? 'none' : order.isDown ? 'descending' : 'ascending',
                })}
              >
                {sort ? (
                  <button type="button" className="nova-sort" onClick={() => onOrder(key)}>
                    {title}
                    <span aria-hidden="true" className="nova-sort-mark">
                      {order?.key !== key ? '↕' : order.isDown ? '↓' : '↑'}
                    </span>
                  </button>
                ) : (
                  title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <tr className="nova-gap" style={{ height: first }} />}
          {drawn.map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <Line
                key={rowKey(row)}
                row={row}
                columns={columns}
                index={index}
                isFixed={isLong && !isMeasured}
                measure={isMeasured ? virtual.measureElement : undefined}
              />
            );
          })}
          {rest > 0 && <tr className="nova-gap" style={{ height: rest }} />}
        </tbody>
      </table>
    </section>
  );
}

interface LineProps<Row> {
  row: Row;
  columns: readonly Column<Row>[];
  index: number;
  isFixed: boolean;
  measure: ((element: HTMLElement | null) => void) | undefined;
}

/** Memoized, so that scrolling does not render existing rows again. */
const Line = memo(function Line({ row, columns, index, isFixed, measure }: LineProps<unknown>) {
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2} className={isFixed ? 'nova-row-fixed' : ''}>
      {columns.map(({ key, title, cell }) => (
        <td key={key} data-title={title}>
          {isFixed ? cell(row) : <div>{cell(row)}</div>}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: LineProps<Row>) => ReactNode;
