import { isDeepStrictEqual } from 'node:util';
import type { OperationView, StepView } from '@nova-platform/operations';
import { type ChaosInput, chaosKinds, type Shape, type World, withoutUndo } from '@nova-platform/operations/testing';

/** An operation as requested. */
export interface Asked {
  shape: Shape;
  input: ChaosInput;
}

const nowhere: World = {
  has: () => false,
  count: () => 0,
  isFixed: () => false,
  record: () => undefined,
  boundary: () => undefined,
};
const kinds = chaosKinds(nowhere);

/** Checks an ended operation against its expected result, whatever happened to the server; returns all deviations. */
export function complaintsOf({ shape, input }: Asked, view: OperationView, has: World['has']): string[] {
  const plan = kinds[shape].plan(input);
  const { state, isCancelling, failure, steps } = view;
  const complaints: string[] = [];
  const demand = (isTrue: boolean, what: string) => {
    if (!isTrue) complaints.push(`${input.key} (operation ${view.id}, ${shape}, ${state}): ${what}`);
  };
  const stateOf = (name: string) => steps.find((step) => step.name === name)?.state;
  const fails = ({ name }: StepView) => input.behaviour[name]?.fails !== undefined;

  const [planned, found] = [plan.map(({ name }) => name), steps.map(({ name }) => name)];
  demand(isDeepStrictEqual(planned, found), `its steps are ${found.join()}`);
  demand(view.requestedBy === input.key && view.lock === input.lock, 'it is another one');
  demand(view.endedAt !== undefined, 'it has no end');
  demand((state === 'failed') === (failure !== undefined), 'its failure is wrong');
  demand((state === 'cancelled') === (view.kept !== undefined), 'it says nothing of what is kept');

  for (const [index, step] of steps.entries()) {
    const { name, attempts, startedAt, endedAt, result, problems } = step;
    const about = `step ${name} (${step.state})`;
    const canUndo = !withoutUndo.has(name);
    const isBegun = step.state !== 'waiting';
    demand(attempts > 0 === isBegun && (startedAt !== undefined) === isBegun, `${about} has attempts ${attempts}`);
    demand((endedAt !== undefined) === (isBegun && step.state !== 'running'), `${about} ended ${endedAt}`);
    if (step.state === 'done') {
      const expected = name === 'last' ? resultsOf(planned.filter((each) => each !== 'last')) : { did: name };
      demand(isDeepStrictEqual(result, expected), `${about} answered ${JSON.stringify(result)}`);
    }
    if (step.state === 'failed') {
      demand(fails(step), `${about} failed for no reason`);
      demand(problems?.[0]?.code === 'NOVA8341', `${about} failed with ${JSON.stringify(problems)}`);
    }
    const isAfterDone = (plan[index]?.after ?? []).every((each) => ['done', 'undone'].includes(stateOf(each) ?? ''));
    if (isBegun) demand(isAfterDone, `${about} was done too early`);
    // A step cancelled halfway may have taken effect or not, and so may a failed undo.
    const expectsEffect = step.state === 'done' || step.state === 'failed';
    const isUnsure = step.state === 'running' || (isCancelling && failure?.step === name);
    if (!isUnsure) demand(has(input.key, name) === expectsEffect, `${about} has the wrong effect`);
    if (state === 'done') demand(step.state === 'done', `${about} is not done`);
    if (state === 'cancelled') {
      if (canUndo) demand(step.state === 'undone' || !isBegun, `${about} is not taken back`);
      demand(view.kept?.includes(name) === (!canUndo && isBegun), `${about}: kept are ${view.kept?.join()}`);
    }
    if (!isCancelling) demand(step.state !== 'running' && step.state !== 'undone', `${about} did not end`);
  }

  if (state === 'failed' && !isCancelling) {
    demand(stateOf(failure?.step ?? '') === 'failed', `step ${failure?.step} has not failed`);
  }
  if (state === 'failed' && isCancelling) {
    demand(input.behaviour[failure?.step ?? '']?.undoFails === true, `step ${failure?.step} can be undone`);
    const later = steps.slice(planned.indexOf(failure?.step ?? '') + 1).filter(({ name }) => !withoutUndo.has(name));
    demand(
      later.every((step) => ['undone', 'waiting'].includes(step.state)),
      'others were taken back first',
    );
  }
  if (state === 'done') demand(!isCancelling, 'it is done and cancelled');
  return complaints;
}

export function stepsOf({ shape, input }: Asked): string[] {
  return kinds[shape].plan(input).map(({ name }) => name);
}

function resultsOf(names: readonly string[]): Record<string, unknown> {
  const results: Record<string, unknown> = {};
  for (const name of names) {
    const [group = '', item] = name.split('/');
    if (item === undefined) results[name] = { did: name };
    else results[group] = { ...(results[group] as object | undefined), [item]: { did: name } };
  }
  return names.some((name) => name.startsWith('nodes/')) ? results : { ...results, nodes: {} };
}

/** The recorded effects, in order, across all restarts of the server. */
export type Trace = [what: string, key: string, step: string][];

export function hasEffect(trace: Trace): World['has'] {
  const effects = new Set<string>();
  for (const [what, key, step] of trace) {
    if (what === 'effect') effects.add(`${key} ${step}`);
    if (what === 'gone') effects.delete(`${key} ${step}`);
  }
  return (key, step) => effects.has(`${key} ${step}`);
}

/** Checks what must never happen during an operation, whatever its outcome. */
export function complaintsOfTrace(trace: Trace, asked: ReadonlyMap<string, Asked>, keys: ReadonlyMap<number, string>) {
  const complaints: string[] = [];
  /** Running steps by key; below, the completed ones. */
  let active = new Map<string, Set<string>>();
  const effects = new Set<string>();
  const done = new Set<string>();
  const failed = new Set<string>();
  const wishes = new Map<string, Set<string>>();
  /** How far each operation is rolled back. */
  const undone = new Map<string, number>();
  for (const [line, [what, key, step]] of trace.entries()) {
    const id = `${key} ${step}`;
    const demand = (isTrue: boolean, why: string) => {
      if (!isTrue) complaints.push(`line ${line + 1} of what was done: ${what} ${id}: ${why}`);
    };
    const lock = asked.get(key)?.input.lock;
    switch (what) {
      case 'life':
        active = new Map();
        break;
      case 'run': {
        demand(!active.get(key)?.has(step), 'it is being done already');
        demand(!done.has(id), 'it was done before');
        demand(!undone.has(key), 'the operation is being taken back');
        demand(!failed.has(key), 'the operation has failed, and nobody asked for it');
        const others = [...active].filter(([other, steps]) => other !== key && steps.size > 0).map(([other]) => other);
        const rival = lock && others.find((other) => asked.get(other)?.input.lock === lock);
        demand(!rival, `${rival} works on the same`);
        active.set(key, (active.get(key) ?? new Set()).add(step));
        break;
      }
      case 'end':
        active.get(key)?.delete(step);
        break;
      case 'effect':
        demand(!effects.has(id), 'it is doubled');
        effects.add(id);
        break;
      case 'gone':
        demand(effects.delete(id), 'it is not there');
        break;
      case 'undo': {
        const known = asked.get(key);
        const position = known ? stepsOf(known).indexOf(step) : -1;
        demand(wishes.get(key)?.has('cancel') === true, 'nobody cancelled it');
        demand(!failed.has(key), 'the operation has failed, and nobody asked for it');
        demand((active.get(key)?.size ?? 0) === 0, 'steps are still being done');
        demand(position <= (undone.get(key) ?? position), 'the last comes first');
        undone.set(key, position);
        break;
      }
      case 'wish':
        wishes.set(key, (wishes.get(key) ?? new Set()).add(step));
        failed.delete(key);
        break;
      case 'event': {
        const owner = keys.get(Number(key)) ?? '';
        const [name = '', state] = step.split(' ');
        if (name === '' && state === 'failed') failed.add(owner);
        // A request arrived while the failure was being written.
        if (name === '' && state === 'running') failed.delete(owner);
        if (name !== '' && state === 'done') done.add(`${owner} ${name}`);
        break;
      }
    }
  }
  return complaints;
}
