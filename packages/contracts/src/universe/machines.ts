import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { label, machineSize, machineSpec, networkCard, networkSpec } from '../engine/requests.ts';
import { engineNetwork, hostFeatures, image, machineStatus, machineUsage } from '../engine/views.ts';
import { none, problem } from './common.ts';
import { network } from './health.ts';
import { operation } from './operations.ts';

const machineParams = z.object({ machine: label });
const networkParams = z.object({ network: label });
/** The cluster that it belongs to: only the cluster changes it. */
const owner = z.string().exactOptional();
const machine = machineStatus.extend({ cluster: owner });
const hostNetwork = engineNetwork
  .pick({ name: true, network: true, gateway: true, router: true, published: true })
  .extend({ cluster: owner, machines: z.int() });
/** A new machine; only clusters choose volumes and the networks of pods. */
export const newMachine = machineSpec.omit({ allowedNetworks: true, volumes: true });

/** Machines and networks of the engine's host. Those of clusters can be read, but only their clusters change them. */
export const machinesContract = {
  listMachines: {
    method: 'GET',
    path: '/v1/machines',
    summary: 'Machines of the host, without those of the platform',
    access: 'viewer',
    response: z.object({ machines: z.array(machine) }),
  },
  showMachine: {
    method: 'GET',
    path: '/v1/machines/:machine',
    summary: 'A machine, and what it uses now',
    access: 'viewer',
    params: machineParams,
    /** The usage is absent while the machine is created or deleted. */
    response: machine.extend({ usage: machineUsage.exactOptional() }),
  },
  machineConsole: {
    method: 'GET',
    path: '/v1/machines/:machine/console',
    summary: "The end of a machine's console output",
    access: 'operator',
    params: machineParams,
    response: z.object({ text: z.string() }),
  },
  checkMachine: {
    method: 'POST',
    path: '/v1/machines/check',
    summary: 'Validates a new machine on this host; returns all problems at once',
    access: 'admin',
    body: z.looseObject({}),
    // Forms call it after every change.
    isReading: true,
    response: z.object({ problems: z.array(problem) }),
  },
  createMachine: {
    method: 'POST',
    path: '/v1/machines',
    summary: 'Starts an operation that creates a machine from an image and waits until it has booted',
    access: 'admin',
    body: newMachine,
    target: 'machines/{name}',
    audited: ['image', 'network', 'address', 'cpu', 'memoryMebibytes', 'diskMebibytes'],
    response: operation,
  },
  startMachine: {
    method: 'POST',
    path: '/v1/machines/:machine/start',
    summary: 'Starts an operation that starts a machine and waits until it has booted',
    access: 'admin',
    params: machineParams,
    response: operation,
  },
  restartMachine: {
    method: 'POST',
    path: '/v1/machines/:machine/restart',
    summary: 'Starts an operation that restarts a machine and waits until it has booted',
    access: 'admin',
    params: machineParams,
    response: operation,
  },
  stopMachine: {
    method: 'POST',
    path: '/v1/machines/:machine/stop',
    summary: 'Starts an operation that stops a machine',
    access: 'admin',
    params: machineParams,
    response: operation,
  },
  deleteMachine: {
    method: 'DELETE',
    path: '/v1/machines/:machine',
    summary: 'Starts an operation that deletes a machine with its own disk',
    access: 'admin',
    params: machineParams,
    response: operation,
  },
  resizeMachine: {
    method: 'PATCH',
    path: '/v1/machines/:machine',
    summary: 'Changes the size of a machine',
    access: 'admin',
    params: machineParams,
    body: machineSize,
    response: machine,
  },
  connectMachine: {
    method: 'PUT',
    path: '/v1/machines/:machine/card',
    summary: 'Connects a stopped machine to a network',
    access: 'admin',
    params: machineParams,
    body: networkCard.omit({ allowedNetworks: true }),
    audited: ['network', 'address'],
    response: machine,
  },
  disconnectMachine: {
    method: 'DELETE',
    path: '/v1/machines/:machine/card',
    summary: 'Disconnects a stopped machine from its network',
    access: 'admin',
    params: machineParams,
    response: machine,
  },
  listMachineImages: {
    method: 'GET',
    path: '/v1/machine-images',
    summary: 'Images and templates of machines',
    access: 'viewer',
    response: z.object({ images: z.array(image.omit({ layers: true })) }),
  },
  listNetworks: {
    method: 'GET',
    path: '/v1/networks',
    summary: 'Networks of the host, without that of the platform',
    access: 'viewer',
    response: z.object({ networks: z.array(hostNetwork) }),
  },
  showNetwork: {
    method: 'GET',
    path: '/v1/networks/:network',
    summary: 'The actual state of a network, with its machines',
    access: 'viewer',
    params: networkParams,
    response: network.extend({ cluster: owner }),
  },
  createNetwork: {
    method: 'POST',
    path: '/v1/networks',
    summary: 'Creates a network with a router',
    access: 'admin',
    body: networkSpec.pick({ name: true, network: true }),
    target: 'networks/{name}',
    audited: ['network'],
    response: hostNetwork,
  },
  deleteNetwork: {
    method: 'DELETE',
    path: '/v1/networks/:network',
    summary: 'Deletes a network that has no machines',
    access: 'admin',
    params: networkParams,
    response: none,
  },
  showHost: {
    method: 'GET',
    path: '/v1/host',
    summary: 'The host of the machines: its capacity and its kernel',
    access: 'viewer',
    response: hostFeatures.omit({ networks: true }),
  },
} as const satisfies Contract;
