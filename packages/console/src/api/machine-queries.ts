import { queryOptions } from '@tanstack/react-query';
import { universe } from './client.ts';
import { keys, operationsQuery } from './queries.ts';

const second = 1000;
const lockOf = (machine: string) => `machine.${machine}`;

/** The machine or the template that an operation locks, and its page; undefined if it locks something else. */
export function hostObjectOf(lock = ''): { kind: 'machine' | 'template'; name: string; path: string } | undefined {
  const [, kind, name = ''] = /^(machine|template)\.(.+)$/.exec(lock) ?? [];
  if (kind === 'machine') return { kind, name, path: `/machines/${name}` };
  if (kind === 'template') return { kind, name, path: '/templates' };
  return undefined;
}

export const machinesQuery = queryOptions({
  queryKey: keys.machines,
  queryFn: async () => (await universe.listMachines({})).machines,
  refetchInterval: 10 * second,
});

export const machineQuery = (name: string) =>
  queryOptions({
    queryKey: keys.machine(name),
    queryFn: () => universe.showMachine({ params: { machine: name } }),
    refetchInterval: 5 * second,
  });

/** The end of its console output. */
export const machineLogQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.machine(name), 'log'],
    queryFn: async () => (await universe.machineConsole({ params: { machine: name } })).text,
    refetchInterval: 5 * second,
  });

export const machineOperationsQuery = (name: string) => operationsQuery({ cluster: lockOf(name), limit: 50 });

export const machineImagesQuery = queryOptions({
  queryKey: keys.machineImages,
  queryFn: async () => (await universe.listMachineImages({})).images,
});

export const hostNetworksQuery = queryOptions({
  queryKey: keys.hostNetworks,
  queryFn: async () => (await universe.listNetworks({})).networks,
  refetchInterval: 10 * second,
});

export const hostNetworkQuery = (name: string) =>
  queryOptions({
    queryKey: keys.hostNetwork(name),
    queryFn: () => universe.showNetwork({ params: { network: name } }),
    refetchInterval: 5 * second,
  });

export const hostQuery = queryOptions({
  queryKey: keys.host,
  queryFn: () => universe.showHost({}),
  refetchInterval: 10 * second,
});

export const disksQuery = queryOptions({
  queryKey: keys.disks,
  queryFn: async () => (await universe.listDisks({})).disks,
  refetchInterval: 10 * second,
});

export const snapshotsQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.machine(name), 'snapshots'],
    queryFn: async () => (await universe.listSnapshots({ params: { machine: name } })).snapshots,
  });
