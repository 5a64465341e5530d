import type { Text } from '@nova-platform/api';
import { type Change } from '@nova-platform/change';
import type { ConfigManager } from '@nova-platform/config-manager';
import type { Providers } from '@nova-platform/infra';
import { type OperationKind, operation } from '@nova-platform/operations';
import type { ClusterPlan } from '@nova-platform/plan';
import { z } from 'zod';
import type { Clusters } from './clusters.ts';
import type { ClusterConnections } from './connections.ts';
import type { Delivery } from './delivery.ts';

/** The services that steps use. */
export interface ClusterTools {
  clusters: Clusters;
  config: ConfigManager;
  connections: ClusterConnections;
  delivery: Delivery;
  infra: Providers;
  /** Writes the base domains of all clusters into the configuration of Universe's resolver. */
  publishNames: () => Promise<void>;
  /** Runs the agent of a node and passes on its log. */
  runAgent: (
    node: string,
    isNoop: boolean,
    onLine: (line: string) => void,
    signal: AbortSignal,
  ) => Promise<{ status: string; changed: number } | undefined>;
}

/** Operations on a cluster as it is declared. */
export const planned = z.object({ plan: z.custom<ClusterPlan>() });
export type Planned = z.output<typeof planned>;

/** Operations that apply a change: steps do what was approved, and never plan again. */
export const approved = planned.extend({
  change: z.custom<Change>(),
  /** Secrets of the documents, for the nodes. */
  sealedSecrets: z.string(),
});
export type Approved = z.output<typeof approved>;

export type Log = (line: string) => void;

/** A step gets the input of its operation, the tools, and its own item. */
export type Context<Input, Item = undefined> = Input &
  ClusterTools & {
    operation: { id: number; kind: string; requestedBy: string };
    item: Item;
    log: Log;
    signal: AbortSignal;
  };

/** One step, or one for each item. */
export interface Step<Input, Item = undefined> {
  name: string;
  title: Text;
  /** Names of the steps that must be done first; by default the previous step of the list. */
  after?: readonly string[];
  /** Can run again after a crash at any point, so it accepts its own work half or wholly done. */
  run: (context: Context<Input, Item>) => Promise<unknown>;
  /** Undoes the step when the operation is cancelled. */
  undo?: (context: Omit<Context<Input, Item>, 'signal'>) => Promise<void>;
  /** Runs the step once for each of these, in parallel. */
  items?: (input: Input) => Item[];
  /** Runs them one after the other. */
  isInTurn?: boolean;
}

/** A step that runs once for each item. */
export type EachStep<Input, Item extends { name: string } = { name: string }> = Step<Input, Item> &
  Required<Pick<Step<Input, Item>, 'items'>>;

/** A step of a list, whatever its items are. */
type ListedStep<Input> = Omit<Step<Input, never>, 'items'> & { items?: (input: Input) => { name: string }[] };

interface Options<Input> {
  kind: string;
  title: Text;
  input: z.ZodType<Input>;
}

/** An operation on one cluster: its steps in the order in which they run. */
export function clusterOperation<Input extends Planned>(options: Options<Input>, steps: readonly ListedStep<Input>[]) {
  assertOrder(steps);
  return (tools: ClusterTools): OperationKind<Input> => {
    type Work = Omit<Context<Input, never>, keyof ClusterTools> & { input: Input };
    const start = operation({ ...options, lock: ({ plan }: Input) => plan.cluster.name, again: whileAway });
    return steps.reduce<OperationKind<Input>>((list, { name, items, run, undo, ...step }) => {
      const context = ({ input, ...work }: Work) => ({ ...tools, ...input, ...work }) as Context<Input, never>;
      const bound = {
        ...step,
        run: (work: object) => run(context(work as Work)),
        ...(undo && { undo: (work: object) => undo(context(work as Work)) }),
      } as Parameters<typeof list.step>[1];
      return (items ? list.each(name, items, bound) : list.step(name, bound)) as OperationKind<Input>;
    }, start);
  };
}

/** A step can only wait for steps that the list has before it. */
function assertOrder(steps: readonly { name: string; after?: readonly string[] }[]): void {
  for (const [index, { name, after = [] }] of steps.entries()) {
    const before = steps.slice(0, index).map((step) => step.name);
    const missing = after.find((each) => !before.includes(each));
    if (missing !== undefined) throw new Error(`step ${name} waits for ${missing}, which is not before it`);
  }
}
