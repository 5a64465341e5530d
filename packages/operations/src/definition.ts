import type { Text } from '@nova-platform/api';
import type { z } from 'zod';

/** What a step has to work with. */
export interface Work<Input, Item, Results> {
  /** The operation itself, as others are told of it. */
  operation: { id: number; kind: string; requestedBy: string };
  input: Input;
  /** What this one of several alike is about; nothing for a step that stands alone. */
  item: Item;
  /** What earlier steps answered. */
  results: Results;
  /** A line of the operation's log, kept and shown to whoever follows. */
  log: (line: string) => void;
  /** Tells that the operation is being cancelled, or the server stopped: end soon, the step is done again or undone. */
  signal: AbortSignal;
}

interface StepOptions<Input, Item, Results, Result> {
  title: Text;
  /** Steps that must be done before; the one above when nothing is said. */
  after?: readonly (keyof Results & string)[];
  /** Does it. May be called again after a crash at any point, so that it finds its own work half or wholly done. */
  run: (work: Work<Input, Item, Results>) => Promise<Result>;
  /** Takes it back when the operation is cancelled, from whatever point it came to. */
  undo?: (work: Omit<Work<Input, Item, Partial<Results>>, 'signal'>) => Promise<void>;
}

/** A step as the runner knows it. */
export interface Step {
  title: Text;
  run: (work: Work<unknown, unknown, Record<string, unknown>>) => Promise<unknown>;
  undo?: (work: Omit<Work<unknown, unknown, Record<string, unknown>>, 'signal'>) => Promise<void>;
}

/** One step of one operation, as it is written down when the operation begins. */
export interface PlannedStep {
  name: string;
  item: unknown;
  after: string[];
}

interface Entry {
  name: string;
  after: readonly string[];
  step: Step;
  /** For a step that is several alike: each one's name and what it is about. */
  items?: (input: unknown) => { name: string }[];
  /** Of several alike, each waits for the one before it. */
  isInTurn?: boolean;
}

interface KindOptions<Input> {
  kind: string;
  title: Text;
  input: z.ZodType<Input>;
  /** The cluster, or whatever else two operations must not work on at once. */
  lock: (input: Input) => string | undefined;
  /** Errors after which any of its steps is worth trying again, although they do not say so themselves. */
  again?: (error: unknown) => TryAgain | undefined;
  /** Refuses to begin, to be resumed, or to go on after a restart of the server. */
  assertAllowed?: (input: Input) => Promise<void>;
}

/** A kind of operation: a name and its list of steps. */
export class OperationKind<Input = unknown, Results = object> {
  readonly kind: string;
  readonly title: Text;
  readonly input: z.ZodType<Input>;
  readonly lock: (input: Input) => string | undefined;
  readonly again: (error: unknown) => TryAgain | undefined;
  readonly assertAllowed: (input: Input) => Promise<void>;
  readonly #entries: readonly Entry[];

  constructor(options: KindOptions<Input>, entries: readonly Entry[] = []) {
    this.kind = options.kind;
    this.title = options.title;
    this.input = options.input;
    this.lock = options.lock;
    this.again = options.again ?? (() => undefined);
    this.assertAllowed = options.assertAllowed ?? (async () => undefined);
    this.#entries = entries;
  }

  step<Name extends string, Result>(
    name: Name,
    options: StepOptions<Input, undefined, Results, Result>,
  ): OperationKind<Input, Results & { [key in Name]: Awaited<Result> }> {
    return this.#with({ name, after: options.after ?? this.#last(), step: options as unknown as Step });
  }

  /** Several alike, one for each of `items`: side by side, or one after the other. */
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

  /** All steps for an input. */
  plan(input: Input): PlannedStep[] {
    const names = new Map<string, string[]>();
    return this.#entries.flatMap(({ name, after, items, isInTurn }) => {
      // A group of none is passed over: what comes after it waits for what came before it.
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

  /** None when a release before this one knew the step. */
  stepOf(name: string): Step | undefined {
    return this.#entries.find((each) => each.name === groupOf(name))?.step;
  }

  /** Results by step, as later steps see them: several alike are one record. */
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

/** Begins the definition of an operation. */
export function operation<Input>(options: KindOptions<Input>): OperationKind<Input> {
  return new OperationKind(options);
}

function groupOf(name: string): string {
  return name.split('/', 1)[0] ?? name;
}

/** Thrown by a step that may succeed when it is done again: the error says how long to wait and how often to try. */
export class TryAgain extends Error {
  readonly milliseconds: number;
  readonly attempts: number;

  constructor(cause: Error, { milliseconds, attempts }: { milliseconds: number; attempts: number }) {
    super(cause.message, { cause });
    this.milliseconds = milliseconds;
    this.attempts = attempts;
  }
}
