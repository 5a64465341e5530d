import { expect, test } from 'vitest';
import { currentRecord } from './record.ts';

const size = { cpu: 1, memoryMebibytes: 128 };
const rest = {
  name: 'm1',
  hostname: 'm1',
  image: { name: 'node', digest: 'x', layers: [] },
  ...size,
  machineId: '0'.repeat(32),
  cloudConfig: { ssh_authorized_keys: [], users: [], write_files: [] },
  wanted: 'running' as const,
};
const card = { network: 'lab', address: '10.30.0.10', mac: '0a:00:0a:1e:00:0a' };

test('a record of an older release is read as a container with its network card', () => {
  expect(currentRecord({ ...rest, ...card })).toEqual({ ...rest, kind: 'container', card });
  expect(currentRecord({ ...rest, ...card, allowedNetworks: ['10.1.0.0/16'] }).card).toEqual({
    ...card,
    allowedNetworks: ['10.1.0.0/16'],
  });
});

test('a current record is read as it is, also without a network card', () => {
  const record = { ...rest, kind: 'container' as const };
  expect(currentRecord(record)).toBe(record);
});
