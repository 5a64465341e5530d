import { expect, test } from 'vitest';
import { unitOf } from '../host/units.ts';
import { lxcfsService, memoryInUse, sizeMounts, staleTargets } from './size.ts';

const places = (sizeMounts() as { destination: string }[]).map(({ destination }) => destination);
const mounted = (device: string) => places.map((place) => ({ place, device }));

test('a machine whose files belong to the current lxcfs is left alone', () => {
  expect(staleTargets(mounted('0:50'), '0:50')).toEqual([]);
});

test('all files of a machine that belong to a killed lxcfs are replaced', () => {
  expect(staleTargets(mounted('0:50'), '0:51')).toEqual(places.filter((place) => place !== '/run/lxcfs'));
});

test('files replaced before an interruption are not replaced again', () => {
  const mounts = [...mounted('0:50'), { place: '/proc/meminfo', device: '0:51' }];
  expect(staleTargets(mounts, '0:51')).not.toContain('/proc/meminfo');
});

test('a machine booted without lxcfs gets none of its files', () => {
  expect(staleTargets([{ place: '/proc', device: '0:5' }], '0:50')).toEqual([]);
});

test('the systemd unit of lxcfs has its command on one line', () => {
  const [start = ''] = unitOf(lxcfsService()).match(/^ExecStart=.*$/gm) ?? [];
  expect(start).toMatch(/exec lxcfs --foreground .*"\/run\/nova\/lxcfs"$/);
});

test('used memory excludes the page cache, in cgroup v1 and v2', () => {
  const version1 = 'inactive_file 1\nactive_file 2\ntotal_inactive_file 300\ntotal_active_file 200\n';
  const version2 = 'anon 500\ninactive_file 300\nactive_file 200\nworkingset_refault_file 7\n';
  expect(memoryInUse('1000', version1)).toBe(500);
  expect(memoryInUse('1000\n', version2)).toBe(500);
});
