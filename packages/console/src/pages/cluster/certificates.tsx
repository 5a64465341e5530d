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
        title: t('clusters.certificate'),
        cell: ({ name }) => name,
        sort: ({ name }) => name,
        width: 1.6,
      },
      {
        key: 'node',
        title: t('common.node'),
        cell: ({ node }) => <PageLink to={`/nodes/${node}`}>{node}</PageLink>,
        sort: ({ node }) => node,
      },
      {
        key: 'end',
        title: t('common.expires'),
        cell: ({ notAfter }) => dateTime(notAfter),
        sort: ({ notAfter }) => notAfter,
      },
      {
        key: 'left',
        title: t('clusters.timeLeft'),
        cell: (certificate) => (
          <StateLabel look={certificateLook(certificate, Date.now())} text={relative(certificate.notAfter)} isCompact />
        ),
      },
    ],
    [t, dateTime, relative],
  );
  return (
    <>
      <p className="nova-quiet">{t('clusters.certificatesHint')}</p>
      <DataTable
        label={t('common.certificates')}
        rows={certificates}
        columns={columns}
        rowKey={({ node, name }) => `${node}/${name}`}
        text={certificateText}
        empty={<Nothing title={t('clusters.noCertificates')} />}
      />
    </>
  );
}

const certificateText = ({ node, name }: Certificate) => `${node} ${name}`;
