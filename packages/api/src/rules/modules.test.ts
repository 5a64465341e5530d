import { expect, test } from 'vitest';
import { describe } from '../problem.ts';
import { check, manifest, type Parts, problems } from '../testing.ts';

const modules = 'spec.clusterConfiguration.modules';

test.each<[promise: string, parts: Parts, problems: string[]]>([
  [
    'an unsupported Kubernetes version is refused',
    { config: 'kubernetesVersion: 1.0.0' },
    ['NOVA3010 spec.clusterConfiguration.kubernetesVersion 9:24 1.0.0'],
  ],
  [
    'an unknown module is refused',
    { config: 'modules: [{ name: metric-server }]' },
    [`NOVA3008 ${modules}[0].name 9:23 metric-server`],
  ],
  [
    'a base module cannot be disabled',
    { config: 'modules: [{ name: ingress, enabled: false }]' },
    [`NOVA3009 ${modules}[0].enabled 9:41 false`],
  ],
  ['an additional module can be disabled', { config: 'modules: [{ name: metrics-server, enabled: false }]' }, []],
  [
    'settings of a module are checked like fields of a document',
    { config: 'modules: [{ name: metrics-server, settings: { resolutionSeconds: 5 } }]' },
    [`NOVA2008 ${modules}[0].settings.resolutionSeconds 9:70 5`],
  ],
  [
    'modules that run on infra nodes require an infra node',
    { nodeGroups: '[{ name: a, roles: [control-plane] }, { name: b, roles: [infra], count: 0 }]' },
    ['NOVA3007 spec.nodeGroups 6:3 nodeGroups', 'NOVA3007 spec.nodeGroups 6:3 nodeGroups'],
  ],
  [
    'a declared module without its nodes is reported at its declaration',
    { nodeGroups: '[{ name: a, roles: [control-plane] }]', config: 'modules: [{ name: ingress }, { name: nova-dns }]' },
    [`NOVA3007 ${modules}[0].name 9:23 ingress`, `NOVA3007 ${modules}[1].name 9:42 nova-dns`],
  ],
  [
    'modules without delivery are refused',
    { config: 'delivery: none\nmodules: [{ name: metrics-server }, { name: local-path, enabled: false }]' },
    [`NOVA3009 ${modules}[1].enabled 10:70 false`, `NOVA3030 ${modules}[0].name 10:23 metrics-server`],
  ],
  [
    'a cluster without delivery needs no infra nodes',
    { nodeGroups: '[{ name: a, roles: [control-plane] }]', config: 'delivery: none' },
    [],
  ],
])('%s', (_, parts, expected) => {
  expect(problems(manifest(parts))).toEqual(expected);
});

test('the remedy suggests the nearest module', () => {
  const [found] = check(manifest({ config: 'modules: [{ name: metric-server }]' }));
  expect(found && describe(found, 'en').remedy).toMatch(
    /^Did you mean metrics-server\? Modules: local-path, ingress, nova-dns, .*metrics-server/,
  );
});
