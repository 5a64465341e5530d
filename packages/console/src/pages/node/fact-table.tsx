import { useMemo } from 'react';
import { useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';

interface Fact {
  name: string;
  value: string;
}

export function FactTable({ facts }: { facts: Record<string, unknown> }) {
  const { t } = useWords();
  const rows = useMemo(() => flat(facts), [facts]);
  const columns = useMemo(
    (): Column<Fact>[] => [
      {
        key: 'name',
        title: t('nodes.fact'),
        cell: ({ name }) => <code>{name}</code>,
        sort: ({ name }) => name,
      },
      {
        key: 'value',
        title: t('nodes.value'),
        cell: ({ value }) => (
          <span className="nova-one-line" title={value}>
            {value}
          </span>
        ),
        width: 1.6,
      },
    ],
    [t],
  );
  return (
    <DataTable
      label={t('nodes.facts')}
      rows={rows}
      columns={columns}
      rowKey={({ name }) => name}
      text={factText}
      empty={<Nothing title={t('nodes.noFacts')} />}
    />
  );
}

const factText = ({ name, value }: Fact) => `${name} ${value}`;

/** `os.family: Debian` */
function flat(value: unknown, prefix = ''): Fact[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ name: prefix, value: typeof value === 'string' ? value : JSON.stringify(value) }];
  return Object.entries(value)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .flatMap(([name, child]) => flat(child, prefix === '' ? name : `${prefix}.${name}`));
}
