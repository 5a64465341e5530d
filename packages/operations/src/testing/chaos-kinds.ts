import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem, RetryableError } from '@nova-platform/api';
import { z } from 'zod';
import { operation, type Work } from '../definition.ts';

/** How a step behaves. */
const behaviour = z.object({
  milliseconds: z.number().default(0),
  /** How many times the step fails with a retryable error before it succeeds. */
  again: z.number().default(0),
  /** The step fails until it is repaired: at once, or after some attempts. */
  fails: z.enum(['at once', 'after tries']).optional(),
  undoFails: z.boolean().default(false),
});
export type Behaviour = z.input<typeof behaviour>;

const chaosInput = z.object({
  key: z.string(),
  lock: z.string().optional(),
  nodes: z.array(z.object({ name: z.string() })),
  behaviour: z.record(z.string(), behaviour.optional()),
});
export type ChaosInput = z.input<typeof chaosInput>;

/** The effects of steps. They outlive the server and are independent of its store. */
export interface World {
  has: (key: string, step: string) => boolean;
  count: (what: string, key: string, step: string) => number;
  isFixed: (key: string, what: 'run' | 'undo') => boolean;
  /** Returns when the record is on disk. */
  record: (what: string, key: string, step: string) => void;
  /** A point at which the server may be killed. */
  boundary: (key: string, what: string) => void;
}

export const withoutUndo = new Set(['keep', 'last']);

/** Operations whose steps leave traces. Effects are idempotent by key and step, like those of a real step. */
export function chaosKinds(world: World) {
  const title = { en: 'any', ru: 'любой' };
  const broken = (what: string) => new ProblemError(problem('NOVA8341', { nodes: what }));

  const trace = (group: string) => {
    type Item = { name: string } | undefined;
    const nameOf = (item: Item) => (item ? `${group}/${item.name}` : group);
    return {
      title,
      run: async ({ input, item, results, log, signal }: Work<ChaosInput, Item, object>) => {
        const { key } = input;
        const step = nameOf(item);
        const { milliseconds = 0, again = 0, fails } = input.behaviour[step] ?? {};
        world.record('run', key, step);
        try {
          world.boundary(key, `before the effect of ${step}`);
          log(`${key} does ${step}`);
          if (milliseconds > 0) await sleep(milliseconds, undefined, { signal });
          if (!world.has(key, step)) world.record('effect', key, step);
          world.boundary(key, `after the effect of ${step}`);
          if (world.count('again', key, step) < again) {
            world.record('again', key, step);
            throw new RetryableError(new Error(`${step} again`), { everyMilliseconds: 3, attempts: again + 1 });
          }
          if (fails && !world.isFixed(key, 'run')) {
            throw fails === 'at once'
              ? broken(step)
              : new RetryableError(broken(step), { everyMilliseconds: 3, attempts: 2 });
          }
          return group === 'last' ? results : { did: step };
        } finally {
          world.record('end', key, step);
        }
      },
      ...(!withoutUndo.has(group) && {
        undo: async ({ input, item }: { input: ChaosInput; item: Item }) => {
          const { key } = input;
          const step = nameOf(item);
          world.record('undo', key, step);
          world.boundary(key, `before the undo of ${step}`);
          if (world.has(key, step)) world.record('gone', key, step);
          world.boundary(key, `after the undo of ${step}`);
          if (input.behaviour[step]?.undoFails && !world.isFixed(key, 'undo')) throw broken(step);
        },
      }),
    };
  };
  const define = (kind: string) => operation<ChaosInput>({ kind, title, input: chaosInput, lock: ({ lock }) => lock });
  const nodes = (input: ChaosInput) => {
    // Called while the start is being written.
    world.boundary(input.key, 'in the start');
    return input.nodes;
  };

  return {
    line: define('line').step('one', trace('one')).step('two', trace('two')).step('three', trace('three')),
    fork: define('fork')
      .step('first', trace('first'))
      .step('left', { ...trace('left'), after: ['first'] })
      .step('right', { ...trace('right'), after: ['first'] })
      .each('nodes', nodes, { ...trace('nodes'), after: ['left', 'right'] })
      .step('keep', { ...trace('keep'), after: ['first'] })
      .step('last', { ...trace('last'), after: ['nodes', 'keep'] }),
    wide: define('wide')
      .each('nodes', nodes, trace('nodes'))
      .step('solo', { ...trace('solo'), after: [] })
      .step('last', { ...trace('last'), after: ['nodes', 'solo'] }),
  };
}

export type Shape = keyof ReturnType<typeof chaosKinds>;
