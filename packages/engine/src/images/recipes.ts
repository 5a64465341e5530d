import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineKind } from '@nova-platform/contracts/engine';
import { distroFolder, pinOf } from '@nova-platform/distro';
import { bundleFolder } from '../bundle.ts';
import { guestFiles } from './guest-files.ts';
import { treeDigest } from './tree.ts';
import { universeFiles } from './universe-units.ts';

/** The recipe of an image. The image's digest is derived from it and from the recipes below. */
export interface Recipe {
  name: string;
  /** The kind of its machines; `container` if not given. */
  kind?: MachineKind;
  /** The image below; without one, Debian's minimal system. */
  on?: string;
  packages: string[];
  /** Services of these packages that a machine does not start by itself. */
  disabled?: string[];
  /** `{name}` in the content is replaced by the version of that component. */
  files: { path: string; mode: number; content: string }[];
  /** Our components; each is installed below `/opt/nova` in a folder with its version. */
  components?: string[];
  /** Folders of this host. */
  trees?: { from: () => string; to: string }[];
  /** Single programs of this host, identified by version: they are too large to hash every time. */
  programs?: { from: () => string; to: string; version: string }[];
}

const debian = 'trixie';
const hostKey = '/etc/ssh/ssh_host_ed25519_key';
const sshd = `HostKey ${hostKey}
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
`;

export const hypervisorName = 'hypervisor';

/** What a VM has besides a container: a kernel, and what manages its hardware. */
const guest: Pick<Recipe, 'packages' | 'files'> = {
  packages: ['linux-image-cloud-amd64', 'busybox-static', 'udev', 'e2fsprogs', 'qemu-guest-agent'],
  files: guestFiles,
};

export const recipes: readonly Recipe[] = [
  {
    name: 'base',
    packages: [
      'systemd',
      'systemd-sysv',
      'dbus',
      'iproute2',
      'iputils-ping',
      'ca-certificates',
      'ethtool',
      'procps',
      'kmod',
      'netbase',
    ],
    files: [
      {
        path: '/etc/systemd/journald.conf.d/nova.conf',
        mode: 0o644,
        content: '[Journal]\nStorage=persistent\nSystemMaxUse=64M\nReadKMsg=no\n',
      },
      // A container manages no clock, kernel or hardware and has no seat to log in at. A VM has all of them.
      ...[
        'systemd-timesyncd.service',
        'systemd-udevd.service',
        'systemd-modules-load.service',
        'dev-hugepages.mount',
        'sys-kernel-debug.mount',
        'sys-kernel-tracing.mount',
        'console-getty.service',
        'systemd-logind.service',
        'sys-fs-fuse-connections.mount',
      ].map((unit) => ({
        path: `/etc/systemd/system/${unit}.d/nova.conf`,
        mode: 0o644,
        content: '[Unit]\nConditionVirtualization=!container\n',
      })),
      // Packages come with the image.
      ...['apt-daily.timer', 'apt-daily-upgrade.timer', 'dpkg-db-backup.timer'].map((unit) => ({
        path: `/etc/systemd/system/${unit}.d/nova.conf`,
        mode: 0o644,
        content: '[Unit]\nConditionPathExists=/nonexistent\n',
      })),
      // If these files are older than /usr, a boot rebuilds caches (ld.so, journal catalog) that the packages have built.
      ...['/etc/.updated', '/var/.updated'].map((path) => ({ path, mode: 0o644, content: '' })),
    ],
  },
  {
    name: 'node',
    on: 'base',
    packages: [
      'openssh-server',
      'sudo',
      'puppet-agent',
      'containerd',
      'containernetworking-plugins',
      'nftables',
      'iptables',
      'ipset',
      'conntrack',
      'socat',
      'curl',
      'bind9-dnsutils',
      'netcat-openbsd',
    ],
    files: [
      {
        path: '/etc/systemd/system/ssh.service.d/nova.conf',
        mode: 0o644,
        // A single ed25519 key: generating an RSA key takes a large part of the boot time. Login requires a key, so the
        // server starts only if there are authorized keys.
        content: `[Unit]
ConditionPathExistsGlob=|/root/.ssh/authorized_keys
ConditionPathExistsGlob=|/home/*/.ssh/authorized_keys

[Service]
ExecStartPre=
ExecStartPre=/bin/sh -c 'test -s ${hostKey} || { rm -f ${hostKey}; ssh-keygen -q -t ed25519 -N "" -f ${hostKey}; }'
ExecStartPre=/usr/sbin/sshd -t
`,
      },
      { path: '/etc/ssh/sshd_config.d/nova.conf', mode: 0o644, content: sshd },
    ],
    // Started when the node is configured.
    disabled: ['containerd.service', 'puppet.service'],
  },
  // Programs that a cluster node runs before it can pull an image.
  { name: 'kubernetes-node', on: 'node', packages: [], files: [], components: ['kubernetes', 'etcd'] },
  {
    name: 'universe-base',
    on: 'base',
    packages: ['git', 'curl'],
    files: [],
    components: ['distribution', 'coredns', 'opentofu'],
    programs: [{ from: () => realpathSync(process.execPath), to: '/opt/nova/node/bin/node', version: process.version }],
  },
  // Our own code is a separate layer, because it changes most often.
  {
    name: 'universe',
    on: 'universe-base',
    packages: [],
    files: universeFiles,
    trees: [{ from: bundleFolder, to: '/opt/nova/platform' }],
  },
  // The same nodes with a kernel of their own.
  { name: 'vm', kind: 'vm', on: 'node', ...guest },
  { name: 'kubernetes-vm', kind: 'vm', on: 'kubernetes-node', ...guest },
  // Runs VMs; the folders are where the engine mounts their files.
  {
    name: hypervisorName,
    on: 'base',
    packages: ['qemu-system-x86', 'qemu-utils', 'e2fsprogs'],
    files: ['base', 'disks', 'run'].map((folder) => ({ path: `/nova/${folder}/.mount`, mode: 0o644, content: '' })),
  },
  { name: 'network', on: 'base', packages: ['openvswitch-switch', 'ovn-central', 'ovn-host'], files: [] },
];

export function recipeOf(name: string): Recipe | undefined {
  return recipes.find((recipe) => recipe.name === name);
}

/** The recipes of an image from the bottom up. */
export function stack(recipe: Recipe): Recipe[] {
  const below = recipe.on === undefined ? undefined : recipeOf(recipe.on);
  return below ? [...stack(below), recipe] : [recipe];
}

/** The time of the last package update of each recipe, by name. */
export type Generations = Record<string, string>;

/** The same recipes and generations give the same digest. */
export function digestOf(recipe: Recipe, generations: Generations = {}): string {
  const recipesBelow = stack(recipe);
  const updated = recipesBelow.flatMap(({ name }) => generations[name] ?? []);
  return createHash('sha256')
    .update(JSON.stringify([debian, ...recipesBelow, ...recipesBelow.flatMap(pinsOf), ...updated]))
    .digest('hex')
    .slice(0, 16);
}

function pinsOf({ components = [], trees = [] }: Recipe): string[] {
  return [
    ...components.map((component) => pinOf(join(distroFolder(), component))),
    ...trees.map(({ from }) => treeDigest(from())),
  ];
}

export const suite: string = debian;
