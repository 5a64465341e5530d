import { Alert } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { machineOperationsQuery, machineQuery } from '../../api/machine-queries.ts';
import { useWords } from '../../language.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { PageLink } from '../../parts/link.tsx';
import { onDemand } from '../../parts/on-demand.ts';
import { OperationTable } from '../../parts/operation-table.tsx';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { alertLabel } from '../../parts/problems.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { CurrentOperation } from './current-operation.tsx';
import { MachineActions } from './machine-actions.tsx';
import { MachineDisks } from './machine-disks.tsx';
import { MachineOverview } from './machine-overview.tsx';
import { MachineSnapshots } from './machine-snapshots.tsx';
import { MachineLabel } from './machine-state.tsx';

const MachineConsole = onDemand(() => import('./machine-console.tsx'), 'MachineConsole');

export function MachinePage({ name, tab }: { name: string; tab: string }) {
  const { t } = useWords();
  const machine = useQuery(machineQuery(name));
  const operations = useQuery(machineOperationsQuery(name));
  const tabs: [key: string, title: string][] = [
    ['overview', t('common.overview')],
    ['disks', t('storage.disks')],
    ['snapshots', t('machines.snapshots')],
    ['console', t('nodes.console')],
    ['events', t('common.operations')],
  ];
  return (
    <>
      <PageHead
        title={name}
        view={tabs.find(([key]) => key === tab)?.[1]}
        above={[{ title: t('machines.title'), to: '/machines' }]}
        state={machine.data && <MachineLabel state={machine.data.state} />}
        {...(machine.data && { actions: <MachineActions machine={machine.data} /> })}
      />
      <PageBody>
        <CurrentOperation operations={operations.data ?? []} />
        <QueryView query={machine}>
          {(found) => (
            <>
              {found.cluster !== undefined && <OfCluster cluster={found.cluster} />}
              <PageTabs label={t('machines.sections')} base={`/machines/${name}`} current={tab} tabs={tabs} />
              {tab === 'overview' && <MachineOverview machine={found} />}
              {tab === 'disks' && <MachineDisks machine={found} />}
              {tab === 'snapshots' && <MachineSnapshots machine={found} />}
              {tab === 'console' && <MachineConsole machine={found} />}
              {tab === 'events' && (
                <QueryView query={operations}>
                  {(list) => (
                    <OperationTable operations={list} empty={<Nothing title={t('clusters.noOperations')} />} />
                  )}
                </QueryView>
              )}
            </>
          )}
        </QueryView>
      </PageBody>
    </>
  );
}

/** Why nothing of this machine can be changed here. */
function OfCluster({ cluster }: { cluster: string }) {
  const { t } = useWords();
  return (
    <Alert
      variant="info"
      isInline
      title={t('machines.ofCluster', { cluster })}
      actionLinks={<PageLink to={`/clusters/${cluster}`}>{t('clusters.openCluster', { name: cluster })}</PageLink>}
      {...alertLabel(t)}
    >
      {t('machines.ofClusterText')}
    </Alert>
  );
}
