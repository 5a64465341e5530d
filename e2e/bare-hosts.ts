import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execute, type Outcome } from './nova-ctl.ts';

// Machines of Debian that are not ours: a minimal system with sshd, in a network of its own.

const cache = '/var/cache/nova/hosts';
const releases = ['bookworm', 'trixie'] as const;
export type Release = (typeof releases)[number];
const site = { name: 'site', network: '10.130.0.0/24', gateway: '10.130.0.1' };
const universe = ['172.30.0.10', '172.30.0.2'];
const capabilities = `CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP SETFCAP LINUX_IMMUTABLE
NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_CHROOT SYS_PTRACE SYS_ADMIN SYS_NICE
SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SYSLOG BPF`;

const archiveOf = (release: Release) => join(cache, `bare-${release}.tar`);

/** Needs a Debian mirror. */
export async function prepareBareSystems(say: (line: string) => void): Promise<void> {
  await mkdir(cache, { recursive: true });
  for (const release of releases) {
    if (existsSync(archiveOf(release))) continue;
    say(`making a minimal system of ${release}`);
    const building = join(cache, `.building-${release}.tar`);
    const packages = 'systemd,systemd-sysv,dbus,openssh-server,iproute2';
    await done('mmdebstrap', '--variant=minbase', `--include=${packages}`, release, building);
    await rename(building, archiveOf(release));
  }
}

async function done(program: string, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await execute(program, args);
  if (exitCode !== 0) throw new Error(`${program} ${args.join(' ')} ends with ${exitCode}:\n${stderr}${stdout}`);
  return stdout;
}

/** A network that only this host connects with Universe. */
export async function createSite(): Promise<void> {
  const inSite = (...args: string[]) => done('ip', '-n', site.name, ...args);
  await done('ip', 'netns', 'add', site.name);
  await done('ip', 'link', 'add', 'site0', 'type', 'veth', 'peer', 'name', 'up0', 'netns', site.name);
  await done('ip', 'address', 'add', '192.0.2.1/30', 'dev', 'site0');
  await done('ip', 'link', 'set', 'site0', 'up');
  await inSite('address', 'add', '192.0.2.2/30', 'dev', 'up0');
  await inSite('link', 'set', 'up0', 'up');
  await inSite('link', 'add', 'br0', 'type', 'bridge');
  await inSite('address', 'add', `${site.gateway}/24`, 'dev', 'br0');
  await inSite('link', 'set', 'br0', 'up');
  await done('ip', 'route', 'add', site.network, 'via', '192.0.2.2');
  // Universe, and the address that its own connections have. There is no other route.
  for (const address of universe) await inSite('route', 'add', address, 'via', '192.0.2.1');
  for (const command of ['sysctl', 'ip netns exec site sysctl'])
    await done('sh', '-c', `${command} -qw net.ipv4.ip_forward=1`);
  await done('ethtool', '-K', 'site0', 'tx', 'off');
  await done('ip', 'netns', 'exec', site.name, 'ethtool', '-K', 'up0', 'tx', 'off');
}

export interface BareHost {
  name: string;
  address: string;
  /** Runs a script of root on the host. */
  sh: (script: string) => Promise<Outcome>;
  remove: () => Promise<void>;
}

/** Boots a machine, and waits until its services run. */
export async function bootHost(name: string, address: string, release: Release): Promise<BareHost> {
  const bundle = join('/var/lib/nova/bare', name);
  const root = join(bundle, 'rootfs');
  await mkdir(root, { recursive: true });
  await done('tar', '-xf', archiveOf(release), '--numeric-owner', '-C', root);
  await writeFile(join(root, 'etc/hostname'), `${name}\n`);
  await writeFile(join(root, 'etc/hosts'), `127.0.0.1 localhost\n127.0.1.1 ${name}\n10.130.0.200 printer # ours\n`);
  await writeFile(join(root, 'etc/machine-id'), '');
  await connect(name, address);
  await writeFile(join(bundle, 'config.json'), JSON.stringify(configOf(name)));
  const console_ = join(bundle, 'console');
  await done('sh', '-c', `runc run --detach --bundle ${bundle} ${name} </dev/null >${console_} 2>&1`);
  const sh = (script: string) => execute('runc', ['exec', name, '/bin/sh', '-c', script]);
  for (let left = 300; left > 0; left -= 1) {
    const { stdout } = await sh('systemctl is-system-running 2>/dev/null');
    if (/running|degraded/.test(stdout)) break;
    if (left === 1) throw new Error(`${name} does not boot: ${stdout}`);
    await sleep(200);
  }
  const remove = async () => {
    await execute('runc', ['delete', '--force', name]);
    await execute('ip', ['netns', 'delete', name]);
  };
  return { name, address, sh, remove };
}

async function connect(name: string, address: string): Promise<void> {
  const inside = (...args: string[]) => done('ip', '-n', name, ...args);
  const port = `p${address.split('.').at(-1)}`;
  await done('ip', 'netns', 'add', name);
  await done('ip', '-n', site.name, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  await done('ip', '-n', site.name, 'link', 'set', port, 'master', 'br0', 'up');
  await inside('address', 'add', `${address}/24`, 'dev', 'eth0');
  await inside('link', 'set', 'eth0', 'up');
  await inside('link', 'set', 'lo', 'up');
  for (const each of universe) await inside('route', 'add', each, 'via', site.gateway);
  await done('ip', 'netns', 'exec', name, 'ethtool', '-K', 'eth0', 'tx', 'off');
}

function configOf(name: string): object {
  const granted = capabilities.split(/\s+/).map((each) => `CAP_${each}`);
  const mount = (destination: string, type: string, ...options: string[]) => ({
    destination,
    type,
    source: type,
    options,
  });
  return {
    ociVersion: '1.0.2',
    process: {
      terminal: false,
      user: { uid: 0, gid: 0 },
      args: ['/sbin/init'],
      env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'container=other'],
      cwd: '/',
      capabilities: { bounding: granted, effective: granted, permitted: granted },
    },
    root: { path: 'rootfs' },
    hostname: name,
    mounts: [
      mount('/proc', 'proc'),
      mount('/dev', 'tmpfs', 'nosuid', 'mode=755', 'size=65536k'),
      mount('/dev/pts', 'devpts', 'nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5'),
      mount('/dev/shm', 'tmpfs', 'nosuid', 'noexec', 'nodev', 'mode=1777'),
      mount('/dev/mqueue', 'mqueue', 'nosuid', 'noexec', 'nodev'),
      mount('/sys', 'sysfs', 'nosuid', 'noexec', 'nodev', 'rw'),
      mount('/sys/fs/cgroup', 'cgroup', 'nosuid', 'noexec', 'nodev', 'rw'),
      mount('/run', 'tmpfs', 'nosuid', 'nodev', 'mode=755'),
      mount('/tmp', 'tmpfs', 'nosuid', 'nodev', 'mode=1777'),
    ],
    linux: {
      cgroupsPath: `/nova-bare/${name}`,
      resources: { devices: [{ allow: true, access: 'rwm' }] },
      namespaces: [
        ...['pid', 'ipc', 'uts', 'mount', 'cgroup'].map((type) => ({ type })),
        { type: 'network', path: `/run/netns/${name}` },
      ],
      rootfsPropagation: 'shared',
      devices: [{ path: '/dev/kmsg', type: 'c', major: 1, minor: 11, fileMode: 0o644, uid: 0, gid: 0 }],
    },
  };
}
