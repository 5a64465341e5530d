import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem, RetryableError } from '@nova-platform/api';
import { z } from 'zod';
import { operation, type Work } from '../definition.ts';

/** How a step goes. */
const behaviour = z.object({
  milliseconds: z.number().default(0),
  /** So often it may succeed when it is done again. */
  again: z.number().default(0),
  /** Until it is mended it fails: at once, or after some tries. */
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

/** What steps work on: it outlives the server, and knows nothing of its store. */
export interface World {
  has: (key: string, step: string) => boolean;
  count: (what: string, key: string, step: string) => number;
  isMended: (key: string, what: 'run' | 'undo') => boolean;
  /** On the disk when it returns. */
  record: (what: string, key: string, step: string) => void;
  /** Where a server may be killed. */
  boundary: (key: string, what: string) => void;
}

export const withoutUndo = new Set(['keep', 'last']);

/** Operations whose steps leave traces. What they do is idempotent by key and step, as that of a real step is. */
export function chaosKinds(world: World) {
  const title = { en: 'any', ru: 'любой' };
  const broken = (what: string) => new ProblemError(problem('NOVA8341', { nodes: what }));

  /** The options of a step of this name. */
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
          if (fails && !world.isMended(key, 'run')) {
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
          if (input.behaviour[step]?.undoFails && !world.isMended(key, 'undo')) throw broken(step);
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
