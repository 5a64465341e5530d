import { useMemo } from 'react';
import type { Catalog } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { Ago } from '../../parts/time.tsx';

type Resource = Catalog['resources'][number];

/** What the node is approved to be. */
export function CatalogView({ catalog: { version, approvedAt, resources } }: { catalog: Catalog }) {
  const { t } = useWords();
  const columns = useMemo(
    (): Column<Resource>[] => [
      {
        key: 'piece',
        title: t({ en: 'Part', ru: 'Часть' }),
        cell: ({ piece }) => piece ?? '—',
        sort: ({ piece }) => piece ?? '',
        width: 0.9,
      },
      {
        key: 'type',
        title: t({ en: 'Type', ru: 'Тип' }),
        cell: ({ type }) => type,
        sort: ({ type }) => type,
        width: 0.6,
      },
      {
        key: 'title',
        title: t({ en: 'Resource', ru: 'Ресурс' }),
        cell: ({ title }) => <code>{title}</code>,
        sort: ({ title }) => title,
        width: 2,
      },
      {
        key: 'parameters',
        title: t({ en: 'Parameters', ru: 'Параметры' }),
        cell: ({ parameters }) => <Parameters parameters={parameters} />,
        width: 2.4,
      },
    ],
    [t],
  );
  return (
    <>
      <p className="nova-quiet">
        {t({ en: 'Version', ru: 'Версия' })} <code>{version}</code>, {t({ en: 'approved', ru: 'утверждена' })}{' '}
        <Ago at={approvedAt} />
      </p>
      <DataTable
        label={t({ en: 'Resources', ru: 'Ресурсы' })}
        rows={resources}
        columns={columns}
        rowKey={({ type, title }) => `${type} ${title}`}
        text={resourceText}
        empty={<Nothing title={t({ en: 'The catalog is empty', ru: 'Каталог пуст' })} />}
      />
    </>
  );
}

const resourceText = ({ type, title, piece = '' }: Resource) => `${piece} ${type} ${title}`;

function Parameters({ parameters }: { parameters: Resource['parameters'] }) {
  const text = Object.entries(parameters)
    .map(([name, value]) => `${name}: ${String(value).replace(/\s+/g, ' ').slice(0, 80)}`)
    .join(', ');
  return (
    <span className="nova-one-line" title={text}>
      {text}
    </span>
  );
}
