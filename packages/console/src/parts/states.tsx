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
import { type Text, useWords } from '../language.tsx';

type Look = 'good' | 'busy' | 'warning' | 'bad' | 'quiet';

interface StateLabelProps {
  look: Look;
  icon?: ReactElement;
  text: string;
  isCompact?: boolean;
}

/** Long lists have thousands of them: the library's own measures each. */
export function StateLabel({ look, icon, text, isCompact = false }: StateLabelProps) {
  return (
    <span className={`nova-label nova-label-${look}${isCompact ? ' nova-label-compact' : ''}`}>
      {icon}
      {text}
    </span>
  );
}

const spinning = <InProgressIcon className="nova-spin" />;

const healthStates: Record<Health['state'], { look: Look; text: Text; icon: ReactElement }> = {
  ready: { look: 'good', text: { en: 'Ready', ru: 'Готов' }, icon: <CheckCircleIcon /> },
  changing: { look: 'busy', text: { en: 'Changing', ru: 'Изменяется' }, icon: spinning },
  stopped: { look: 'quiet', text: { en: 'Stopped', ru: 'Остановлен' }, icon: <PauseCircleIcon /> },
  degraded: { look: 'warning', text: { en: 'Degraded', ru: 'Есть проблемы' }, icon: <ExclamationTriangleIcon /> },
  failed: { look: 'bad', text: { en: 'Failed', ru: 'Сбой' }, icon: <ExclamationCircleIcon /> },
};

export function HealthLabel({ state }: { state: Health['state'] }) {
  const { t } = useWords();
  const { look, text, icon } = healthStates[state];
  return <StateLabel look={look} icon={icon} text={t(text)} />;
}

const operationStates: Record<Operation['state'], { look: Look; text: Text; icon: ReactElement }> = {
  running: { look: 'busy', text: { en: 'Running', ru: 'Выполняется' }, icon: spinning },
  done: { look: 'good', text: { en: 'Done', ru: 'Выполнена' }, icon: <CheckCircleIcon /> },
  failed: { look: 'bad', text: { en: 'Failed', ru: 'Сбой' }, icon: <ExclamationCircleIcon /> },
  cancelled: { look: 'quiet', text: { en: 'Cancelled', ru: 'Отменена' }, icon: <BanIcon /> },
};

export function OperationLabel({ operation }: { operation: Pick<Operation, 'state' | 'isCancelling'> }) {
  const { t } = useWords();
  const { look, text, icon } = operationStates[operation.state];
  if (operation.state === 'running' && operation.isCancelling)
    return <StateLabel look="warning" icon={spinning} text={t({ en: 'Cancelling', ru: 'Отменяется' })} />;
  return <StateLabel look={look} icon={icon} text={t(text)} />;
}

export const stepStates: Record<OperationStep['state'], { text: Text; icon: ReactElement }> = {
  waiting: { text: { en: 'waiting', ru: 'ожидает' }, icon: <OutlinedCircleIcon className="nova-quiet" /> },
  running: { text: { en: 'running', ru: 'выполняется' }, icon: <InProgressIcon className="nova-spin nova-busy" /> },
  done: { text: { en: 'done', ru: 'выполнен' }, icon: <CheckCircleIcon className="nova-good" /> },
  failed: { text: { en: 'failed', ru: 'сбой' }, icon: <ExclamationCircleIcon className="nova-bad" /> },
  undone: { text: { en: 'taken back', ru: 'возвращено, как было' }, icon: <UndoIcon className="nova-warning" /> },
};

type ModuleState = Modules['modules'][number]['state'];

export const moduleStates: Record<ModuleState, { look: Look; text: Text; icon: ReactElement }> = {
  ready: { look: 'good', text: { en: 'Ready', ru: 'Готов' }, icon: <CheckCircleIcon /> },
  waiting: { look: 'busy', text: { en: 'Waiting', ru: 'Ждёт' }, icon: spinning },
  failed: { look: 'bad', text: { en: 'Failed', ru: 'Сбой' }, icon: <ExclamationCircleIcon /> },
  leaving: { look: 'warning', text: { en: 'Going away', ru: 'Удаляется' }, icon: spinning },
  off: { look: 'quiet', text: { en: 'Off', ru: 'Выключен' }, icon: <BanIcon /> },
  unknown: { look: 'warning', text: { en: 'Unknown', ru: 'Неизвестно' }, icon: <ExclamationTriangleIcon /> },
};

export function ModuleLabel({ state }: { state: ModuleState }) {
  const { t } = useWords();
  const { look, text, icon } = moduleStates[state];
  return <StateLabel look={look} icon={icon} text={t(text)} />;
}

const runStates = {
  unchanged: { look: 'good', text: { en: 'Unchanged', ru: 'Без изменений' } },
  changed: { look: 'busy', text: { en: 'Changed', ru: 'Изменён' } },
  failed: { look: 'bad', text: { en: 'Failed', ru: 'Сбой' } },
} as const;

export function RunLabel({ status }: { status: keyof typeof runStates }) {
  const { t } = useWords();
  return <StateLabel look={runStates[status].look} text={t(runStates[status].text)} isCompact />;
}
