import { changesBetween } from '@nova-platform/change/fields';
import type { universeContract } from '@nova-platform/contracts/universe';
import type { Handlers } from '@nova-platform/http';
import { assertNone, problemsOf } from '../machines/check.ts';
import { sealContext } from '../machines/operations.ts';
import type { Parts } from '../universe.ts';
import { startFor } from './start.ts';

/** The shown part of a machine's console. */
const consoleCharacters = 200_000;

type MachineCalls =
  | 'listMachines'
  | 'showMachine'
  | 'machineConsole'
  | 'checkMachine'
  | 'createMachine'
  | 'startMachine'
  | 'restartMachine'
  | 'stopMachine'
  | 'deleteMachine'
  | 'resizeMachine'
  | 'connectMachine'
  | 'disconnectMachine'
  | 'listMachineImages'
  | 'listNetworks'
  | 'showNetwork'
  | 'createNetwork'
  | 'deleteNetwork'
  | 'showHost';

/** Machines, images and networks of the host. */
export function machinesHandlers(parts: Parts): Pick<Handlers<typeof universeContract>, MachineCalls> {
  const { machines, kinds, config } = parts;
  const { sealer } = config.services;
  return {
    listMachines: async () => ({ machines: await machines.list() }),
    showMachine: async ({ params }) => {
      const machine = await machines.show(params.machine);
      // It may just be created or deleted.
      const usage = await machines.engine.machineUsage(params.machine).catch(() => undefined);
      return { ...machine, ...(usage && { usage }) };
    },
    machineConsole: async ({ params }) => {
      await machines.show(params.machine);
      return { text: (await machines.engine.machineConsole(params.machine)).slice(-consoleCharacters) };
    },
    checkMachine: async ({ body }) => ({ problems: await problemsOf(machines, body) }),
    createMachine: async ({ body, request }) => {
      assertNone(await problemsOf(machines, body));
      const { cloudConfig, image, network, address, cpu, memoryMebibytes, diskMebibytes } = body;
      request.changes = changesBetween({}, { image, network, address, cpu, memoryMebibytes, diskMebibytes });
      const sealed = cloudConfig !== undefined && { cloudConfig: sealer.seal(cloudConfig, sealContext(body.name)) };
      return startFor(request, parts, kinds.createMachine, { ...body, ...sealed });
    },
    startMachine: async ({ params: { machine: name }, request }) => {
      await machines.assertFree(name);
      return startFor(request, parts, kinds.startMachine, { name });
    },
    restartMachine: async ({ params: { machine: name }, request }) => {
      await machines.assertFree(name);
      return startFor(request, parts, kinds.restartMachine, { name });
    },
    stopMachine: async ({ params: { machine: name }, request }) => {
      await machines.assertFree(name);
      return startFor(request, parts, kinds.stopMachine, { name });
    },
    deleteMachine: async ({ params: { machine: name }, request }) => {
      const { id } = await machines.assertFree(name);
      return startFor(request, parts, kinds.deleteMachine, { name, id });
    },
    resizeMachine: async ({ params: { machine: name }, body, request }) => {
      const before = sizeOf(await machines.assertFree(name));
      const after = await machines.engine.resizeMachine(name, body);
      request.changes = changesBetween(before, sizeOf(after));
      return after;
    },
    connectMachine: async ({ params: { machine: name }, body }) => {
      await machines.assertFree(name);
      await machines.assertFreeNetwork(body.network);
      return machines.engine.connectMachine(name, body);
    },
    disconnectMachine: async ({ params: { machine: name } }) => {
      await machines.assertFree(name);
      return machines.engine.disconnectMachine(name);
    },
    listMachineImages: async () => ({ images: await machines.images() }),
    listNetworks: async () => ({ networks: await machines.networks() }),
    showNetwork: async ({ params }) => machines.network(params.network),
    createNetwork: async ({ body: { name, network } }) => {
      await machines.assertFreeNetwork(name);
      return { ...(await machines.engine.createNetwork(name, network)), machines: 0 };
    },
    deleteNetwork: async ({ params: { network: name } }) => {
      await machines.network(name);
      await machines.assertFreeNetwork(name);
      return machines.engine.deleteNetwork(name);
    },
    showHost: async () => machines.engine.host(),
  };
}

interface Size {
  cpu: number;
  memoryMebibytes: number;
  diskMebibytes?: number;
}

function sizeOf({ cpu, memoryMebibytes, diskMebibytes }: Size): Partial<Size> {
  return { cpu, memoryMebibytes, ...(diskMebibytes !== undefined && { diskMebibytes }) };
}
