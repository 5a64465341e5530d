import { eachStore } from '@nova-platform/store/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { killAtEveryBoundary, killAtRandom } from './chaos-universe.ts';
import { temporaryFolder } from './nova-ctl.ts';

eachStore('a Universe that is killed', (locate) => {
  let folder: ReturnType<typeof temporaryFolder>;

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  test('at every boundary of its steps goes on, and nothing is doubled, lost or forgotten', async () => {
    const { killedAt, kills } = await killAtEveryBoundary(await locate(), folder.path);
    expect(kills).toBe(killedAt.length);
    expect(killedAt).toMatchInlineSnapshot();
  });

  test('at any moment goes on, and nothing is doubled, lost or forgotten', async () => {
    const seed = Date.now() % 1_000_000;
    const report = await killAtRandom(await locate(), folder.path, { seed, milliseconds: 8000 });
    expect(report.kills, `seed ${seed}`).toBeGreaterThan(2);
  });
});
