import { expect, test } from 'vitest';
import { answering } from '../../testing/answers.ts';

const createdAt = new Date(Date.now() - 3600_000).toISOString();
const tenants = [
  { name: 'team-a', createdAt, isBeingRemoved: false, quota: { cpu: '4', memory: '8Gi', volumes: '20Gi', pods: 50 } },
  { name: 'team-b', createdAt, isBeingRemoved: true },
];
const answers = {
  'GET /v1/clusters/demo/tenants': { tenants },
  'DELETE /v1/clusters/demo/tenants/team-a': {},
};

test('tenant list shows teams with their quotas', async () => {
  await using universe = await answering(answers);
  const { exitCode, stdout } = await universe.ctl(['tenant', 'list', 'demo']);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(`TEAM    CPU  MEMORY  VOLUMES  PODS  CREATED
team-a  4    8 GiB   20 GiB   50    1 hr ago
team-b  —    —       —        —     being removed
`);
});

test('tenant remove deletes a team only with --yes or after its name was typed', async () => {
  await using universe = await answering(answers);
  const refused = await universe.ctl(['tenant', 'remove', 'demo', 'team-a']);
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') as string });
  expect(universe.asked).toEqual([]);
  expect(await universe.ctl(['tenant', 'remove', 'demo', 'team-a', '--yes'])).toMatchObject({ exitCode: 0 });
  expect(universe.asked).toEqual([{ request: 'DELETE /v1/clusters/demo/tenants/team-a', body: undefined }]);
});
