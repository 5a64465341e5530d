import { Alert, Button, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type NetworkDetails, universe } from '../../api/client.ts';
import { hostNetworkQuery, machinesQuery } from '../../api/machine-queries.ts';
import { keys } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ConfirmByName } from '../../parts/dialog.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { PageLink } from '../../parts/link.tsx';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { alertLabel } from '../../parts/problems.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useSession } from '../../session.ts';
import { machineKey, machineText, useMachineColumns } from '../machines/machine-columns.tsx';
import { NetworkDrawing } from './network-drawing.tsx';
import { Translations } from './translations.tsx';

export function NetworkPage({ name, tab }: { name: string; tab: string }) {
  const { t } = useWords();
  const network = useQuery(hostNetworkQuery(name));
  const count = network.data?.machines.length ?? 0;
  const tabs: [key: string, title: string][] = [
    ['topology', t('common.topology')],
    ['machines', t('network.machinesCount', { count })],
  ];
  return (
    <>
      <PageHead
        title={name}
        view={tabs.find(([key]) => key === tab)?.[1]}
        above={[{ title: t('network.networks'), to: '/networks' }]}
        {...(network.data && { actions: <DeleteNetwork network={network.data} /> })}
      />
      <PageBody>
        <QueryView query={network}>
          {(found) => (
            <>
              {found.cluster !== undefined && (
                <Alert
                  variant="info"
                  isInline
                  title={t('network.ofCluster', { cluster: found.cluster })}
                  actionLinks={
                    <PageLink to={`/clusters/${found.cluster}/topology`}>
                      {t('clusters.openCluster', { name: found.cluster })}
                    </PageLink>
                  }
                  {...alertLabel(t)}
                >
                  {t('network.ofClusterText')}
                </Alert>
              )}
              <PageTabs label={t('network.sections')} base={`/networks/${name}`} current={tab} tabs={tabs} />
              {tab === 'topology' && (
                <>
                  <NetworkDrawing network={found} />
                  <Card>
                    <CardTitle component="h2">{t('network.translations')}</CardTitle>
                    <CardBody>
                      <Translations network={found} />
                    </CardBody>
                  </Card>
                </>
              )}
              {tab === 'machines' && <NetworkMachines network={name} />}
            </>
          )}
        </QueryView>
      </PageBody>
    </>
  );
}

function NetworkMachines({ network }: { network: string }) {
  const { t } = useWords();
  const machines = useQuery(machinesQuery);
  const columns = useMachineColumns();
  return (
    <QueryView query={machines}>
      {(all) => (
        <DataTable
          label={t('storage.machines')}
          rows={all.filter((machine) => machine.network === network)}
          columns={columns}
          rowKey={machineKey}
          text={machineText}
          empty={<Nothing title={t('network.noMachines')} />}
        />
      )}
    </QueryView>
  );
}

function DeleteNetwork({ network: { name, machines, cluster } }: { network: NetworkDetails }) {
  const { t } = useWords();
  const { may } = useSession();
  const client = useQueryClient();
  const [, go] = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  if (!may('admin') || cluster !== undefined) return null;
  return (
    <>
      <Button variant="secondary" isDanger onClick={() => setIsOpen(true)}>
        {t('network.delete')}
      </Button>
      {isOpen && (
        <ConfirmByName
          name={name}
          title={t('network.deleteTitle', { name })}
          action={t('network.delete')}
          onClose={() => setIsOpen(false)}
          onAction={async () => {
            await universe.deleteNetwork({ params: { network: name } });
            go('/networks');
            await client.invalidateQueries({ queryKey: keys.hostNetworks });
          }}
        >
          <p>
            {machines.length === 0 ? t('network.deleteText') : t('network.deleteRefused', { count: machines.length })}
          </p>
        </ConfirmByName>
      )}
    </>
  );
}
