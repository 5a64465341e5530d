import { problem } from '@nova-platform/api';
import { expect, test } from 'vitest';
import type { Finding } from '../../api/client.ts';
import { findingsOf } from './node-findings.ts';

const finding = (...chain: Finding['chain']): Finding => ({ severity: 'error', chain });
const etcd = finding(
  problem('NOVA8361', { healthy: 1, total: 2, node: 'demo-main-1', meaning: '' }),
  problem('NOVA8354', { node: 'demo-main-2' }),
);
const pressure = finding(problem('NOVA8367', { object: 'Node/demo-main-1', reason: 'MemoryPressure', message: '' }));
const module = finding(problem('NOVA8370', { module: 'ingress', reason: '', cluster: 'demo' }));

test('a node has the findings that name it anywhere in their chain', () => {
  const all = [etcd, pressure, module];
  expect(findingsOf(all, 'demo-main-1')).toEqual([etcd, pressure]);
  expect(findingsOf(all, 'demo-main-2')).toEqual([etcd]);
  // A part of a name is another node.
  expect(findingsOf(all, 'demo-main')).toEqual([]);
});
