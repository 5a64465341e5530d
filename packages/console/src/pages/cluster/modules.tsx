import type { ClusterPlan } from '@nova-platform/plan';
import { Button } from '@patternfly/react-core';
import { BundleIcon } from '@patternfly/react-icons/dist/esm/icons/bundle-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Modules } from '../../api/client.ts';
import { modulesQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { PageLink } from '../../parts/link.tsx';
import { ModuleGraph } from '../../parts/module-graph.tsx';
import { ModuleTable } from '../../parts/module-table.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ModuleLabel, moduleStates } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useSession } from '../../session.ts';
import { ModuleChange } from './module-change.tsx';

type Module = Modules['modules'][number];

/** The modules of a cluster's release: how each is, what it waits for, and switching the additional ones. */
export function ClusterModules({ cluster, plan }: { cluster: string; plan: ClusterPlan }) {
  const { t } = useWords();
  const isDelivered = plan.modules.length > 0;
  const modules = useQuery({ ...modulesQuery(cluster), enabled: isDelivered });
  if (!isDelivered) {
    return (
      <Nothing
        icon={BundleIcon}
        title={t({ en: 'This cluster is Kubernetes alone', ru: 'В этом кластере только Kubernetes' })}
      >
        {t({
          en: 'Its document says delivery: none, so it has neither Flux nor modules. That is decided once, when a cluster is made.',
          ru: 'В его документе указано delivery: none, поэтому в нём нет ни Flux, ни модулей. Это решается один раз, при создании кластера.',
        })}
      </Nothing>
    );
  }
  return <QueryView query={modules}>{(found) => <Delivered cluster={cluster} found={found} />}</QueryView>;
}

function Delivered({ cluster, found }: { cluster: string; found: Modules }) {
  const { t } = useWords();
  const { may } = useSession();
  const [asked, setAsked] = useState<{ name: string; isOn: boolean }>();
  const mayChange = may('operator');
  const more = useMemo(
    (): Column<Module>[] => [
      {
        key: 'state',
        title: t({ en: 'State', ru: 'Состояние' }),
        cell: (module) => <State module={module} />,
        sort: ({ state }) => state,
        width: 2.4,
      },
      ...(mayChange
        ? [
            {
              key: 'change',
              title: t({ en: 'Change', ru: 'Изменить' }),
              width: 1.4,
              cell: ({ name, category, state }: Module) => {
                if (category === 'base')
                  return <span className="nova-quiet">{t({ en: 'always on', ru: 'всегда включён' })}</span>;
                const isOn = state === 'off';
                return (
                  <Button
                    variant="secondary"
                    size="sm"
                    isDisabled={state === 'leaving'}
                    aria-label={
                      isOn
                        ? t({ en: `Enable ${name}`, ru: `Включить ${name}` })
                        : t({ en: `Disable ${name}`, ru: `Выключить ${name}` })
                    }
                    onClick={() => setAsked({ name, isOn })}
                  >
                    {isOn ? t({ en: 'Enable', ru: 'Включить' }) : t({ en: 'Disable', ru: 'Выключить' })}
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
            t({ en: 'Release', ru: 'Выпуск' }),
            <PageLink key="release" to={`/releases/${found.release}`}>
              {found.release}
            </PageLink>,
          ],
          [
            t({ en: 'Delivered by', ru: 'Доставка' }),
            t({
              en: 'Flux, which repairs what others change every ten minutes',
              ru: 'Flux; раз в десять минут он исправляет чужие изменения',
            }),
          ],
        ]}
      />
      <ModuleGraph modules={found.modules.map((module) => ({ ...module, state: moduleStates[module.state] }))} />
      <ModuleTable modules={found.modules} more={more} />
      {asked && <ModuleChange cluster={cluster} {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function State({ module: { state, reason, repaired } }: { module: Module }) {
  const { t } = useWords();
  return (
    <>
      <ModuleLabel state={state} />
      {reason !== undefined && <div className="nova-reason">{reason}</div>}
      {repaired && (
        <div className="nova-quiet" title={repaired.objects.join('\n')}>
          {t({ en: 'repaired', ru: 'исправлено' })} <Ago at={repaired.at} />: {repaired.objects.join(', ')}
        </div>
      )}
    </>
  );
}
