import { expect, test } from 'vitest';
import { loadDocuments } from './documents.ts';
import type { Infrastructure } from './infrastructure.ts';
import { modules, modulesOf } from './modules.ts';
import { manifest } from './testing.ts';

const modulesWith = (config: string) => {
  const [document] = loadDocuments([{ name: 'cluster.yaml', text: manifest({ config }) }]).documents;
  return modulesOf(document?.value as Infrastructure).map(({ module, settings }) => [module.name, settings]);
};
const external = 'enable: true, forwardZones: [{ name: demo.nova.local, server: 10.0.0.1 }]';

test('every module comes after its dependencies', () => {
  for (const [index, { name, needs }] of modules.entries()) {
    const before = modules.slice(0, index).map((each) => each.name);
    expect(before).not.toContain(name);
    expect(needs.filter((need) => !before.includes(need))).toEqual([]);
  }
});

test('every module works without settings', () => {
  for (const { settings } of modules) expect(settings.safeParse({}).success).toBe(true);
});

test.each<[promise: string, config: string, modules: [string, object][]]>([
  [
    'a cluster gets the base modules',
    '',
    [
      ['local-path', {}],
      ['ingress', {}],
      ['nova-dns', {}],
    ],
  ],
  [
    'additional modules come after base modules, with the declared settings',
    'modules: [{ name: metrics-server, settings: { resolutionSeconds: 30 } }]',
    [
      ['local-path', {}],
      ['ingress', {}],
      ['nova-dns', {}],
      ['metrics-server', { resolutionSeconds: 30 }],
    ],
  ],
  [
    'a disabled module is omitted',
    'modules: [{ name: metrics-server, enabled: false }]',
    [
      ['local-path', {}],
      ['ingress', {}],
      ['nova-dns', {}],
    ],
  ],
  ['a cluster without delivery gets no modules', 'delivery: none', []],
  [
    'a cluster with external DNS does not get Nova DNS',
    `extraOptions: { dns: { customerDns: { ${external} } } }`,
    [
      ['local-path', {}],
      ['ingress', {}],
    ],
  ],
])('%s', (_, config, expected) => {
  expect(modulesWith(config)).toEqual(expected);
});
