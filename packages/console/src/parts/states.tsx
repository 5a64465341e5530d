import { BanIcon } from '@patternfly/react-icons/dist/esm/icons/ban-icon.js';
import { CheckCircleIcon } from '@patternfly/react-icons/dist/esm/icons/check-circle-icon.js';
import { ExclamationCircleIcon } from '@patternfly/react-icons/dist/esm/icons/exclamation-circle-icon.js';
import { ExclamationTriangleIcon } from '@patternfly/react-icons/dist/esm/icons/exclamation-triangle-icon.js';
import { InProgressIcon } from '@patternfly/react-icons/dist/esm/icons/in-progress-icon.js';
import { OutlinedCircleIcon } from '@patternfly/react-icons/dist/esm/icons/outlined-circle-icon.js';
import { PauseCircleIcon } from '@patternfly/react-icons/dist/esm/icons/pause-circle-icon.js';
import { UndoIcon } from '@patternfly/react-icons/dist/esm/icons/undo-icon.js';
import type { ReactElement } from 'react';
import type { Health, Modules, Operation, OperationStep } from '../api/client.ts';
import { type PlainKey, useWords } from '../language.tsx';
import './states.css';

type Look = 'good' | 'busy' | 'warning' | 'bad' | 'quiet';

interface StateLabelProps {
  look: Look;
  icon?: ReactElement;
  text: string;
  isCompact?: boolean;
}

/** Replaces the library's label, which measures each instance: long lists have thousands of them. */
export function StateLabel({ look, icon, text, isCompact = false }: StateLabelProps) {
  return (
    <span className={`nova-label nova-label-${look}${isCompact ? ' nova-label-compact' : ''}`}>
      {icon}
      {text}
    </span>
  );
}

const spinning = <InProgressIcon className="nova-spin" />;

const healthStates: Record<Health['state'], { look: Look; text: PlainKey; icon: ReactElement }> = {
  ready: { look: 'good', text: 'common.ready', icon: <CheckCircleIcon /> },
  changing: { look: 'busy', text: 'states.changing', icon: spinning },
  stopped: { look: 'quiet', text: 'common.stopped', icon: <PauseCircleIcon /> },
  degraded: { look: 'warning', text: 'states.degraded', icon: <ExclamationTriangleIcon /> },
  failed: { look: 'bad', text: 'states.down', icon: <ExclamationCircleIcon /> },
};

export function HealthLabel({ state }: { state: Health['state'] }) {
  const { t } = useWords();
  const { look, text, icon } = healthStates[state];
  return <StateLabel look={look} icon={icon} text={t(text)} />;
}

const operationStates: Record<Operation['state'], { look: Look; text: PlainKey; icon: ReactElement }> = {
  running: { look: 'busy', text: 'states.running', icon: spinning },
  done: { look: 'good', text: 'common.done', icon: <CheckCircleIcon /> },
  failed: { look: 'bad', text: 'common.failed', icon: <ExclamationCircleIcon /> },
  cancelled: { look: 'quiet', text: 'common.cancelled', icon: <BanIcon /> },
};

export function OperationLabel({ operation }: { operation: Pick<Operation, 'state' | 'isCancelling'> }) {
  const { t } = useWords();
  const { look, text, icon } = operationStates[operation.state];
  if (operation.state === 'running' && operation.isCancelling)
    return <StateLabel look="warning" icon={spinning} text={t('states.cancelling')} />;
  return <StateLabel look={look} icon={icon} text={t(text)} />;
}

export const stepStates: Record<OperationStep['state'], { text: PlainKey; icon: ReactElement }> = {
  waiting: { text: 'states.stepWaiting', icon: <OutlinedCircleIcon className="nova-quiet" /> },
  running: { text: 'states.stepRunning', icon: <InProgressIcon className="nova-spin nova-busy" /> },
  done: { text: 'common.stepDone', icon: <CheckCircleIcon className="nova-good" /> },
  failed: { text: 'common.failedLower', icon: <ExclamationCircleIcon className="nova-bad" /> },
  undone: { text: 'states.stepUndone', icon: <UndoIcon className="nova-warning" /> },
};

type ModuleState = Modules['modules'][number]['state'];

export const moduleStates: Record<ModuleState, { look: Look; text: PlainKey; icon: ReactElement }> = {
  ready: { look: 'good', text: 'common.ready', icon: <CheckCircleIcon /> },
  waiting: { look: 'busy', text: 'states.moduleWaiting', icon: spinning },
  failed: { look: 'bad', text: 'common.failed', icon: <ExclamationCircleIcon /> },
  leaving: { look: 'warning', text: 'states.moduleLeaving', icon: spinning },
  off: { look: 'quiet', text: 'states.moduleOff', icon: <BanIcon /> },
  unknown: { look: 'warning', text: 'common.unknown', icon: <ExclamationTriangleIcon /> },
};

export function ModuleLabel({ state }: { state: ModuleState }) {
  const { t } = useWords();
  const { look, text, icon } = moduleStates[state];
  return <StateLabel look={look} icon={icon} text={t(text)} />;
}

const runStates = {
  unchanged: { look: 'good', text: 'states.runUnchanged' },
  changed: { look: 'busy', text: 'states.runChanged' },
  failed: { look: 'bad', text: 'common.failed' },
} as const;

export function RunLabel({ status }: { status: keyof typeof runStates }) {
  const { t } = useWords();
  return <StateLabel look={runStates[status].look} text={t(runStates[status].text)} isCompact />;
}
