import { eachStore } from '@nova-platform/store/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { killAtEveryBoundary, killAtRandom } from './chaos-universe.ts';
import { temporaryFolder } from './nova-ctl.ts';

const around = (step: string) => [`before the effect of ${step}`, `after the effect of ${step}`];
const aroundUndo = (step: string) => [`before the undo of ${step}`, `after the undo of ${step}`];

/**
 * Kill points during parallel steps that occur in the same order in each run. Whether nodes/a fails before nodes/b is
 * done varies.
 */
const ofFork = [
  'in the start',
  'after the operation is running',
  ...around('first'),
  'after first is done',
  'after the operation is failed',
  ...around('nodes/a'),
  ...around('last'),
  'after last is done',
  'after the operation is done',
].map((each) => `fork: ${each}`);

/** Kill points during sequential steps, including the rollback. */
const ofLine = [
  'after the operation is running',
  ...around('one'),
  'after one is done',
  ...around('two'),
  'after two is done',
  ...around('three'),
  ...around('three'),
  'after three is failed',
  'after the operation is failed',
  // Cancelled.
  'after the operation is running',
  ...aroundUndo('three'),
  'after three is undone',
  ...aroundUndo('two'),
  'after two is done',
  'after the operation is failed',
  // Fixed and resumed.
  'after the operation is running',
  ...aroundUndo('two'),
  'after two is undone',
  ...aroundUndo('one'),
  'after one is undone',
  'after the operation is cancelled',
].map((each) => `line: ${each}`);

eachStore('a killed Universe', (locate) => {
  let folder: ReturnType<typeof temporaryFolder>;

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  test('continues after a kill at every step boundary, and nothing is doubled, lost or forgotten', async () => {
    const { killedAt, kills } = await killAtEveryBoundary(await locate(), folder.path);
    expect(kills).toBe(killedAt.length);
    expect(killedAt).toEqual(expect.arrayContaining(ofFork));
    expect(killedAt.filter((each) => each.startsWith('line'))).toEqual(ofLine);
  }, 300_000);

  test('continues after kills at any time, and nothing is doubled, lost or forgotten', async () => {
    const seed = Date.now() % 1_000_000;
    const report = await killAtRandom(await locate(), folder.path, { seed, milliseconds: 5000 });
    expect(report.kills, `seed ${seed}`).toBeGreaterThan(2);
  });
});
