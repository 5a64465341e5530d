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
  const check = (isTrue: boolean, what: string) => {
    if (!isTrue) complaints.push(`${input.key} (operation ${view.id}, ${shape}, ${state}): ${what}`);
  };
  const stateOf = (name: string) => steps.find((step) => step.name === name)?.state;
  const fails = ({ name }: StepView) => input.behaviour[name]?.fails !== undefined;

  const [planned, found] = [plan.map(({ name }) => name), steps.map(({ name }) => name)];
  check(isDeepStrictEqual(planned, found), `its steps are ${found.join()}`);
  check(view.requestedBy === input.key && view.lock === input.lock, 'its key or lock is wrong');
  check(view.endedAt !== undefined, 'it has no end time');
  check((state === 'failed') === (failure !== undefined), 'its failure is wrong');
  check((state === 'cancelled') === (view.kept !== undefined), 'the list of kept steps is missing');

  for (const [index, step] of steps.entries()) {
    const { name, attempts, startedAt, endedAt, result, problems } = step;
    const about = `step ${name} (${step.state})`;
    const canUndo = !withoutUndo.has(name);
    const isBegun = step.state !== 'waiting';
    check(attempts > 0 === isBegun && (startedAt !== undefined) === isBegun, `${about} has attempts ${attempts}`);
    check((endedAt !== undefined) === (isBegun && step.state !== 'running'), `${about} ended ${endedAt}`);
    if (step.state === 'done') {
      const expected = name === 'last' ? resultsOf(planned.filter((each) => each !== 'last')) : { did: name };
      check(isDeepStrictEqual(result, expected), `${about} returned ${JSON.stringify(result)}`);
    }
    if (step.state === 'failed') {
      check(fails(step), `${about} failed without a reason`);
      check(problems?.[0]?.code === 'NOVA8341', `${about} failed with ${JSON.stringify(problems)}`);
    }
    const isAfterDone = (plan[index]?.after ?? []).every((each) => ['done', 'undone'].includes(stateOf(each) ?? ''));
    if (isBegun) check(isAfterDone, `${about} ran before its dependencies`);
    // A step cancelled halfway may have taken effect or not, and so may a failed undo.
    const expectsEffect = step.state === 'done' || step.state === 'failed';
    const isUnsure = step.state === 'running' || (isCancelling && failure?.step === name);
    if (!isUnsure) check(has(input.key, name) === expectsEffect, `${about} has the wrong effect`);
    if (state === 'done') check(step.state === 'done', `${about} is not done`);
    if (state === 'cancelled') {
      if (canUndo) check(step.state === 'undone' || !isBegun, `${about} is not undone`);
      check(view.kept?.includes(name) === (!canUndo && isBegun), `${about}: kept are ${view.kept?.join()}`);
    }
    if (!isCancelling) check(step.state !== 'running' && step.state !== 'undone', `${about} did not end`);
  }

  if (state === 'failed' && !isCancelling) {
    check(stateOf(failure?.step ?? '') === 'failed', `step ${failure?.step} has not failed`);
  }
  if (state === 'failed' && isCancelling) {
    check(input.behaviour[failure?.step ?? '']?.undoFails === true, `step ${failure?.step} can be undone`);
    const later = steps.slice(planned.indexOf(failure?.step ?? '') + 1).filter(({ name }) => !withoutUndo.has(name));
    check(
      later.every((step) => ['undone', 'waiting'].includes(step.state)),
      'a later step is not undone',
    );
  }
  if (state === 'done') check(!isCancelling, 'it is done and cancelled');
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
    const check = (isTrue: boolean, why: string) => {
      if (!isTrue) complaints.push(`line ${line + 1} of the trace: ${what} ${id}: ${why}`);
    };
    const lock = asked.get(key)?.input.lock;
    switch (what) {
      case 'life':
        active = new Map();
        break;
      case 'run': {
        check(!active.get(key)?.has(step), 'the step is already running');
        check(!done.has(id), 'the step is done');
        check(!undone.has(key), 'the operation is being rolled back');
        check(!failed.has(key), 'the operation has failed, and no request followed');
        const others = [...active].filter(([other, steps]) => other !== key && steps.size > 0).map(([other]) => other);
        const rival = lock && others.find((other) => asked.get(other)?.input.lock === lock);
        check(!rival, `${rival} holds the same lock`);
        active.set(key, (active.get(key) ?? new Set()).add(step));
        break;
      }
      case 'end':
        active.get(key)?.delete(step);
        break;
      case 'effect':
        check(!effects.has(id), 'the effect exists already');
        effects.add(id);
        break;
      case 'gone':
        check(effects.delete(id), 'the effect does not exist');
        break;
      case 'undo': {
        const known = asked.get(key);
        const position = known ? stepsOf(known).indexOf(step) : -1;
        check(wishes.get(key)?.has('cancel') === true, 'the operation was not cancelled');
        check(!failed.has(key), 'the operation has failed, and no request followed');
        check((active.get(key)?.size ?? 0) === 0, 'steps are still running');
        check(position <= (undone.get(key) ?? position), 'steps are undone in the wrong order');
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
