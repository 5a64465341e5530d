import type { Operation, OperationStep } from './contract.ts';

/** The state of several steps of an operation taken together. */
export function stateOfSteps(steps: readonly OperationStep[], operation: Operation): OperationStep['state'] {
  const states = new Set(steps.map(({ state }) => state));
  const [only] = states;
  if (states.size === 1 && only) return only;
  if (states.has('failed')) return 'failed';
  if (states.has('undone')) return 'undone';
  return states.has('running') || operation.state === 'running' ? 'running' : 'waiting';
}
