import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import { availableParallelism, freemem, loadavg, networkInterfaces, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ipv4 } from '@nova-platform/api';
import type { HostFeatures } from '@nova-platform/contracts/engine';
import { attempt } from '@nova-platform/process';
import { paths } from '../paths.ts';
import { canCreateFileSystems } from '../storage/filesystem.ts';
import { hasKvm } from '../vms/kvm.ts';

/** Kernel features that clusters may need. */
const modules = {
  nftables: { option: 'CONFIG_NF_TABLES', module: 'nf_tables' },
  iptablesLegacy: { option: 'CONFIG_IP_NF_IPTABLES_LEGACY', module: 'ip_tables' },
  /** Debian's iptables, which translates rules to nftables. */
  iptablesNft: { option: 'CONFIG_NFT_COMPAT', module: 'nft_compat' },
  ipvs: { option: 'CONFIG_IP_VS', module: 'ip_vs' },
  bridgeNetfilter: { option: 'CONFIG_BRIDGE_NETFILTER', module: 'br_netfilter' },
  conntrack: { option: 'CONFIG_NF_CONNTRACK', module: 'nf_conntrack' },
} as const;

/** The resources and features that this host offers to machines; changes nothing. */
export async function hostFeatures(): Promise<HostFeatures> {
  const { bavail, blocks, bsize } = await statfs(paths.state);
  const config = await kernelConfig();
  const found = await Promise.all(
    Object.entries(modules).map(async ([name, each]) => [name, await hasModule(config, each)] as const),
  );
  return {
    processors: availableParallelism(),
    load: loadavg()[0] ?? 0,
    memory: { totalBytes: totalmem(), freeBytes: freemem() },
    disk: { totalBytes: blocks * bsize, freeBytes: bavail * bsize, canLimit: await canCreateFileSystems() },
    kernel: {
      release: release(),
      cgroupVersion: existsSync('/sys/fs/cgroup/cgroup.controllers') ? 2 : 1,
      ...(Object.fromEntries(found) as Record<keyof typeof modules, boolean>),
    },
    hasKvm: await hasKvm(),
    inotifyInstances: Number(await readFile('/proc/sys/fs/inotify/max_user_instances', 'utf8')),
    networks: ownNetworks(networkInterfaces()),
  };
}

/** Whether a module is built in, loaded or loadable. */
async function hasModule(config: string, { option, module }: { option: string; module: string }): Promise<boolean> {
  if (new RegExp(`^${option}=y$`, 'm').test(config) || existsSync(`/sys/module/${module}`)) return true;
  return attempt('modprobe', ['--dry-run', '--quiet', module]).catch(() => false);
}

async function kernelConfig(): Promise<string> {
  const packed = await readFile('/proc/config.gz').catch(() => undefined);
  if (packed) return (await promisify(gunzip)(packed)).toString();
  return readFile(`/boot/config-${release()}`, 'utf8').catch(() => '');
}

export function ownNetworks(interfaces: ReturnType<typeof networkInterfaces>): HostFeatures['networks'] {
  return Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ family, internal }) => family === 'IPv4' && !internal && !name.startsWith('nova'))
      .map(({ cidr }) => ({ name, network: ipv4.formatNetwork(ipv4.parseNetwork(cidr ?? '')) })),
  );
}
