import { Progress } from '@patternfly/react-core';
import type { Operation } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { PageLink } from '../../parts/link.tsx';
import { OperationLabel } from '../../parts/states.tsx';
import { Ago, Lasting } from '../../parts/time.tsx';
import './recent-operations.css';

export function RecentOperations({ running, recent }: { running: readonly Operation[]; recent: readonly Operation[] }) {
  const { t, language } = useWords();
  const shown = [...running, ...recent.filter(({ id }) => !running.some((each) => each.id === id))].slice(0, 6);
  if (shown.length === 0) return <p className="nova-quiet">{t('overview.noOperations')}</p>;
  return (
    <ul className="nova-plain nova-operations">
      {shown.map((operation) => {
        const { id, title, lock, createdAt, endedAt, state, steps } = operation;
        const done = steps.filter((step) => step.state === 'done').length;
        return (
          <li key={id}>
            <div className="nova-operation-line">
              <PageLink to={`/operations/${id}`}>{title[language]}</PageLink>
              {lock !== undefined && <span className="nova-quiet">{lock}</span>}
              <OperationLabel operation={operation} />
            </div>
            {state === 'running' ? (
              <Progress
                value={(done / steps.length) * 100}
                aria-label={title[language]}
                size="sm"
                label={t('common.doneOf', { done, total: steps.length })}
                valueText={t('overview.stepsDone', { done, total: steps.length })}
              />
            ) : (
              <div className="nova-quiet">
                <Ago at={createdAt} />, <Lasting from={createdAt} until={endedAt} isRunning={false} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
