import { readdir, rm } from 'node:fs/promises';
import { attempt, run } from '@nova-platform/process';
import { removeBridgeLinks, Sdn } from '@nova-platform/sdn';
import { netnsOf, ourNamespaces } from '../engine.ts';
import { readMachines } from '../machines/record.ts';
import { runcDriver } from '../machines/runc.ts';
import { readNetworks } from '../networks.ts';
import { networkRoot, paths } from '../paths.ts';
import { endService } from '../supervisor.ts';
import { guardedNetworks } from './link.ts';
import { stopUnits } from './units.ts';
import type { Progress } from './up.ts';

const services = [
  'nova-controller',
  'nova-northd',
  'nova-vswitchd',
  'nova-southbound-db',
  'nova-northbound-db',
  'nova-vswitch-db',
];

/** Removes everything of ours from this box but the built images; needs nothing of it to work. */
export async function hostDown(progress: Progress): Promise<void> {
  await stopUnits();
  await endService('nova-supervisor');
  await endService('nova-engine');
  const machines = await readMachines();
  if (machines.length > 0) progress(`${machines.length} machines`);
  await Promise.all(
    machines.map(({ name }) =>
      runcDriver.remove(name, async () => void (await attempt('ip', ['netns', 'delete', netnsOf(name)]))),
    ),
  );
  for (const netns of await ourNamespaces()) await attempt('ip', ['netns', 'delete', netns]);

  progress('networks');
  const guarded = [...guardedNetworks, ...(await readNetworks()).map(({ network }) => network)];
  const sdn = new Sdn(networkRoot);
  // The daemons may be gone; then their links are removed below.
  await Promise.race([
    sdn.hostLinkDown({ guard: guarded }).catch(() => undefined),
    new Promise((wake) => setTimeout(wake, 3000)),
  ]);
  sdn.close();
  for (const name of services) await endService(name);
  await removeBridgeLinks();
  for (const link of await ourLinks()) await attempt('ip', ['link', 'delete', link]);
  for (const network of guarded) while (await attempt('ip', ['route', 'delete', 'unreachable', network])) {}

  while (await attempt('umount', [networkRoot])) {}
  for (const folder of [paths.state, paths.runtime, paths.logs]) await rm(folder, { recursive: true, force: true });
  await removeEmptyCgroups();
}

async function ourLinks(): Promise<string[]> {
  const links = JSON.parse((await run('ip', ['-j', 'link', 'show'])) || '[]') as { ifname: string }[];
  return links.map(({ ifname }) => ifname).filter((name) => name.startsWith('nova'));
}

async function removeEmptyCgroups(): Promise<void> {
  const tops = ['/sys/fs/cgroup', ...(await readdir('/sys/fs/cgroup')).map((name) => `/sys/fs/cgroup/${name}`)];
  for (const top of tops) await attempt('find', [`${top}/nova`, '-depth', '-type', 'd', '-delete']);
}
