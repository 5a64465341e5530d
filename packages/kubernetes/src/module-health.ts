import { type Problem, problem, type Text } from '@nova-platform/api';
import { known, type Observations } from './health-observations.ts';

/** A reconciliation that changes nothing takes Flux some seconds; the modules that need this one wait for it. */
const reconcileTimeout = 60_000;

/** Whether a module that is not ready was only just reconciled again, as Flux does every few minutes. */
export function isRoutine({ reconcilingSince }: { reconcilingSince?: Date }, now: Date): boolean {
  return reconcilingSince !== undefined && now.getTime() - reconcilingSince.getTime() < reconcileTimeout;
}

export function moduleChains(seen: Observations, state: 'failed' | 'waiting'): Problem[][] {
  const unknown: Text = { en: 'Flux has not reported its state.', ru: 'Flux не сообщил его состояние.' };
  return (known(seen.modules) ?? [])
    .filter((module) => module.state === state && !isRoutine(module, seen.now))
    .map(({ name, reason = unknown }) => [problem('NOVA8370', { module: name, reason, cluster: seen.cluster })]);
}
