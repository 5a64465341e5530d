import { expect, test } from 'vitest';
import { contentOf, manager, nodeInput } from '../testing.ts';
import { containerd } from './containerd.ts';

test('containerd has one endpoint for the registry, and it always uses the certificate of the node', () => {
  const path = `/etc/containerd/certs.d/${manager.registry}/hosts.toml`;
  const [, ...lines] = contentOf({ resources: containerd(nodeInput()) }, path)
    .trim()
    .split('\n');
  expect(lines.map((line) => line.split(' = ')[0])).toEqual(['server', 'capabilities', 'ca', 'client', '[host]']);
  expect(lines[0]).toBe(`server = "https://${manager.registry}"`);
  expect(lines[3]).toContain('certs/demo-main-1.pem');
});
