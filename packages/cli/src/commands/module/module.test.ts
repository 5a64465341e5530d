import { changeOf } from '@nova-platform/change';
import type { Modules } from '@nova-platform/contracts/universe/client';
import type { ClusterPlan } from '@nova-platform/plan';
import { plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { answering } from '../../testing/answers.ts';

const russian = { LANG: 'ru_RU.UTF-8' };
const module = (name: string, change: Partial<Modules['modules'][number]>): Modules['modules'][number] => ({
  name,
  category: 'base',
  version: '1.0.0',
  needs: [],
  description: { en: name, ru: name },
  state: 'ready',
  ...change,
});

test('module list shows the state of each module, what it waits for and what was repaired', async () => {
  const repaired = { at: new Date(Date.now() - 125_000).toISOString(), objects: ['DaemonSet/nova-dns/nova-dns'] };
  await using universe = await answering({
    'GET /v1/clusters/demo/modules': {
      release: '0.1.0',
      modules: [
        module('ingress', { state: 'waiting', reason: 'Pod/nova-ingress/traefik: \u001b[31mImagePullBackOff' }),
        module('local-path', { state: 'failed', reason: 'no such path' }),
        module('nova-dns', { needs: ['ingress'], repaired }),
        module('metrics-server', { category: 'additional', state: 'off' }),
      ],
    } satisfies Modules,
  });
  const listed = await universe.ctl(['module', 'list', 'demo']);
  expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(listed.stdout).toMatchInlineSnapshot(`
    "demo · release 0.1.0

    MODULE          KIND        VERSION  NEEDS    STATE
    ingress         base        1.0.0    —        waiting: Pod/nova-ingress/traefik: ImagePullBackOff
    local-path      base        1.0.0    —        failed: no such path
    nova-dns        base        1.0.0    ingress  ready · reverted 2 min ago: DaemonSet/nova-dns/nova-dns
    metrics-server  additional  1.0.0    —        disabled
    "
  `);
  const { stdout } = await universe.ctl(['module', 'list', 'demo'], russian);
  for (const word of ['ожидает', 'сбой', 'выключен', 'дополнительный']) expect(stdout).toContain(word);
});

const current = plan();
/** Computed as on the server. */
const changeBetween = (from: ClusterPlan, to: ClusterPlan) =>
  changeOf({
    plan: to,
    current: from,
    isNew: false,
    documents: [],
    catalogs: [],
    observed: { machines: [], processors: 8, canLimitDisks: true, hasKvm: false },
    objects: { before: [], after: [] },
  });
const withMetrics = plan({ config: { modules: [{ name: 'metrics-server' }] } });

test.each([
  ['enable', true, current, withMetrics, '+ metrics-server: module'],
  ['disable', false, withMetrics, current, '! metrics-server: all objects of the module are deleted'],
] as const)('%s shows the changes, and does nothing without confirmation', async (verb, isOn, from, to, line) => {
  await using universe = await answering({
    'POST /v1/clusters/demo/modules/preview': {
      plan: to,
      change: changeBetween(from, to),
      digest: 'as-it-was-shown',
    },
  });
  const shown = await universe.ctl(['module', verb, 'demo', 'metrics-server']);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(shown.stdout).toContain(line);
  expect(shown.stdout).toContain('Nothing was changed.');
  expect(universe.asked).toEqual([
    { request: 'POST /v1/clusters/demo/modules/preview', body: { modules: { 'metrics-server': isOn } } },
  ]);
});
