import { join } from 'node:path';

export {
  type Behaviour,
  type ChaosInput,
  chaosKinds,
  type Shape,
  type World,
  withoutUndo,
} from './chaos-kinds.ts';
export { type Begin, type Question, type Saying, storeIsUnreachable } from './chaos-worker.ts';
export { loseStore, openJournal } from './store.ts';

/** The program that chaos tests start and kill. */
export const chaosWorker = join(import.meta.dirname, 'chaos-worker.ts');
