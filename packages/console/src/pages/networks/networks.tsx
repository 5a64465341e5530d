import { Button } from '@patternfly/react-core';
import { NetworkIcon } from '@patternfly/react-icons/dist/esm/icons/network-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { HostNetwork } from '../../api/client.ts';
import { hostNetworksQuery } from '../../api/machine-queries.ts';
import { useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { PageLink } from '../../parts/link.tsx';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useSession } from '../../session.ts';
import { CreateNetwork } from './create-network.tsx';

export function Networks() {
  const { t } = useWords();
  const { may } = useSession();
  const networks = useQuery(hostNetworksQuery);
  const [isCreating, setIsCreating] = useState(false);
  const create = may('admin') && <Button onClick={() => setIsCreating(true)}>{t('network.create')}</Button>;
  const columns = useMemo(
    (): Column<HostNetwork>[] => [
      {
        key: 'name',
        title: t('common.name'),
        cell: ({ name }) => <PageLink to={`/networks/${name}`}>{name}</PageLink>,
        sort: ({ name }) => name,
        width: 1.5,
      },
      {
        key: 'network',
        title: t('network.addresses'),
        cell: ({ network }) => network,
        sort: ({ network }) => network,
        width: 1.4,
      },
      { key: 'gateway', title: t('network.gateway'), cell: ({ gateway }) => gateway, width: 1.2 },
      {
        key: 'router',
        title: t('network.externalAddress'),
        cell: ({ router }) => router.externalAddress ?? '—',
        width: 1.3,
      },
      {
        key: 'machines',
        title: t('storage.machines'),
        cell: ({ machines }) => machines,
        sort: ({ machines }) => machines,
        width: 0.8,
      },
      {
        key: 'cluster',
        title: t('common.cluster'),
        cell: ({ cluster }) =>
          cluster === undefined ? '—' : <PageLink to={`/clusters/${cluster}`}>{cluster}</PageLink>,
        sort: ({ cluster = '' }) => cluster,
        width: 1.2,
      },
    ],
    [t],
  );
  return (
    <>
      <PageHead
        title={t('network.networks')}
        description={t('network.networksHint')}
        {...(create && { actions: create })}
      />
      <PageBody>
        <QueryView query={networks}>
          {(rows) => (
            <DataTable
              label={t('network.networks')}
              rows={rows}
              columns={columns}
              rowKey={({ name }) => name}
              text={networkText}
              empty={<Nothing icon={NetworkIcon} title={t('network.none')} {...(create && { action: create })} />}
            />
          )}
        </QueryView>
      </PageBody>
      {isCreating && <CreateNetwork taken={networks.data ?? []} onClose={() => setIsCreating(false)} />}
    </>
  );
}

const networkText = ({ name, network, cluster = '' }: HostNetwork) => `${name} ${network} ${cluster}`;
