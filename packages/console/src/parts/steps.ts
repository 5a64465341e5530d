import type { OperationStep } from '../api/client.ts';

export interface StepGroup {
  name: string;
  /** True for several similar steps, false for a single one. */
  isMany: boolean;
  steps: OperationStep[];
}

/** `run/one` and `run/two` form one group. */
export function groupsOf(steps: readonly OperationStep[]): StepGroup[] {
  const groups = Map.groupBy(steps, ({ name }) => name.split('/', 1)[0] ?? name);
  return [...groups].map(([name, alike]) => ({ name, isMany: alike.some((each) => each.name !== name), steps: alike }));
}

/** The object of a step in a group: a node. */
export function itemOf({ name }: OperationStep): string | undefined {
  const slash = name.indexOf('/');
  return slash < 0 ? undefined : name.slice(slash + 1);
}

/** From the first start to the last end, in milliseconds, or until now while a step runs. */
export function spanOf(steps: readonly OperationStep[], now: number): { from: number; until: number } | undefined {
  const starts = steps.flatMap(({ startedAt }) => (startedAt === undefined ? [] : Date.parse(startedAt)));
  if (starts.length === 0) return undefined;
  const isRunning = steps.some(({ state }) => state === 'running');
  const ended = steps.flatMap(({ endedAt }) => (endedAt === undefined ? [] : Date.parse(endedAt)));
  return { from: Math.min(...starts), until: isRunning || ended.length === 0 ? now : Math.max(...ended) };
}
