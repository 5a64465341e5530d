import { BundleIcon } from '@patternfly/react-icons/dist/esm/icons/bundle-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { releasesQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { ClusterLinks } from '../parts/cluster-links.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Nothing } from '../parts/empty.tsx';
import { PageLink } from '../parts/link.tsx';
import { Message } from '../parts/message.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { StateLabel } from '../parts/states.tsx';
import './releases.css';

interface Listed {
  version: string;
  isNewest: boolean;
  clusters: readonly string[];
}

/** Releases of the platform, and the clusters that use each. */
export function Releases() {
  const { t } = useWords();
  const releases = useQuery(releasesQuery);
  const columns = useMemo(
    (): Column<Listed>[] => [
      {
        key: 'version',
        title: t('common.version'),
        cell: ({ version, isNewest }) => (
          <span className="nova-version">
            <PageLink to={`/releases/${version}`}>{version}</PageLink>{' '}
            {isNewest && <StateLabel look="good" text={t('modules.newest')} isCompact />}
          </span>
        ),
        sort: ({ version }) => version,
      },
      {
        key: 'clusters',
        title: t('modules.clustersOfRelease'),
        cell: ({ clusters }) => <ClusterLinks clusters={clusters} />,
        sort: ({ clusters }) => clusters.length,
        width: 2,
      },
    ],
    [t],
  );
  return (
    <>
      <PageHead title={t('common.releases')} description={<Message of="modules.releasesHint" />} />
      <PageBody>
        <QueryView query={releases}>
          {({ releases: versions, newest, clusters }) => (
            <DataTable
              label={t('common.releases')}
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
                <Nothing icon={BundleIcon} title={t('modules.noReleases')}>
                  <Message of="modules.importRelease" />
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
