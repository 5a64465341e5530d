import { ToggleGroup, ToggleGroupItem } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MachineDetails } from '../../api/client.ts';
import { machineLogQuery } from '../../api/machine-queries.ts';
import { useWords } from '../../language.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { LogView } from '../../parts/log-view.tsx';
import { Needed } from '../../parts/not-allowed.tsx';
import { onDemand } from '../../parts/on-demand.ts';
import { plainLines } from '../../parts/plain-lines.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { useSession } from '../../session.ts';

// The libraries of these views are large.
const Screen = onDemand(() => import('./screen.tsx'), 'Screen');
const Serial = onDemand(() => import('./serial.tsx'), 'Serial');

const views = ['screen', 'serial', 'log'] as const;

/** VMs have a screen and a serial console; containers only have their log. */
export function MachineConsole({ machine: { name, kind, state, cluster } }: { machine: MachineDetails }) {
  const { t } = useWords();
  const { may } = useSession();
  const [chosen, setChosen] = useState<(typeof views)[number]>('screen');
  if (!may('operator')) {
    return (
      <p>
        <Needed needs="operator" />
      </p>
    );
  }
  const titles = { screen: t('machines.screen'), serial: t('machines.serial'), log: t('operations.log') };
  const view = kind === 'vm' ? chosen : 'log';
  // Who uses the console of a node is root in its cluster.
  const mayUse = cluster === undefined || may('admin');
  return (
    <>
      {kind === 'vm' && (
        <ToggleGroup aria-label={t('machines.whichConsole')}>
          {views.map((each) => (
            <ToggleGroupItem
              key={each}
              text={titles[each]}
              buttonId={`console-${each}`}
              isSelected={chosen === each}
              onChange={() => setChosen(each)}
            />
          ))}
        </ToggleGroup>
      )}
      {view === 'log' && <Log name={name} />}
      {view !== 'log' && !mayUse && (
        <p>
          <Needed needs="admin" />
        </p>
      )}
      {view !== 'log' && mayUse && state !== 'running' && (
        <Nothing title={t('machines.notRunning')}>{t('machines.notRunningHint')}</Nothing>
      )}
      {view === 'screen' && mayUse && state === 'running' && <Screen machine={name} />}
      {view === 'serial' && mayUse && state === 'running' && <Serial machine={name} />}
    </>
  );
}

function Log({ name }: { name: string }) {
  const { t } = useWords();
  const log = useQuery(machineLogQuery(name));
  return (
    <QueryView query={log}>
      {(text) => (
        <LogView label={t('nodes.machineConsole')} lines={plainLines(text)} fileName={`${name}-console.log`} />
      )}
    </QueryView>
  );
}
