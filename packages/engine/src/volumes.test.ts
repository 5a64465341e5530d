import { expect, test } from 'vitest';
import type { MachineRecord } from './machines/record.ts';
import { volumeProblems } from './volumes.ts';

const record: MachineRecord = {
  name: 'holder',
  kind: 'container',
  hostname: 'holder',
  image: { name: 'node', digest: 'x', layers: [] },
  card: { network: 'lab', address: '10.30.0.10', mac: '0a:00:0a:1e:00:0a' },
  cpu: 1,
  memoryMebibytes: 128,
  machineId: '0'.repeat(32),
  cloudConfig: { ssh_authorized_keys: [], users: [], write_files: [] },
  volumes: [{ name: 'taken', path: '/data' }],
  wanted: 'gone',
};
// A record from a release without volumes.
const { volumes: _none, ...old } = record;

const refused = (...volumes: { name: string; path: string }[]) =>
  volumeProblems('new', volumes, [old, record]).map(
    ({ code, params }) => `${code} ${JSON.stringify(params.path ?? params.machine)}`,
  );

test('a volume is mounted once, in one machine, until that machine is deleted completely', () => {
  expect(refused({ name: 'free', path: '/var/lib/nova' })).toEqual([]);
  expect(refused({ name: 'taken', path: '/data' })).toEqual(['NOVA7041 "holder"']);
  expect(refused({ name: 'free', path: '/a' }, { name: 'free', path: '/b' })).toEqual(['NOVA7041 "new"']);
  expect(refused({ name: 'free', path: '/a' }, { name: 'other', path: '/a' })).toEqual(['NOVA7042 "/a"']);
});

test.for([
  '/',
  '/data/',
  '/a//b',
  '/a/../etc',
  '/a/.',
  'data',
  '',
  '/proc',
  '/proc/sys',
  '/sys/fs',
  '/dev/x',
  '/run/x',
])('a volume cannot be mounted at %j', (path) => {
  expect(refused({ name: 'free', path })).toEqual([`NOVA7042 ${JSON.stringify(path)}`]);
});

test('a path that only starts like a forbidden one is allowed', () => {
  expect(refused({ name: 'free', path: '/running' }, { name: 'other', path: '/srv/run' })).toEqual([]);
});
