import type { ClusterPlan } from '@nova-platform/plan';
import { Alert, Button } from '@patternfly/react-core';
import { BundleIcon } from '@patternfly/react-icons/dist/esm/icons/bundle-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Health, Modules } from '../../api/client.ts';
import { modulesQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { PageLink } from '../../parts/link.tsx';
import { Message } from '../../parts/message.tsx';
import { ModuleGraph } from '../../parts/module-graph.tsx';
import { ModuleTable } from '../../parts/module-table.tsx';
import { alertLabel } from '../../parts/problems.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ModuleLabel, moduleStates } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useSession } from '../../session.ts';
import { ModuleChange } from './module-change.tsx';
import './modules.css';

type Module = Modules['modules'][number];

interface ClusterModulesProps {
  cluster: string;
  plan: ClusterPlan;
  health: Health | undefined;
}

/** The modules of a cluster's release: their state, what they wait for, and switches for the additional ones. */
export function ClusterModules({ cluster, plan, health }: ClusterModulesProps) {
  const { t } = useWords();
  const hasModules = plan.modules.length > 0;
  const modules = useQuery({ ...modulesQuery(cluster), enabled: hasModules });
  if (!hasModules) {
    return (
      <Nothing icon={BundleIcon} title={t('modules.noDelivery')}>
        <Message of="modules.noDeliveryHint" />
      </Nothing>
    );
  }
  // Without a ready node, Flux does not run, and states stay as they were.
  const isOutdated = health?.nodes.every(({ isReady }) => isReady === false) ?? false;
  return (
    <>
      {isOutdated && <Alert variant="warning" isInline title={t('modules.statesOutdated')} {...alertLabel(t)} />}
      <QueryView query={modules}>{(found) => <Delivered cluster={cluster} found={found} />}</QueryView>
    </>
  );
}

function Delivered({ cluster, found }: { cluster: string; found: Modules }) {
  const { t } = useWords();
  const { may } = useSession();
  const [change, setChange] = useState<{ name: string; isOn: boolean }>();
  const mayChange = may('operator');
  const more = useMemo(
    (): Column<Module>[] => [
      {
        key: 'state',
        title: t('common.state'),
        cell: (module) => <State module={module} />,
        sort: ({ state }) => state,
        width: 2.1,
      },
      ...(mayChange
        ? [
            {
              key: 'change',
              title: t('common.actions'),
              width: 1.3,
              cell: ({ name, category, state }: Module) => {
                if (category === 'base') return <span className="nova-quiet">{t('modules.alwaysOn')}</span>;
                const isOn = state === 'off';
                return (
                  <Button
                    variant="secondary"
                    size="sm"
                    isDisabled={state === 'leaving'}
                    aria-label={isOn ? t('modules.enableNamed', { name }) : t('modules.disableNamed', { name })}
                    onClick={() => setChange({ name, isOn })}
                  >
                    {isOn ? t('modules.enable') : t('modules.disable')}
                  </Button>
                );
              },
            },
          ]
        : []),
    ],
    [t, mayChange],
  );
  return (
    <>
      <Facts
        columns={2}
        facts={[
          [
            t('modules.release'),
            <PageLink key="release" to={`/releases/${found.release}`}>
              {found.release}
            </PageLink>,
          ],
          [t('modules.deliveredBy'), t('modules.deliveredByFlux')],
        ]}
      />
      <ModuleGraph modules={found.modules.map((module) => ({ ...module, state: moduleStates[module.state] }))} />
      <ModuleTable modules={found.modules} more={more} />
      {change && <ModuleChange cluster={cluster} {...change} onClose={() => setChange(undefined)} />}
    </>
  );
}

function State({ module: { state, reason, repaired } }: { module: Module }) {
  const { language } = useWords();
  return (
    <>
      <ModuleLabel state={state} />
      {reason !== undefined && (
        <div className="nova-reason">{typeof reason === 'string' ? reason : reason[language]}</div>
      )}
      {repaired && (
        <div className="nova-quiet" title={repaired.objects.join('\n')}>
          <Message
            of="modules.reverted"
            parts={{ when: <Ago at={repaired.at} />, objects: repaired.objects.join(', ') }}
          />
        </div>
      )}
    </>
  );
}
