import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import {
  label,
  machineSize,
  machineSpec,
  networkCard,
  networkChange,
  networkSpec,
  ports,
  publicKey,
} from './requests.ts';
import {
  checkedImage,
  client,
  clientCertificate,
  engineNetwork,
  hostFeatures,
  image,
  lastCheck,
  machineStatus,
  machineUsage,
  networkView,
  volume,
} from './views.ts';

export { type ConsoleKind, consoleKinds, consolePath, consoleProtocol } from './consoles.ts';
export { allocatedMemory, availableMemory, hostMebibytes, translationMebibytes } from './memory.ts';
export { type ExecOptions, execOptions, label, type PlannedRouter, undeclaredPorts } from './requests.ts';
export { storageContract } from './storage.ts';
export type {
  CheckedImage,
  Client,
  ClientCertificate,
  Disk,
  HostFeatures,
  HostMaintenance,
  Image,
  ImageUpdates,
  LastCheck,
  MachineKind,
  MachineStatus,
  MachineUpdates,
  NetworkView,
  PackageUpdate,
  Snapshot,
  Volume,
} from './views.ts';

/** The network of Universe, which always exists. */
export const integrationName = 'integration';
/** The name in the engine's own certificate. */
export const engineServerName = 'nova-engine';

const params = z.object({ name: label });
const none = z.object({});
const progress = z.object({ progress: z.string() });

/** Calls for clusters: without host paths and without options of the runtime. */
export const clusterContract = {
  health: {
    method: 'GET',
    path: '/v1/health',
    summary: 'Whether the engine runs, and its version',
    access: 'anyone',
    response: z.object({ status: z.literal('ok'), version: z.string() }),
  },
  showHost: {
    method: 'GET',
    path: '/v1/host',
    summary: 'The capacity of the host and its kernel features',
    access: 'anyone',
    response: hostFeatures,
  },
  listImages: {
    method: 'GET',
    path: '/v1/images',
    summary: 'Images of machines, with newer packages as of the last check',
    access: 'anyone',
    response: z.array(checkedImage),
  },
  listNetworks: {
    method: 'GET',
    path: '/v1/networks',
    summary: 'Networks in their desired state',
    access: 'anyone',
    response: z.array(engineNetwork),
  },
  createNetwork: {
    method: 'POST',
    path: '/v1/networks',
    summary: 'Creates a network with a router',
    access: 'anyone',
    body: networkSpec,
    response: engineNetwork,
  },
  showNetwork: {
    method: 'GET',
    path: '/v1/networks/:name',
    summary: 'The actual state of a network in OVN, with its machines',
    access: 'anyone',
    params,
    response: networkView,
  },
  changeNetwork: {
    method: 'PATCH',
    path: '/v1/networks/:name',
    summary: 'Changes the names, the published addresses or the load balancers of a network',
    access: 'anyone',
    params,
    body: networkChange,
    response: engineNetwork,
  },
  deleteNetwork: {
    method: 'DELETE',
    path: '/v1/networks/:name',
    summary: 'Deletes a network that has no machines',
    access: 'anyone',
    params,
    response: none,
  },
  listMachines: {
    method: 'GET',
    path: '/v1/machines',
    summary: 'Machines and their states',
    access: 'anyone',
    response: z.array(machineStatus),
  },
  createMachine: {
    method: 'POST',
    path: '/v1/machines',
    summary: 'Creates a machine and waits until it has booted',
    access: 'anyone',
    body: machineSpec,
    response: machineStatus,
  },
  resizeMachine: {
    method: 'PATCH',
    path: '/v1/machines/:name',
    summary: 'Changes the size of a machine, at once if it runs',
    access: 'anyone',
    params,
    body: machineSize,
    response: machineStatus,
  },
  connectMachine: {
    method: 'PUT',
    path: '/v1/machines/:name/card',
    summary: 'Connects a stopped machine to a network',
    access: 'anyone',
    params,
    body: networkCard,
    response: machineStatus,
  },
  disconnectMachine: {
    method: 'DELETE',
    path: '/v1/machines/:name/card',
    summary: 'Disconnects a stopped machine from its network',
    access: 'anyone',
    params,
    response: machineStatus,
  },
  deleteMachine: {
    method: 'DELETE',
    path: '/v1/machines/:name',
    summary: 'Deletes a machine and its disk; its volumes stay',
    access: 'anyone',
    params,
    response: none,
  },
  startMachine: {
    method: 'POST',
    path: '/v1/machines/:name/start',
    summary: 'Starts a machine and waits until it has booted',
    access: 'anyone',
    params,
    response: none,
  },
  restartMachine: {
    method: 'POST',
    path: '/v1/machines/:name/restart',
    summary: 'Restarts a machine and waits until it has booted',
    access: 'anyone',
    params,
    response: none,
  },
  stopMachine: {
    method: 'POST',
    path: '/v1/machines/:name/stop',
    summary: 'Stops a machine',
    access: 'anyone',
    params,
    response: none,
  },
  machineConsole: {
    method: 'GET',
    path: '/v1/machines/:name/console',
    summary: "The end of a machine's console output",
    access: 'anyone',
    params,
    response: z.object({ console: z.string() }),
  },
  machineUsage: {
    method: 'GET',
    path: '/v1/machines/:name/usage',
    summary: 'Memory and disk that a machine uses',
    access: 'anyone',
    params,
    response: machineUsage,
  },
} as const satisfies Contract;

/** Only for root on the host. Exec is not part of it: its connection becomes a stream of frames. */
export const hostContract = {
  listOpenPorts: {
    method: 'GET',
    path: '/v1/host/ports',
    summary: 'Ports of the host that machines can reach',
    access: 'anyone',
    response: ports,
  },
  changeOpenPorts: {
    method: 'PUT',
    path: '/v1/host/ports',
    summary: 'Replaces the ports of the host that machines can reach',
    access: 'anyone',
    body: ports,
    response: ports,
  },
  showOvirt: {
    method: 'GET',
    path: '/v1/host/ovirt',
    summary: 'Whether the oVirt-compatible API is on',
    access: 'anyone',
    response: z.object({ isOn: z.boolean() }),
  },
  changeOvirt: {
    method: 'PUT',
    path: '/v1/host/ovirt',
    summary: 'Records whether the oVirt-compatible API is on; Universe reaches its port while it is',
    access: 'anyone',
    body: z.strictObject({ isOn: z.boolean() }),
    response: none,
  },
  changeMaintenance: {
    method: 'PUT',
    path: '/v1/host/maintenance',
    summary: 'Stops all machines for maintenance of the host, or starts those again that should run',
    access: 'anyone',
    body: z.strictObject({ isOn: z.boolean() }),
    response: none,
  },
  buildImage: {
    method: 'POST',
    path: '/v1/images/:name/build',
    summary: 'Builds an image; the last line of the response has the image',
    access: 'anyone',
    params,
    response: z.union([progress, z.object({ image })]),
    isStream: true,
  },
  pruneImages: {
    method: 'POST',
    path: '/v1/images/prune',
    summary: 'Removes layers that no image and no machine uses',
    access: 'anyone',
    response: z.object({ removed: z.array(z.string()) }),
  },
  lastCheck: {
    method: 'GET',
    path: '/v1/images/check',
    summary: "The last comparison of images with Debian's package lists",
    access: 'anyone',
    response: lastCheck,
  },
  checkImages: {
    method: 'POST',
    path: '/v1/images/check',
    summary: "Compares images with Debian's package lists; the last line of the response has the result",
    access: 'anyone',
    response: z.union([progress, z.object({ check: lastCheck })]),
    isStream: true,
  },
  updateImages: {
    method: 'POST',
    path: '/v1/images/update',
    summary: 'Rebuilds images that have newer packages; the last line of the response lists the rebuilt ones',
    access: 'anyone',
    response: z.union([progress, z.object({ images: z.array(checkedImage) })]),
    isStream: true,
  },
  listVolumes: {
    method: 'GET',
    path: '/v1/volumes',
    summary: 'Volumes, and the machines that use them',
    access: 'anyone',
    response: z.array(volume),
  },
  deleteVolume: {
    method: 'DELETE',
    path: '/v1/volumes/:name',
    summary: 'Deletes a volume that no machine uses',
    access: 'anyone',
    params,
    response: none,
  },
  createClient: {
    method: 'POST',
    path: '/v1/clients',
    summary: 'Issues a certificate for a public key; with it the client can call over TLS',
    access: 'anyone',
    body: z.strictObject({ name: label, publicKey }),
    response: clientCertificate,
  },
  listClients: {
    method: 'GET',
    path: '/v1/clients',
    summary: 'Certificates of clients that the engine accepts',
    access: 'anyone',
    response: z.array(client),
  },
  revokeClient: {
    method: 'DELETE',
    path: '/v1/clients/:name',
    summary: 'Revokes the certificates of a client',
    access: 'anyone',
    params,
    response: none,
  },
} as const satisfies Contract;

/** Only over TLS, for a client with a certificate. */
export const clientContract = {
  renewCertificate: {
    method: 'POST',
    path: '/v1/clients/self',
    summary: "Renews the caller's own certificate, for the same key",
    access: 'anyone',
    body: z.strictObject({ publicKey }),
    response: clientCertificate,
  },
  certifyServer: {
    method: 'POST',
    path: '/v1/clients/self/server',
    summary: 'Issues a certificate for a server at the address of the host, for the oVirt-compatible API',
    access: 'anyone',
    body: z.strictObject({ publicKey }),
    response: clientCertificate,
  },
} as const satisfies Contract;
