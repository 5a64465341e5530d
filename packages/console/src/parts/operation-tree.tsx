import { stateOfSteps } from '@nova-platform/contracts/universe/steps';
import { AngleRightIcon } from '@patternfly/react-icons/dist/esm/icons/angle-right-icon.js';
import { type ReactNode, useState } from 'react';
import type { Operation, OperationStep } from '../api/client.ts';
import type { LogLine } from '../api/operation-log.ts';
import { useWords } from '../language.tsx';
import { ProblemItem } from './problems.tsx';
import { stepStates } from './states.tsx';
import { groupsOf, itemOf, type StepGroup, spanOf } from './steps.ts';
import { useNow } from './time.tsx';
import './operation-tree.css';

interface TreeProps {
  operation: Operation;
  log: readonly LogLine[];
  /** Shows only the log of one step. */
  onLog: (step: string) => void;
}

const tailLines = 3;

/** The steps of an operation, updated live; running and failed steps are expanded. */
export function OperationTree({ operation, log, onLog }: TreeProps) {
  const { t } = useWords();
  const now = useNow(operation.state === 'running');
  return (
    <ol className="nova-tree" aria-label={t('common.steps')}>
      {groupsOf(operation.steps).map((group) => (
        <Group key={group.name} group={group} operation={operation} log={log} onLog={onLog} now={now} />
      ))}
    </ol>
  );
}

function Group({ group, operation, log, onLog, now }: TreeProps & { group: StepGroup; now: number }) {
  const { t, language } = useWords();
  const { isMany, steps, name } = group;
  const [first] = steps;
  const state = stateOfSteps(steps, operation);
  const [isOpen, setIsOpen] = useState<boolean>();
  if (!first) return null;
  if (!isMany) return <Step step={first} label={first.title[language]} {...{ operation, log, onLog, now }} />;
  const done = steps.filter((step) => step.state === 'done').length;
  const isShown = isOpen ?? (state === 'failed' || state === 'running' || steps.length <= 3);
  return (
    <li className={`nova-step nova-step-${state}`}>
      <button type="button" className="nova-step-line" aria-expanded={isShown} onClick={() => setIsOpen(!isShown)}>
        <Mark state={state} />
        <span className="nova-step-title">{first.title[language]}</span>
        <span className="nova-step-name">{name}</span>
        <span className="nova-step-details">
          {t('common.doneOf', { done, total: steps.length })} <Took steps={steps} {...{ operation, now }} />
        </span>
        <AngleRightIcon className={isShown ? 'nova-angle nova-angle-open' : 'nova-angle'} />
      </button>
      {isShown && (
        <ol className="nova-tree nova-tree-inner">
          {steps.map((step) => (
            <Step key={step.name} step={step} label={itemOf(step) ?? step.name} {...{ operation, log, onLog, now }} />
          ))}
        </ol>
      )}
    </li>
  );
}

function Step({
  step,
  label,
  operation,
  log,
  onLog,
  now,
}: TreeProps & { step: OperationStep; label: string; now: number }) {
  const { t } = useWords();
  const { name, state, attempts, problems = [] } = step;
  const lines = log.filter((line) => line.step === name);
  const isInterrupted = state === 'running' && operation.state !== 'running';
  return (
    <li className={`nova-step nova-step-${state}`}>
      <div className="nova-step-line">
        <Mark state={state} />
        <span className="nova-step-title">{label}</span>
        {label !== name && !name.includes('/') && <span className="nova-step-name">{name}</span>}
        <span className="nova-step-details">
          {attempts > 1 && <span>{t('operations.attempt', { number: attempts })} </span>}
          {isInterrupted && <span>{t('operations.interrupted')} </span>}
          <Took steps={[step]} {...{ operation, now }} />
          {lines.length > 0 && (
            <button type="button" className="nova-step-log" onClick={() => onLog(name)}>
              {t('operations.stepLog')}
            </button>
          )}
        </span>
      </div>
      {state === 'running' && lines.length > 0 && (
        <pre className="nova-step-tail">
          {lines
            .slice(-tailLines)
            .map(({ line }) => line)
            .join('\n')}
        </pre>
      )}
      {state === 'failed' && problems.map((problem) => <ProblemItem key={JSON.stringify(problem)} problem={problem} />)}
    </li>
  );
}

function Mark({ state }: { state: OperationStep['state'] }): ReactNode {
  const { t } = useWords();
  const { icon, text } = stepStates[state];
  return (
    <span className="nova-step-mark">
      {icon}
      <span className="pf-v6-screen-reader">{t(text)}</span>
    </span>
  );
}

function Took({ steps, operation, now }: { steps: readonly OperationStep[]; operation: Operation; now: number }) {
  const { duration } = useWords();
  const span = spanOf(steps, now);
  const isInterrupted = operation.state !== 'running' && steps.some(({ state }) => state === 'running');
  if (!span || isInterrupted) return null;
  return <span className="nova-number">{duration(Math.max(0, span.until - span.from))}</span>;
}
