import { BundleIcon } from '@patternfly/react-icons/dist/esm/icons/bundle-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { releasesQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { ClusterLinks } from '../parts/cluster-links.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Nothing } from '../parts/empty.tsx';
import { PageLink } from '../parts/link.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { StateLabel } from '../parts/states.tsx';

interface Listed {
  version: string;
  isNewest: boolean;
  clusters: readonly string[];
}

/** Releases of the platform, and which clusters have which. */
export function Releases() {
  const { t } = useWords();
  const releases = useQuery(releasesQuery);
  const columns = useMemo(
    (): Column<Listed>[] => [
      {
        key: 'version',
        title: t({ en: 'Version', ru: 'Версия' }),
        cell: ({ version, isNewest }) => (
          <>
            <PageLink to={`/releases/${version}`}>{version}</PageLink>{' '}
            {isNewest && <StateLabel look="good" text={t({ en: 'newest', ru: 'новейший' })} isCompact />}
          </>
        ),
        sort: ({ version }) => version,
      },
      {
        key: 'clusters',
        title: t({ en: 'Clusters that have it', ru: 'Кластеры с этим выпуском' }),
        cell: ({ clusters }) => <ClusterLinks clusters={clusters} />,
        sort: ({ clusters }) => clusters.length,
        width: 2,
      },
    ],
    [t],
  );
  return (
    <>
      <PageHead
        title={t({ en: 'Releases', ru: 'Выпуски' })}
        description={
          <>
            {t({
              en: 'What clusters get their modules from. A new cluster gets the newest one and keeps it until its document names another:',
              ru: 'Откуда кластеры получают модули. Новый кластер получает новейший выпуск и сохраняет его, пока в документе не указан другой:',
            })}{' '}
            <code>spec.clusterConfiguration.release</code>
          </>
        }
      />
      <PageBody>
        <QueryView query={releases}>
          {({ releases: versions, newest, clusters }) => (
            <DataTable
              label={t({ en: 'Releases', ru: 'Выпуски' })}
              // The server lists the oldest first.
              rows={versions.toReversed().map((version) => ({
                version,
                isNewest: version === newest,
                clusters: clusters.filter(({ release }) => release === version).map(({ name }) => name),
              }))}
              columns={columns}
              rowKey={({ version }) => version}
              text={releaseText}
              empty={
                <Nothing icon={BundleIcon} title={t({ en: 'There is no release yet', ru: 'Выпусков пока нет' })}>
                  <code>nova-ctl release import</code> {t({ en: 'brings one in.', ru: 'добавит выпуск.' })}
                </Nothing>
              }
            />
          )}
        </QueryView>
      </PageBody>
    </>
  );
}

const releaseText = ({ version, clusters }: Listed) => `${version} ${clusters.join(' ')}`;
