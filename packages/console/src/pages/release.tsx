import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Release } from '../api/client.ts';
import { releaseQuery, releasesQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { ClusterLinks } from '../parts/cluster-links.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Digest } from '../parts/digest.tsx';
import { Nothing } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { ModuleGraph } from '../parts/module-graph.tsx';
import { ModuleTable } from '../parts/module-table.tsx';
import { PageBody } from '../parts/page-body.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { StateLabel } from '../parts/states.tsx';

type Image = Release['images'][number];

/** The content of a release: modules, and images by digest. */
export function ReleasePage({ version }: { version: string }) {
  const { t } = useWords();
  const release = useQuery(releaseQuery(version));
  const { data: { newest, clusters = [] } = {} } = useQuery(releasesQuery);
  return (
    <>
      <PageHead
        title={version}
        above={[{ title: t('common.releases'), to: '/releases' }]}
        state={newest === version && <StateLabel look="good" text={t('modules.newest')} />}
      />
      <PageBody>
        <QueryView query={release}>
          {({ commit, modules, images, flux }) => (
            <>
              <Facts
                columns={2}
                facts={[
                  [t('modules.commit'), <Digest key="commit">{commit}</Digest>],
                  [
                    t('modules.clustersOfRelease'),
                    <ClusterLinks
                      key="clusters"
                      clusters={clusters.filter(({ release: theirs }) => theirs === version).map(({ name }) => name)}
                    />,
                  ],
                ]}
              />
              <Card>
                <CardTitle component="h2">{t('common.modules')}</CardTitle>
                <CardBody className="nova-stack">
                  {modules.length > 0 && <ModuleGraph modules={modules} />}
                  <ModuleTable modules={modules} />
                </CardBody>
              </Card>
              <Card>
                <CardTitle component="h2">{t('common.images')}</CardTitle>
                <CardBody>
                  <Images images={images} modules={modules} flux={flux} />
                </CardBody>
              </Card>
            </>
          )}
        </QueryView>
      </PageBody>
    </>
  );
}

function Images({ images, modules, flux }: Pick<Release, 'images' | 'modules' | 'flux'>) {
  const { t } = useWords();
  const columns = useMemo((): Column<Image>[] => {
    const users = ({ name }: Image) => [
      ...(flux.includes(name) ? ['Flux'] : []),
      ...modules.filter((module) => module.images.includes(name)).map((module) => module.name),
    ];
    return [
      {
        key: 'name',
        title: t('common.image'),
        cell: ({ name }) => <strong>{name}</strong>,
        sort: ({ name }) => name,
        width: 1.4,
      },
      { key: 'version', title: t('common.version'), cell: (row) => row.version, width: 0.7 },
      {
        key: 'users',
        title: t('modules.usedBy'),
        cell: (row) => users(row).join(', ') || '—',
        sort: (row) => users(row).join(', '),
      },
      {
        key: 'digest',
        title: t('common.digest'),
        cell: ({ digest }) => <Digest>{digest}</Digest>,
        width: 2,
      },
    ];
  }, [t, modules, flux]);
  return (
    <DataTable
      label={t('common.images')}
      rows={images}
      columns={columns}
      rowKey={({ name }) => name}
      text={imageText}
      empty={<Nothing title={t('modules.noImages')} />}
    />
  );
}

const imageText = ({ name, component, version, digest }: Image) => `${name} ${component} ${version} ${digest}`;
