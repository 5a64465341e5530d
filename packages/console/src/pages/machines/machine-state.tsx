import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import { PauseCircleIcon } from '@patternfly/react-icons/dist/esm/icons/pause-circle-icon.js';
import { TrashIcon } from '@patternfly/react-icons/dist/esm/icons/trash-icon.js';
import type { Machine } from '../../api/client.ts';
import { type PlainKey, useWords } from '../../language.tsx';
import { StateLabel } from '../../parts/states.tsx';

const looks = {
  running: { look: 'good', icon: <CheckCircleIcon /> },
  stopped: { look: 'quiet', icon: <PauseCircleIcon /> },
  deleting: { look: 'warning', icon: <TrashIcon /> },
} as const;

export const stateNames: Record<Machine['state'], PlainKey> = {
  running: 'machines.running',
  stopped: 'machines.stopped',
  deleting: 'machines.deleting',
};

export const kindNames: Record<Machine['kind'], PlainKey> = {
  vm: 'machines.kindVm',
  container: 'machines.kindContainer',
};

export function MachineLabel({ state, isCompact = false }: { state: Machine['state']; isCompact?: boolean }) {
  const { t } = useWords();
  const { look, icon } = looks[state];
  return <StateLabel look={look} {...(!isCompact && { icon })} text={t(stateNames[state])} isCompact={isCompact} />;
}
