import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The group above the groups of all machines. */
export const machinesCgroup = '/nova-machines';

/**
 * Devices that systemd, containerd and kubelet open. Nodes of others can be made and not opened: runc in a machine allows
 * its containers the same.
 */
const allowed: readonly { type: 'c' | 'b'; major?: number; minor?: number; access: string }[] = [
  { type: 'c', access: 'm' },
  { type: 'b', access: 'm' },
  ...[3, 5, 7, 8, 9].map((minor) => ({ type: 'c' as const, major: 1, minor, access: 'rwm' })), // null zero full random urandom
  { type: 'c', major: 1, minor: 11, access: 'rm' }, // kmsg: kubelet reads it
  ...[0, 1, 2].map((minor) => ({ type: 'c' as const, major: 5, minor, access: 'rwm' })), // tty console ptmx
  { type: 'c', major: 136, access: 'rwm' }, // pts
  { type: 'c', major: 10, minor: 200, access: 'rwm' }, // net/tun
  { type: 'c', major: 10, minor: 229, access: 'rwm' }, // fuse
];

/** For runc. */
export const deviceRules: readonly object[] = [
  { allow: false, access: 'rwm' },
  ...allowed.map((rule) => ({ allow: true, ...rule })),
];

/**
 * Limits the devices of all machines in the group above them. A machine's root can write to its own group, and there
 * allow whatever the group above allows. Control groups of version 1 only: in version 2 a program of runc decides.
 */
export function limitDevices(top = '/sys/fs/cgroup/devices'): void {
  if (!existsSync(join(top, 'devices.list')) && !existsSync(join(top, 'devices.allow'))) return;
  const group = join(top, machinesCgroup);
  mkdirSync(group, { recursive: true });
  // Without a pause in between: the first machine in the group makes this impossible.
  if (readFileSync(join(group, 'devices.list'), 'utf8').startsWith('a'))
    writeFileSync(join(group, 'devices.deny'), 'a');
  for (const { type, major = '*', minor = '*', access } of allowed)
    writeFileSync(join(group, 'devices.allow'), `${type} ${major}:${minor} ${access}`);
}
