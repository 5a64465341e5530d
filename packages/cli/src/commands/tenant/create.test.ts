import { expect, test } from 'vitest';
import { answering } from '../../testing/answers.ts';

const request = 'PUT /v1/clusters/demo/tenants/team-a';
const made = {
  tenant: 'team-a',
  objects: ['Namespace/team-a', 'ResourceQuota/team-a'],
  example: 'kind: GitRepository\n',
};

test('tenant create shows what the team would get, and creates nothing without confirmation', async () => {
  await using universe = await answering({ [request]: made });
  const shown = await universe.ctl(['tenant', 'create', 'demo', 'team-a', '--memory', '16Gi']);
  expect(shown.stdout).toMatchInlineSnapshot(`
    "The team team-a in demo gets:
      namespace and service account  team-a
      rights                         administrator of this namespace
      quota                          4 CPU, 16 GiB memory, 20 GiB volumes, 50 pods

    Nothing was created. Run the command with --yes to create the team.
    "
  `);
  expect(universe.asked).toEqual([]);
});

test('tenant create --yes creates the team and prints an example', async () => {
  await using universe = await answering({ [request]: made });
  const done = await universe.ctl(['tenant', 'create', 'demo', 'team-a', '--pods', '7', '--yes']);
  expect(done).toMatchObject({ exitCode: 0, stderr: '' });
  expect(done.stdout).toContain('✓ Namespace/team-a, ResourceQuota/team-a');
  expect(done.stdout).toContain('kind: GitRepository');
  expect(universe.asked).toEqual([{ request, body: { cpu: '4', memory: '8Gi', volumes: '20Gi', pods: 7 } }]);
});

test.each([
  ['--cpu', 'many'],
  ['--memory', '8GB'],
  ['--volumes', '-1Gi'],
  ['--pods', '0'],
  ['--pods', '1.5'],
])('tenant create rejects %s %s', async (flag, value) => {
  await using universe = await answering({ [request]: made });
  const { exitCode, stderr } = await universe.ctl(['tenant', 'create', 'demo', 'team-a', `${flag}=${value}`, '--yes']);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(flag) as string });
  expect(universe.asked).toEqual([]);
});
