import { expect, test } from 'vitest';
import { answering } from '../../testing/answers.ts';

const operation = {
  id: 17,
  kind: 'cluster.change',
  title: { en: 'Add demo-work-1', ru: 'Добавить demo-work-1' },
  lock: 'demo',
  state: 'done',
  isCancelling: false,
  requestedBy: 'ann',
  createdAt: '2026-01-31T10:00:00.000Z',
  endedAt: '2026-01-31T10:01:00.000Z',
  steps: [{ name: 'approve', title: { en: 'Approve', ru: 'Утвердить' }, state: 'done', attempts: 1 }],
};
const change = {
  cluster: 'demo',
  isNew: false,
  documents: [{ name: 'spec.nodeGroups.work.count', before: 0, after: 1 }],
  machines: [
    {
      name: 'demo-work-1',
      address: '10.0.0.5',
      isControlPlane: false,
      action: 'create',
      size: { cpu: 2, memory: '4Gi', disk: '20Gi' },
      isDiskEnforced: true,
    },
  ],
  catalogs: [],
  items: [],
  disruptions: [],
};

test('operation show has the approved change before the steps', async () => {
  await using universe = await answering({
    'GET /v1/operations/17': operation,
    'GET /v1/operations/17/change': { change },
  });
  const { stdout } = await universe.ctl(['operation', 'show', '17']);
  expect(stdout).toMatch(
    /^17 · Add demo-work-1 [\s\S]*\n\nMachines\n {2}\+ demo-work-1: 2 CPU, 4 GiB memory, 20 GiB disk\n\n/,
  );
  expect(stdout.indexOf('Machines')).toBeLessThan(stdout.indexOf('Approve'));
  expect(JSON.parse((await universe.ctl(['operation', 'show', '17', '-o', 'json'])).stdout)).toMatchObject({
    id: 17,
    change: { machines: [{ name: 'demo-work-1', action: 'create' }] },
  });
});

test('operation show of an operation without a change shows only its steps', async () => {
  await using universe = await answering({ 'GET /v1/operations/17': operation, 'GET /v1/operations/17/change': {} });
  expect((await universe.ctl(['operation', 'show', '17'])).stdout).not.toContain('Machines');
});
