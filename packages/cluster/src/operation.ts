import type { Text } from '@nova-platform/api';
import { type Change, change } from '@nova-platform/change/schema';
import type { ConfigManager } from '@nova-platform/config-manager';
import type { Providers } from '@nova-platform/infra';
import { type OperationKind, operation } from '@nova-platform/operations';
import { clusterPlan } from '@nova-platform/plan';
import { z } from 'zod';
import type { Clusters } from './clusters.ts';
import type { ClusterConnections } from './connections.ts';
import type { Delivery } from './delivery.ts';
import { assertUnlocked } from './machine-lock.ts';

/** The services that steps use. */
export interface ClusterTools {
  clusters: Clusters;
  config: ConfigManager;
  connections: ClusterConnections;
  delivery: Delivery;
  infra: Providers;
  /** Writes the base domains of all clusters into the configuration of Universe's resolver. */
  publishNames: () => Promise<void>;
}

/** Operations on a cluster as it is declared. */
export const planned = z.object({ plan: clusterPlan });
export type Planned = z.output<typeof planned>;

/** Operations that apply a change: steps do what was approved, and never plan again. */
export const approved = planned.extend({
  change,
  /** Secrets of the documents, for the nodes. */
  sealedSecrets: z.string(),
  /** What the change does; operations of older releases do not have it. */
  title: z.object({ en: z.string(), ru: z.string() }).exactOptional(),
});
export type Approved = z.output<typeof approved>;

/** The change in the input of an operation; undefined for other operations, and for one that this release cannot read. */
export function approvedChange(input: unknown): Change | undefined {
  return approved.pick({ change: true }).safeParse(input).data?.change;
}

export type Log = (line: string) => void;

/** A step gets the input of its operation, the tools, and its own item. */
export type Context<Input, Item = undefined> = Input &
  ClusterTools & {
    operation: { id: number; kind: string; requestedBy: string };
    item: Item;
    log: Log;
    signal: AbortSignal;
  };

export interface Step<Input, Item = undefined> {
  name: string;
  title: Text;
  /** Names of the steps that must be done first; by default the previous step of the list. */
  after?: readonly string[];
  /** Can run again after a crash at any point, so it accepts its own work half or wholly done. */
  run: (context: Context<Input, Item>) => Promise<unknown>;
  /** Undoes the step when the operation is cancelled. */
  undo?: (context: Omit<Context<Input, Item>, 'signal'>) => Promise<void>;
}

/** A step that runs once for each item: in parallel, or one after the other. */
export interface EachStep<Input, Item extends { name: string } = { name: string }> extends Step<Input, Item> {
  items: (input: Input) => Item[];
  isInTurn?: boolean;
}

/** A step of a list, with items of any type. */
type ListedStep<Input> = Step<Input, never> & Partial<Pick<EachStep<Input>, 'items' | 'isInTurn'>>;

interface Options<Input> {
  kind: string;
  title: Text;
  titleOf?: (input: Input) => Text;
  input: z.ZodType<Input>;
}

/** An operation on one cluster: its steps in the order in which they run. */
export function clusterOperation<Input extends Planned>(options: Options<Input>, steps: readonly ListedStep<Input>[]) {
  assertOrder(steps);
  return (tools: ClusterTools): OperationKind<Input> => {
    type Work = Omit<Context<Input, never>, keyof ClusterTools> & { input: Input };
    type List = OperationKind<Input, Record<string, unknown>>;
    const context = ({ input, ...work }: Work) => ({ ...tools, ...input, ...work }) as Context<Input, never>;
    const start = operation({
      ...options,
      lock: ({ plan }: Input) => plan.cluster.name,
      assertAllowed: ({ plan }) => assertUnlocked(tools.connections, plan),
    }) as List;
    return steps.reduce((list: List, { name, items, run, undo, ...step }): List => {
      const bound = {
        ...step,
        run: (work: object) => run(context(work as Work)),
        ...(undo && { undo: (work: object) => undo(context(work as Work)) }),
      };
      return items ? list.each(name, items, bound) : list.step(name, bound);
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
