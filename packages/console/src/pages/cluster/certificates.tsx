import { useMemo } from 'react';
import { useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { PageLink } from '../../parts/link.tsx';
import { StateLabel } from '../../parts/states.tsx';

interface Certificate {
  node: string;
  name: string;
  notAfter: string;
}

const day = 24 * 3600_000;
const soonDays = 3;

export function Certificates({ certificates }: { certificates: readonly Certificate[] }) {
  const { t, dateTime, relative } = useWords();
  const columns = useMemo(
    (): Column<Certificate>[] => [
      {
        key: 'name',
        title: t({ en: 'Certificate', ru: 'Сертификат' }),
        cell: ({ name }) => name,
        sort: ({ name }) => name,
        width: 1.6,
      },
      {
        key: 'node',
        title: t({ en: 'Node', ru: 'Узел' }),
        cell: ({ node }) => <PageLink to={`/nodes/${node}`}>{node}</PageLink>,
        sort: ({ node }) => node,
      },
      {
        key: 'end',
        title: t({ en: 'Ends', ru: 'Истекает' }),
        cell: ({ notAfter }) => dateTime(notAfter),
        sort: ({ notAfter }) => notAfter,
      },
      {
        key: 'left',
        title: t({ en: 'Left', ru: 'Осталось' }),
        cell: ({ notAfter }) => {
          const left = Date.parse(notAfter) - Date.now();
          const look = left < 0 ? 'bad' : left < soonDays * day ? 'warning' : 'good';
          return <StateLabel look={look} text={relative(notAfter)} isCompact />;
        },
      },
    ],
    [t, dateTime, relative],
  );
  return (
    <>
      <p className="nova-quiet">
        {t({
          en: 'Certificates live for a short time, and nodes renew them by themselves long before they end.',
          ru: 'Сертификаты действуют недолго, узлы сами обновляют их задолго до истечения.',
        })}
      </p>
      <DataTable
        label={t({ en: 'Certificates', ru: 'Сертификаты' })}
        rows={certificates}
        columns={columns}
        rowKey={({ node, name }) => `${node}/${name}`}
        text={certificateText}
        empty={<Nothing title={t({ en: 'None was issued yet', ru: 'Ещё ни один не выпущен' })} />}
      />
    </>
  );
}

const certificateText = ({ node, name }: Certificate) => `${node} ${name}`;
