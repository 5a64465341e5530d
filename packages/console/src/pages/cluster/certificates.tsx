import { useMemo } from 'react';
import { useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { PageLink } from '../../parts/link.tsx';
import { StateLabel } from '../../parts/states.tsx';
import { certificateLook } from './certificate-look.ts';

interface Certificate {
  node: string;
  name: string;
  notAfter: string;
  overdueAt: string;
}

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
        cell: (certificate) => (
          <StateLabel look={certificateLook(certificate, Date.now())} text={relative(certificate.notAfter)} isCompact />
        ),
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
