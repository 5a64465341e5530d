import { useMemo } from 'react';
import type { Catalog } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { Message } from '../../parts/message.tsx';
import { Ago } from '../../parts/time.tsx';

type Resource = Catalog['resources'][number];

/** The approved catalog of the node. */
export function CatalogView({ catalog: { version, approvedAt, resources } }: { catalog: Catalog }) {
  const { t } = useWords();
  const columns = useMemo(
    (): Column<Resource>[] => [
      {
        key: 'piece',
        title: t('common.part'),
        cell: ({ piece }) => piece ?? '—',
        sort: ({ piece }) => piece ?? '',
        width: 0.9,
      },
      {
        key: 'type',
        title: t('nodes.resourceType'),
        cell: ({ type }) => type,
        sort: ({ type }) => type,
        width: 0.6,
      },
      {
        key: 'title',
        title: t('nodes.resource'),
        cell: ({ title }) => <code>{title}</code>,
        sort: ({ title }) => title,
        width: 2,
      },
      {
        key: 'parameters',
        title: t('nodes.parameters'),
        cell: ({ parameters }) => <Parameters parameters={parameters} />,
        width: 2.4,
      },
    ],
    [t],
  );
  return (
    <>
      <p className="nova-quiet">
        <Message
          of="nodes.catalogApproved"
          parts={{ version: <code>{version}</code>, when: <Ago at={approvedAt} /> }}
        />
      </p>
      <DataTable
        label={t('common.resources')}
        rows={resources}
        columns={columns}
        rowKey={({ type, title }) => `${type} ${title}`}
        text={resourceText}
        empty={<Nothing title={t('nodes.catalogEmpty')} />}
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
