import { runcRoot } from '../paths.ts';
import { type AttachedDisk, fileSystemOf } from '../storage/disks.ts';
import { volumeFolder } from '../volumes.ts';
import { deviceRules, machinesCgroup } from './devices.ts';
import type { MachineRecord } from './record.ts';
import { seccompProfile } from './seccomp.ts';

/**
 * Capabilities of a machine that boots systemd and runs Kubernetes. Excluded: time, kernel modules, raw I/O, rebooting
 * the host, opening files by handle. SYS_RESOURCE is granted only if the host itself has it.
 */
const capabilities = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'SETGID',
  'SETUID',
  'SETPCAP',
  'SETFCAP',
  'LINUX_IMMUTABLE',
  'NET_BIND_SERVICE',
  'NET_BROADCAST',
  'NET_ADMIN',
  'NET_RAW',
  'IPC_LOCK',
  'IPC_OWNER',
  'SYS_CHROOT',
  'SYS_PTRACE',
  'SYS_ADMIN',
  'SYS_NICE',
  'SYS_TTY_CONFIG',
  'MKNOD',
  'LEASE',
  'AUDIT_WRITE',
  'AUDIT_CONTROL',
  'SYSLOG',
  'BPF',
];
const sysResource = 24;

/** Files of the whole host that a machine does not need. */
const maskedPaths = [
  ...['acpi', 'asound', 'interrupts', 'kcore', 'keys', 'latency_stats', 'sched_debug', 'scsi', 'timer_list'].map(
    (name) => `/proc/${name}`,
  ),
  ...['firmware', 'kernel/debug', 'kernel/security', 'kernel/tracing', 'devices/virtual/powercap'].map(
    (name) => `/sys/${name}`,
  ),
];

/** Settings of the whole host. Those that kubelet and kube-proxy write stay writable: net, some of vm, kernel.panic. */
const readonlyPaths = [
  ...['bus', 'fs', 'irq', 'sysrq-trigger'].map((name) => `/proc/${name}`),
  ...['abi', 'debug', 'dev', 'fs/binfmt_misc'].map((name) => `/proc/sys/${name}`),
  ...['protected_fifos', 'protected_hardlinks', 'protected_regular', 'protected_symlinks', 'suid_dumpable'].map(
    (name) => `/proc/sys/fs/${name}`,
  ),
  ...[
    'cad_pid',
    'core_pattern',
    'core_pipe_limit',
    'core_uses_pid',
    'dmesg_restrict',
    'ftrace_dump_on_oops',
    'hotplug',
    'kexec_load_disabled',
    'kptr_restrict',
    'modprobe',
    'modules_disabled',
    'perf_event_paranoid',
    'poweroff_cmd',
    'printk',
    'randomize_va_space',
    'sysrq',
    'unprivileged_bpf_disabled',
    'usermodehelper',
    'yama',
  ].map((name) => `/proc/sys/kernel/${name}`),
  ...['drop_caches', 'mmap_min_addr', 'oom_dump_tasks'].map((name) => `/proc/sys/vm/${name}`),
];

/** Folders that must not be on an overlay, because they contain overlays themselves. */
export const dataFolders = ['containerd', 'kubelet', 'etcd'] as const;

/** Limits of a machine's cgroup: CPU time in microseconds, memory in bytes. */
export interface Limits {
  memory: { limit: number };
  cpu: { quota: number; period: number };
}

export function limitsOf({ cpu, memoryMebibytes }: Pick<MachineRecord, 'cpu' | 'memoryMebibytes'>): Limits {
  return { memory: { limit: memoryMebibytes * 1024 ** 2 }, cpu: { quota: cpu * 100_000, period: 100_000 } };
}

export interface OciOptions {
  record: MachineRecord;
  netns: string;
  /** The folder on the host that contains the data folders. */
  dataRoot: string;
  /** The host's own capabilities, from /proc. */
  hostCapabilities: bigint;
  /** Additional disks, mounted on the host. */
  disks: readonly AttachedDisk[];
  /** Mounts that show the machine its own size, and the slots of its disks. */
  ownMounts: readonly object[];
}

export function ociConfig({ record, netns, dataRoot, hostCapabilities, disks, ownMounts }: OciOptions): object {
  const hasSysResource = ((hostCapabilities >> BigInt(sysResource)) & 1n) === 1n;
  const granted = [...capabilities, ...(hasSysResource ? ['SYS_RESOURCE'] : [])].map((name) => `CAP_${name}`);
  const tmpfs = (destination: string, ...options: string[]) => ({
    destination,
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'nodev', ...options],
  });
  const safe = ['nosuid', 'noexec', 'nodev'];
  const bind = (source: string, destination: string) => ({
    destination,
    type: 'bind',
    source,
    // Shared inside the machine, for kubelet, but not with the host: mounts of the machine do not appear there.
    options: ['rbind', 'rw', 'rprivate', 'rshared'],
  });
  const { volumes = [] } = record;
  return {
    ociVersion: '1.0.2',
    process: {
      // The console of systemd; conmon holds the other end.
      terminal: true,
      user: { uid: 0, gid: 0 },
      args: ['/sbin/init'],
      env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'container=nova', 'TERM=xterm'],
      cwd: '/',
      capabilities: { bounding: granted, effective: granted, permitted: granted },
      noNewPrivileges: false,
    },
    root: { path: 'rootfs' },
    hostname: record.hostname,
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=65536k'] },
      {
        destination: '/dev/pts',
        type: 'devpts',
        source: 'devpts',
        options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5'],
      },
      { destination: '/dev/shm', type: 'tmpfs', source: 'shm', options: [...safe, 'mode=1777', 'size=65536k'] },
      { destination: '/dev/mqueue', type: 'mqueue', source: 'mqueue', options: safe },
      { destination: '/sys', type: 'sysfs', source: 'sysfs', options: [...safe, 'ro'] },
      { destination: '/sys/fs/cgroup', type: 'cgroup', source: 'cgroup', options: [...safe, 'rw'] },
      tmpfs('/run', 'mode=755'),
      tmpfs('/tmp', 'mode=1777'),
      ...dataFolders.map((name) => bind(`${dataRoot}/${name}`, `/var/lib/${name}`)),
      // Nested ones are mounted after their parents.
      ...[
        ...volumes.map(({ name, path }) => ({ source: volumeFolder(name), path })),
        ...disks.map((disk) => ({ source: fileSystemOf(disk).place, path: disk.attachment.path ?? '' })),
      ]
        .toSorted((a, b) => a.path.localeCompare(b.path))
        .map(({ source, path }) => bind(source, path)),
      ...ownMounts,
    ],
    linux: {
      cgroupsPath: `${machinesCgroup}/${record.name}`,
      resources: {
        devices: deviceRules,
        ...limitsOf(record),
        pids: { limit: 16_384 },
      },
      namespaces: [
        ...['pid', 'ipc', 'uts', 'mount', 'cgroup'].map((type) => ({ type })),
        { type: 'network', path: `/run/netns/${netns}` },
      ],
      seccomp: seccompProfile(),
      maskedPaths,
      readonlyPaths,
      rootfsPropagation: 'shared',
      devices: [{ path: '/dev/kmsg', type: 'c', major: 1, minor: 11, fileMode: 0o644, uid: 0, gid: 0 }],
    },
  };
}

export const runc = (...args: string[]): string[] => ['--root', runcRoot, ...args];
