import type { OperationStep } from '../api/client.ts';

export interface StepGroup {
  name: string;
  /** Several alike, or one that stands alone. */
  isMany: boolean;
  steps: OperationStep[];
}

/** `run/one` and `run/two` are two of several alike. */
export function groupsOf(steps: readonly OperationStep[]): StepGroup[] {
  const groups = Map.groupBy(steps, ({ name }) => name.split('/', 1)[0] ?? name);
  return [...groups].map(([name, alike]) => ({ name, isMany: alike.some((each) => each.name !== name), steps: alike }));
}

/** What a step of several alike is about: a node. */
export function itemOf({ name }: OperationStep): string | undefined {
  const slash = name.indexOf('/');
  return slash < 0 ? undefined : name.slice(slash + 1);
}

/** From the first beginning to the last end, in milliseconds; until now while one of them runs. */
export function spanOf(steps: readonly OperationStep[], now: number): { from: number; until: number } | undefined {
  const begun = steps.flatMap(({ startedAt }) => (startedAt === undefined ? [] : Date.parse(startedAt)));
  if (begun.length === 0) return undefined;
  const isRunning = steps.some(({ state }) => state === 'running');
  const ended = steps.flatMap(({ endedAt }) => (endedAt === undefined ? [] : Date.parse(endedAt)));
  return { from: Math.min(...begun), until: isRunning || ended.length === 0 ? now : Math.max(...ended) };
}
