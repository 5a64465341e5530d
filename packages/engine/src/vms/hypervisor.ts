import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { attempt, run } from '@nova-platform/process';
import { namesIn } from '../files.ts';
import { imageOf } from '../images/build.ts';
import { mountTree } from '../images/mounts.ts';
import { hypervisorName } from '../images/recipes.ts';
import { vmsCgroup } from '../machines/devices.ts';
import { type Limits, runc } from '../machines/oci.ts';
import { hypervisorSeccompProfile } from '../machines/seccomp.ts';
import { paths } from '../paths.ts';

// The containers of QEMU and its tools: an unprivileged user in the read-only image `hypervisor`.

/** Where the files of a VM are in its container. */
export const inside = { base: '/nova/base', disks: '/nova/disks', run: '/nova/run' } as const;

interface Device {
  path: string;
  major: number;
  minor: number;
}

export const devices = {
  kvm: { path: '/dev/kvm', major: 10, minor: 232 },
  tun: { path: '/dev/net/tun', major: 10, minor: 200 },
} as const satisfies Record<string, Device>;

/** Devices that show nothing of the host: null, zero, full, random, urandom. */
const harmless = [3, 5, 7, 8, 9].map((minor) => ({ major: 1, minor }));

export interface Bind {
  source: string;
  destination: string;
  isReadOnly?: boolean;
}

export interface HypervisorOptions {
  root: string;
  args: readonly string[];
  uid: number;
  /** The name of its cgroup. */
  group: string;
  binds: readonly Bind[];
  /** Without one, it gets an empty network namespace. */
  netns?: string;
  devices?: readonly Device[];
  limits?: Limits;
}

export function hypervisorConfig({
  root,
  args,
  uid,
  group,
  binds,
  netns,
  devices: allowed = [],
  limits,
}: HypervisorOptions): object {
  const safe = ['nosuid', 'noexec', 'nodev'];
  return {
    ociVersion: '1.0.2',
    process: {
      terminal: false,
      user: { uid, gid: uid },
      args,
      env: ['PATH=/usr/bin:/bin'],
      cwd: '/',
      capabilities: { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] },
      noNewPrivileges: true,
    },
    root: { path: root, readonly: true },
    hostname: group,
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc', options: safe },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'noexec', 'mode=755', 'size=64k'] },
      ...binds.map(({ source, destination, isReadOnly }) => ({
        destination,
        type: 'bind',
        source,
        options: ['bind', 'rprivate', ...safe, isReadOnly ? 'ro' : 'rw'],
      })),
    ],
    linux: {
      cgroupsPath: `${vmsCgroup}/${group}`,
      resources: {
        devices: [
          { allow: false, access: 'rwm' },
          ...[...harmless, ...allowed].map(({ major, minor }) => ({
            allow: true,
            type: 'c',
            major,
            minor,
            access: 'rw',
          })),
        ],
        ...limits,
        pids: { limit: 1024 },
      },
      namespaces: [
        ...['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
        { type: 'network', ...(netns && { path: `/run/netns/${netns}` }) },
      ],
      seccomp: hypervisorSeccompProfile(),
      maskedPaths: ['acpi', 'interrupts', 'kcore', 'keys', 'latency_stats', 'sched_debug', 'scsi', 'timer_list'].map(
        (name) => `/proc/${name}`,
      ),
      readonlyPaths: ['bus', 'fs', 'irq', 'sys', 'sysrq-trigger'].map((name) => `/proc/${name}`),
      devices: allowed.map(({ path, major, minor }) => ({
        path,
        type: 'c',
        major,
        minor,
        fileMode: 0o600,
        uid,
        gid: uid,
      })),
    },
  };
}

/** The layers of the current hypervisor if it is built, otherwise of the one that the VM was created with. */
export async function hypervisorLayers(created: readonly string[]): Promise<readonly string[]> {
  return imageOf(hypervisorName).then(
    ({ layers }) => layers,
    () => created,
  );
}

const roots = join(paths.runtime, 'hypervisors');

/** The read-only root of all containers of a hypervisor. */
export async function hypervisorRoot(layers: readonly string[]): Promise<string> {
  const root = join(roots, basename(layers[0] ?? ''));
  if (await attempt('mountpoint', ['-q', root])) return root;
  await mkdir(root, { recursive: true });
  await mountTree(layers, root);
  return root;
}

export async function unmountHypervisors(): Promise<void> {
  for (const name of await namesIn(roots)) while (await attempt('umount', [join(roots, name)])) {}
}

const tools = join(paths.runtime, 'tools');

/** Ends tools that outlived a killed engine: they would keep disks open, and nothing needs their result. */
export async function endTools(): Promise<void> {
  for (const name of await namesIn(tools)) {
    await attempt('runc', runc('delete', '--force', name));
    await rm(join(tools, name), { recursive: true, force: true });
  }
}

export interface ToolOptions {
  /** The machine that it works for, one tool at a time. */
  machine: string;
  uid: number;
  hypervisor: readonly string[];
  binds: readonly Bind[];
}

/** Runs a tool of the hypervisor, such as qemu-img, as the user of a VM. It sees only the files that it is given. */
export async function runTool(
  args: readonly string[],
  { machine, uid, hypervisor, binds }: ToolOptions,
): Promise<string> {
  // Never the name of a machine.
  const name = `${machine}.tool`;
  const bundle = join(tools, name);
  await attempt('runc', runc('delete', '--force', name));
  await mkdir(bundle, { recursive: true });
  const root = await hypervisorRoot(hypervisor);
  const config = hypervisorConfig({ root, args, uid, group: name, binds });
  await writeFile(join(bundle, 'config.json'), JSON.stringify(config));
  try {
    return await run('runc', runc('run', '--bundle', bundle, name));
  } finally {
    await rm(bundle, { recursive: true, force: true });
  }
}
