import { ProblemError } from '@nova-platform/api';
import { changesBetween } from '@nova-platform/change/fields';
import type { universeContract } from '@nova-platform/contracts/universe';
import type { Handlers } from '@nova-platform/http';
import type { OperationKind } from '@nova-platform/operations';
import type { FastifyRequest } from 'fastify';
import { nameOf } from '../access/roles.ts';
import { problemsOf } from '../machines/check.ts';
import { sealContext } from '../machines/operations.ts';
import type { Parts } from '../universe.ts';

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
export function machinesHandlers({
  machines,
  operations,
  kinds,
  config,
}: Parts): Pick<Handlers<typeof universeContract>, MachineCalls> {
  const { sealer } = config.services;
  /** Starts an operation for the user of the request; the audit trail has its ID. */
  async function start<Input>(kind: OperationKind<Input>, input: Input, request: FastifyRequest) {
    const operation = await operations.start(kind, input, nameOf(request.identity));
    request.changes = [...(request.changes ?? []), ...changesBetween({}, { operation: operation.id })];
    return operation;
  }

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
      const problems = await problemsOf(machines, body);
      if (problems.length > 0) throw new ProblemError(...problems);
      const { cloudConfig, image, network, address, cpu, memoryMebibytes, diskMebibytes } = body;
      request.changes = changesBetween({}, { image, network, address, cpu, memoryMebibytes, diskMebibytes });
      const sealed = cloudConfig !== undefined && { cloudConfig: sealer.seal(cloudConfig, sealContext(body.name)) };
      return start(kinds.createMachine, { ...body, ...sealed }, request);
    },
    startMachine: async ({ params: { machine: name }, request }) => {
      await machines.assertFree(name);
      return start(kinds.startMachine, { name }, request);
    },
    restartMachine: async ({ params: { machine: name }, request }) => {
      await machines.assertFree(name);
      return start(kinds.restartMachine, { name }, request);
    },
    stopMachine: async ({ params: { machine: name }, request }) => {
      await machines.assertFree(name);
      return start(kinds.stopMachine, { name }, request);
    },
    deleteMachine: async ({ params: { machine: name }, request }) => {
      const { id } = await machines.assertFree(name);
      return start(kinds.deleteMachine, { name, id }, request);
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
