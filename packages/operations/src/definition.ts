import type { Text } from '@nova-platform/api';
import type { z } from 'zod';

/** The arguments of a step. */
export interface Work<Input, Item, Results> {
  operation: { id: number; kind: string; requestedBy: string };
  input: Input;
  /** The item, for a step that runs once per item. */
  item: Item;
  /** Results of earlier steps. */
  results: Results;
  /** Appends a line to the operation's log. */
  log: (line: string) => void;
  /** Aborted when the operation is cancelled or the server stops: return soon, the step is undone or runs again. */
  signal: AbortSignal;
}

interface StepOptions<Input, Item, Results, Result> {
  title: Text;
  /** Steps that must be done first; by default the step above. */
  after?: readonly (keyof Results & string)[];
  /** Idempotent: after a crash at any point it is called again and finds its own work partly or fully done. */
  run: (work: Work<Input, Item, Results>) => Promise<Result>;
  /** Called when the operation is cancelled, however far `run` came. */
  undo?: (work: Omit<Work<Input, Item, Partial<Results>>, 'signal'>) => Promise<void>;
}

/** A step as the runner calls it. */
export interface Step {
  title: Text;
  run: (work: Work<unknown, unknown, Record<string, unknown>>) => Promise<unknown>;
  undo?: (work: Omit<Work<unknown, unknown, Record<string, unknown>>, 'signal'>) => Promise<void>;
}

/** One step of one operation, as stored when the operation starts. */
export interface PlannedStep {
  name: string;
  item: unknown;
  after: string[];
}

interface Entry {
  name: string;
  after: readonly string[];
  step: Step;
  /** For a step that runs once per item. */
  items?: (input: unknown) => { name: string }[];
  /** Each item waits for the previous one. */
  isInTurn?: boolean;
}

interface KindOptions<Input> {
  kind: string;
  title: Text;
  /** What an operation with this input does; by default the title of the kind. */
  titleOf?: (input: Input) => Text;
  input: z.ZodType<Input>;
  /** Operations with the same lock never run at the same time. */
  lock: (input: Input) => string | undefined;
  /** It only repeats what was approved before. Operations that failed before it can still be resumed. */
  isRoutine?: boolean;
  /** Throws when the operation must not start, be resumed, or continue after a restart of the server. */
  assertAllowed?: (input: Input) => Promise<void>;
}

/** A kind of operation: a name and its list of steps. */
export class OperationKind<Input = unknown, Results = object> {
  readonly kind: string;
  readonly title: Text;
  readonly titleOf: (input: Input) => Text;
  readonly input: z.ZodType<Input>;
  readonly lock: (input: Input) => string | undefined;
  readonly isRoutine: boolean;
  readonly assertAllowed: (input: Input) => Promise<void>;
  readonly #entries: readonly Entry[];

  constructor(options: KindOptions<Input>, entries: readonly Entry[] = []) {
    this.kind = options.kind;
    this.title = options.title;
    this.titleOf = options.titleOf ?? (() => options.title);
    this.input = options.input;
    this.lock = options.lock;
    this.isRoutine = options.isRoutine ?? false;
    this.assertAllowed = options.assertAllowed ?? (async () => undefined);
    this.#entries = entries;
  }

  step<Name extends string, Result>(
    name: Name,
    options: StepOptions<Input, undefined, Results, Result>,
  ): OperationKind<Input, Results & { [key in Name]: Awaited<Result> }> {
    return this.#with({ name, after: options.after ?? this.#last(), step: options as unknown as Step });
  }

  /** One step per item: in parallel, or with `isInTurn` one after the other. */
  each<Name extends string, Item extends { name: string }, Result>(
    name: Name,
    items: (input: Input) => Item[],
    options: StepOptions<Input, Item, Results, Result> & { isInTurn?: boolean },
  ): OperationKind<Input, Results & { [key in Name]: Record<string, Awaited<Result>> }> {
    return this.#with({
      name,
      after: options.after ?? this.#last(),
      step: options as unknown as Step,
      items: items as (input: unknown) => Item[],
      isInTurn: options.isInTurn ?? false,
    });
  }

  /** All steps for an input, in the order of the definition. */
  plan(input: Input): PlannedStep[] {
    const names = new Map<string, string[]>();
    return this.#entries.flatMap(({ name, after, items, isInTurn }) => {
      // Steps after an empty group wait for the steps before it.
      const before = after.flatMap((each) => names.get(each) ?? []);
      const planned: PlannedStep[] = items
        ? items(input).map((item, index, all) => {
            const previous = isInTurn ? all[index - 1] : undefined;
            return { name: `${name}/${item.name}`, item, after: previous ? [`${name}/${previous.name}`] : before };
          })
        : [{ name, item: undefined, after: before }];
      names.set(name, planned.length > 0 ? planned.map((each) => each.name) : before);
      return planned;
    });
  }

  /** Undefined for a step of an older release. */
  stepOf(name: string): Step | undefined {
    return this.#entries.find((each) => each.name === groupOf(name))?.step;
  }

  /** Results by step, as later steps see them: those of items are one record. */
  resultsOf(done: readonly { name: string; result: unknown }[]): Record<string, unknown> {
    const groups = Map.groupBy(done, ({ name }) => groupOf(name));
    const results = this.#entries.flatMap(({ name, items }): [string, unknown][] => {
      const own = groups.get(name) ?? [];
      if (!items) return own.map(({ result }) => [name, result]);
      return [[name, Object.fromEntries(own.map((each) => [each.name.slice(name.length + 1), each.result]))]];
    });
    return Object.fromEntries(results);
  }

  #last(): string[] {
    return this.#entries.slice(-1).map(({ name }) => name);
  }

  #with<More>(entry: Entry): OperationKind<Input, Results & More> {
    return new OperationKind<Input, Results & More>(this, [...this.#entries, entry]);
  }
}

/** Starts the definition of a kind of operation. */
export function operation<Input>(options: KindOptions<Input>): OperationKind<Input> {
  return new OperationKind(options);
}

function groupOf(name: string): string {
  return name.split('/', 1)[0] ?? name;
}
