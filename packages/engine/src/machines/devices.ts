import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The parent cgroup of all container machines. */
export const machinesCgroup = '/nova-machines';
/** The parent cgroup of all VMs. Apart, because containers can open every device that their parent cgroup allows. */
export const vmsCgroup = '/nova-vms';

/**
 * Devices that systemd, containerd and kubelet open. Nodes of other devices can be created but not opened, because runc
 * in a machine allows its containers the same.
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

/** Device rules of the OCI configuration. */
export const deviceRules: readonly object[] = [
  { allow: false, access: 'rwm' },
  ...allowed.map((rule) => ({ allow: true, ...rule })),
];

/**
 * Limits the devices of all machines in their parent cgroup. Root in a machine can write to its own cgroup, and allow
 * there everything that the parent allows. Only for cgroup v1: in v2 runc attaches a BPF program.
 */
export function limitDevices(top = '/sys/fs/cgroup/devices'): void {
  if (!existsSync(join(top, 'devices.list')) && !existsSync(join(top, 'devices.allow'))) return;
  const group = join(top, machinesCgroup);
  mkdirSync(group, { recursive: true });
  // Synchronously: once there is a machine in the group, this is impossible.
  if (readFileSync(join(group, 'devices.list'), 'utf8').startsWith('a'))
    writeFileSync(join(group, 'devices.deny'), 'a');
  for (const { type, major = '*', minor = '*', access } of allowed)
    writeFileSync(join(group, 'devices.allow'), `${type} ${major}:${minor} ${access}`);
}
