import { infrastructure, kindSchema } from '@nova-platform/api';
import { expect, test } from 'vitest';
import { completionsAt, descriptionAt, pathAbove } from './yaml-schema.ts';

const schema = kindSchema(infrastructure);
const above = `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
spec:
  # Groups of equal nodes.
  nodeGroups:
    - name: main
      roles: [worker]
  clusterConfiguration:
    dnsBaseDomain: demo.nova.local`.split('\n');

test('the path of a line follows from the lines above it', () => {
  expect(pathAbove(above, 4)).toEqual(['spec', 'clusterConfiguration']);
  expect(pathAbove(above, 2)).toEqual(['spec']);
  expect(pathAbove(above, 0)).toEqual([]);
  expect(pathAbove(above.slice(0, 7), 6)).toEqual(['spec', 'nodeGroups']);
  expect(pathAbove([...above, '---', 'kind: Proxy', 'spec:'], 2)).toEqual(['spec']);
});

test('completion offers fields and values with their descriptions', () => {
  const fields = completionsAt(schema, above, '    kube', 'en');
  expect(fields?.word).toBe('kube');
  expect(fields?.options.map(({ label }) => label)).toContain('kubeProxyMode');
  const modes = completionsAt(schema, above, '    kubeProxyMode: ', 'ru');
  expect(modes?.options.map(({ label, detail }) => label + detail)).toEqual(['nftables✓', 'iptables', 'ipvs']);
  const group = completionsAt(schema, above.slice(0, 7), '      mem', 'en');
  expect(group?.options.find(({ label }) => label === 'memory')).toMatchObject({ apply: 'memory: ' });
  expect(completionsAt(schema, above, '    nothing: ', 'en')).toBeUndefined();
});

test('completion omits values that are not supported yet', () => {
  const providers = completionsAt(schema, ['spec:', '  provider:'], '    type: ', 'en');
  expect(providers?.options.map(({ label }) => label)).toEqual(['local', 'existing']);
});

test('a field has a description in both languages', () => {
  expect(descriptionAt(schema, above, '    cni: basic', 'en')).toContain('Pod networking.');
  expect(descriptionAt(schema, above, '    cni: basic', 'ru')).toContain('Сеть подов.');
  expect(descriptionAt(schema, above, '    # cni', 'en')).toBeUndefined();
});
