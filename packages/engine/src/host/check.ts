import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import type { Text } from '@nova-platform/api';
import { attempt } from '@nova-platform/process';

import { canMountImages, formatProgram } from '../storage/filesystem.ts';
import { hasKvm } from '../vms/kvm.ts';

/** A requirement for running machines on this host. */
export interface Finding {
  what: Text;
  isThere: boolean;
  remedy: Text;
  /** Debian packages that provide it; `host up` installs them. */
  packages?: string[];
  /** Machines can run without it. */
  isOptional?: boolean;
}

const unlimited: Text = { en: 'disks of machines are not limited', ru: 'диски машин не ограничены' };

const programs: { command: string; packages: string[]; isOptional?: boolean; without?: Text }[] = [
  { command: 'ip', packages: ['iproute2'] },
  { command: 'runc', packages: ['runc'] },
  { command: 'conmon', packages: ['conmon'] },
  { command: 'lxcfs', packages: ['lxcfs'] },
  { command: 'mmdebstrap', packages: ['mmdebstrap'] },
  { command: 'ethtool', packages: ['ethtool'] },
  { command: 'script', packages: ['bsdutils'] },
  { command: 'chroot', packages: ['coreutils'] },
  { command: formatProgram, packages: ['xfsprogs'], isOptional: true, without: unlimited },
];

const neededMemory = 2 * 1024 ** 3;
const neededDisk = 8 * 1024 ** 3;

/** Checks the requirements of this host; changes nothing. */
export async function checkHost(): Promise<Finding[]> {
  const filesystems = await readFile('/proc/filesystems', 'utf8').catch(() => '');
  const { bavail, bsize } = await statfs('/var/lib');
  const kernel: [Text, boolean][] = [
    [
      { en: 'overlay file system', ru: 'файловая система overlay' },
      /\boverlay\b/.test(filesystems) || (await attempt('modprobe', ['--dry-run', 'overlay'])),
    ],
    [{ en: 'network namespaces', ru: 'сетевые пространства имён' }, existsSync('/proc/self/ns/net')],
    [{ en: 'process namespaces', ru: 'пространства имён процессов' }, existsSync('/proc/self/ns/pid')],
    [
      { en: 'control groups', ru: 'контрольные группы (cgroups)' },
      existsSync('/sys/fs/cgroup/memory') || existsSync('/sys/fs/cgroup/cgroup.controllers'),
    ],
    // lxcfs uses it to show machines their own size.
    [{ en: 'FUSE (/dev/fuse)', ru: 'FUSE (/dev/fuse)' }, existsSync('/dev/fuse')],
    [{ en: 'tun devices (/dev/net/tun)', ru: 'устройства tun (/dev/net/tun)' }, existsSync('/dev/net/tun')],
  ];
  return [
    {
      what: { en: 'root', ru: 'права root' },
      isThere: process.getuid?.() === 0,
      remedy: { en: 'run it as root, for example with sudo', ru: 'запустите с правами root, например через sudo' },
    },
    ...kernel.map(([what, isThere]) => ({
      what,
      isThere,
      remedy: { en: 'use a kernel that has it', ru: 'нужно ядро с этой возможностью' },
    })),
    {
      what: { en: 'memory (2 GiB)', ru: 'память (2 ГиБ)' },
      isThere: totalmem() >= neededMemory,
      remedy: { en: 'use a host with more memory', ru: 'нужен хост с большей памятью' },
    },
    {
      what: { en: 'disk (8 GiB free in /var/lib)', ru: 'диск (8 ГиБ свободно в /var/lib)' },
      isThere: bavail * bsize >= neededDisk,
      remedy: { en: 'free some space', ru: 'освободите место' },
    },
    {
      what: { en: 'disk limits (XFS, loop devices)', ru: 'ограничение дисков (XFS, loop-устройства)' },
      isThere: await canMountImages(),
      isOptional: true,
      remedy: {
        en: `${unlimited.en}: use a kernel that has both`,
        ru: `${unlimited.ru}: нужно ядро с этими возможностями`,
      },
    },
    {
      what: { en: 'KVM', ru: 'KVM' },
      isThere: await hasKvm(),
      isOptional: true,
      remedy: {
        en: 'VMs are emulated, which is about twenty times slower: switch on virtualization in the firmware, or nested virtualization if this host is a VM',
        ru: 'ВМ эмулируются, это примерно в двадцать раз медленнее: включите виртуализацию в прошивке, а если хост сам ВМ — вложенную виртуализацию',
      },
    },
    ...(await Promise.all(
      programs.map(async ({ command, without, ...rest }) => ({
        what: { en: command, ru: command },
        isThere: await attempt('sh', ['-c', 'command -v "$1"', 'check', command]),
        remedy: {
          en: `${without ? `${without.en}: ` : ''}nova-ctl host up installs ${rest.packages.join(', ')}`,
          ru: `${without ? `${without.ru}: ` : ''}nova-ctl host up установит ${rest.packages.join(', ')}`,
        },
        ...rest,
      })),
    )),
  ];
}
