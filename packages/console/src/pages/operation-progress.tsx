import { Progress } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import type { Operation } from '../api/client.ts';
import { operationsQuery } from '../api/queries.ts';
import { useWords } from '../language.tsx';
import { useNow } from '../parts/time.tsx';
import { usualDuration } from './operation-time.ts';

/** The progress of a running operation, and the time that such operations usually take. */
export function OperationProgress({ operation }: { operation: Operation }) {
  const { t, language, duration } = useWords();
  const { data: others = [] } = useQuery(operationsQuery());
  const { title, kind, steps, createdAt } = operation;
  const now = useNow(true);
  const usual = usualDuration(kind, others);
  const left = usual === undefined ? undefined : Date.parse(createdAt) + usual - now;
  const done = steps.filter(({ state }) => state === 'done').length;
  return (
    <div>
      <Progress
        value={(done / steps.length) * 100}
        aria-label={title[language]}
        label={t('common.doneOf', { done, total: steps.length })}
        valueText={t('overview.stepsDone', { done, total: steps.length })}
      />
      {usual !== undefined && left !== undefined && (
        <p className="nova-quiet">
          {t('operations.usuallyTakes', { duration: duration(Math.round(usual / 1000) * 1000) })}{' '}
          {left > 0
            ? t('operations.timeLeft', { duration: duration(Math.ceil(left / 1000) * 1000) })
            : t('operations.takesLonger')}
        </p>
      )}
    </div>
  );
}
