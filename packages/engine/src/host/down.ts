import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ovirtUser } from '@nova-platform/contracts/ovirt';
import { attempt, run } from '@nova-platform/process';
import { removeBridgeLinks, Sdn } from '@nova-platform/sdn';
import { machinesCgroup, vmsCgroup } from '../machines/devices.ts';
import { drivers } from '../machines/drivers.ts';
import { ourNamespaces } from '../machines/namespaces.ts';
import { type MachineRecord, readMachines } from '../machines/record.ts';
import { unmountLxcfs } from '../machines/size.ts';
import { readNetworks } from '../networks.ts';
import { networkRoot, paths } from '../paths.ts';
import { endService, runningPid } from '../supervisor.ts';
import { endTools, unmountHypervisors } from '../vms/hypervisor.ts';
import { guardedNetworks } from './link.ts';
import { removeOvirtUser } from './ovirt.ts';
import { keptSite } from './site.ts';
import { stopUnits } from './units.ts';
import type { Progress } from './up.ts';

const services = [
  ovirtUser,
  'nova-lxcfs',
  'nova-controller',
  'nova-northd',
  'nova-vswitchd',
  'nova-southbound-db',
  'nova-northbound-db',
  'nova-vswitch-db',
];

/** Stops everything; recorded state stays, and `hostUp` restores it. */
export async function hostStop(progress: Progress): Promise<void> {
  await endAll(progress, ({ kind, name }) => drivers[kind].halt(name));
}

/** Removes everything of Nova from this host except build results; works even if nothing of it runs. */
export async function hostDown(progress: Progress): Promise<void> {
  await endAll(progress, ({ kind, name }) => drivers[kind].remove(name, async () => undefined));
  for (const folder of [paths.state, paths.logs]) await removeFolder(folder);
  await removeOvirtUser();
}

/** Removes built programs and images. They must not be in use. */
export async function removeBuilt(): Promise<void> {
  await removeFolder(paths.cache);
}

/** Removes a folder with its content. A folder that is a mount point is emptied and stays. */
async function removeFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EBUSY' && error.code !== 'ENOENT') throw error;
  });
}

async function endAll(progress: Progress, endMachine: (machine: MachineRecord) => Promise<void>): Promise<void> {
  await stopUnits();
  await endService('nova-supervisor');
  await endService('nova-engine');
  await endTools();
  const machines = await readMachines();
  if (machines.length > 0) progress(machines.length === 1 ? '1 machine' : `${machines.length} machines`);
  await Promise.all(machines.map(endMachine));
  for (const netns of await ourNamespaces()) await attempt('ip', ['netns', 'delete', netns]);

  progress('networks');
  const guarded = [...guardedNetworks(await keptSite()), ...(await readNetworks()).map(({ network }) => network)];
  // Only daemons without a supervisor still run here. Otherwise the links are removed below.
  if ((await runningPid('nova-vswitch-db')) !== undefined) {
    const sdn = new Sdn(networkRoot);
    await Promise.race([
      sdn.hostLinkDown({ guard: guarded }).catch(() => undefined),
      new Promise((wake) => setTimeout(wake, 3000)),
    ]);
    sdn.close();
  }
  for (const name of services) await endService(name);
  await removeBridgeLinks();
  for (const link of await ourLinks()) await attempt('ip', ['link', 'delete', link]);
  for (const network of guarded) while (await attempt('ip', ['route', 'delete', 'unreachable', network])) {}

  await unmountLxcfs();
  await unmountHypervisors();
  while (await attempt('umount', [networkRoot])) {}
  await rm(paths.runtime, { recursive: true, force: true });
  await removeEmptyCgroups();
}

async function ourLinks(): Promise<string[]> {
  const links = JSON.parse((await run('ip', ['-j', 'link', 'show'])) || '[]') as { ifname: string }[];
  return links.map(({ ifname }) => ifname).filter((name) => name.startsWith('nova'));
}

async function removeEmptyCgroups(): Promise<void> {
  const tops = ['/sys/fs/cgroup', ...(await readdir('/sys/fs/cgroup')).map((name) => `/sys/fs/cgroup/${name}`)];
  for (const top of tops)
    for (const name of ['nova', machinesCgroup, vmsCgroup])
      await attempt('find', [join(top, name), '-depth', '-type', 'd', '-delete']);
}
