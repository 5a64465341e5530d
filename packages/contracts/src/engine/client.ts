import { type Duplex, PassThrough, Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ProblemError, problem } from '@nova-platform/api';
import { apiClient, type Connection, clientOf, failure, requestTo } from '@nova-platform/http/client';
import type { z } from 'zod';
import { type ConsoleKind, consolePath, consoleProtocol } from './consoles.ts';
import { type ContentFormat, contentPath, download, upload } from './content.ts';
import { clientContract, clusterContract, hostContract, storageContract } from './contract.ts';
import { frame, frameReader, frameTypes, passOn } from './exec-frames.ts';
import type {
  diskAttachment,
  diskSpec,
  ExecOptions,
  machineSize,
  machineSpec,
  networkCard,
  networkChange,
  PlannedRouter,
  snapshotSpec,
  templateSpec,
} from './requests.ts';

/** The engine's socket on its own host. */
export const engineSocket = '/run/nova/engine.sock';

interface Streams {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

import type { Disk } from './views.ts';

export type { CheckedImage, ClientCertificate, LastCheck, MachineStatus } from './views.ts';

type Progress = (line: string) => void;

export type EngineClient = ReturnType<typeof createEngineClient>;

/** A client of the engine: the whole API through its socket, or the part for clusters with a certificate. */
export function createEngineClient(connection: Connection | (() => Connection)) {
  const contract = { ...clusterContract, ...storageContract, ...hostContract, ...clientContract };
  const client = clientOf(contract, apiClient(connection, unreachable));
  const of = (name: string) => ({ params: { name } });
  const current = () => (typeof connection === 'function' ? connection() : connection);
  return {
    health: () => client.health({}),
    host: () => client.showHost({}),
    /** Ports of the host that machines can reach. */
    openPorts: () => client.listOpenPorts({}),
    changeOpenPorts: (ports: readonly string[]) => client.changeOpenPorts({ body: [...ports] }),
    /** Whether the oVirt-compatible API is on. */
    isOvirtOn: async () => (await client.showOvirt({})).isOn,
    changeOvirt: (isOn: boolean) => client.changeOvirt({ body: { isOn } }),
    /** Returns when the machines have stopped, or were started. */
    changeMaintenance: (isOn: boolean) => client.changeMaintenance({ body: { isOn } }),
    images: () => client.listImages({}),
    pruneImages: () => client.pruneImages({}),
    buildImage: async (name: string, progress: Progress) =>
      (await resultOf(client.buildImage, of(name), progress)).image,
    lastCheck: () => client.lastCheck({}),
    checkImages: async (progress: Progress) => (await resultOf(client.checkImages, {}, progress)).check,
    /** Returns the images that were built. */
    updateImages: async (progress: Progress) => (await resultOf(client.updateImages, {}, progress)).images,
    networks: () => client.listNetworks({}),
    network: (name: string) => client.showNetwork(of(name)),
    createNetwork: (
      name: string,
      network: string,
      router?: PlannedRouter,
      settings: z.input<typeof networkChange> = {},
    ) => client.createNetwork({ body: { name, network, ...(router && { router }), ...settings } }),
    changeNetwork: (name: string, change: z.input<typeof networkChange>) =>
      client.changeNetwork({ ...of(name), body: change }),
    deleteNetwork: (name: string) => client.deleteNetwork(of(name)),
    machines: () => client.listMachines({}),
    createMachine: (spec: z.input<typeof machineSpec>) => client.createMachine({ body: spec }),
    resizeMachine: (name: string, size: z.input<typeof machineSize>) =>
      client.resizeMachine({ ...of(name), body: size }),
    connectMachine: (name: string, card: z.input<typeof networkCard>) =>
      client.connectMachine({ ...of(name), body: card }),
    disconnectMachine: (name: string) => client.disconnectMachine(of(name)),
    deleteMachine: (name: string) => client.deleteMachine(of(name)),
    startMachine: (name: string) => client.startMachine(of(name)),
    restartMachine: (name: string) => client.restartMachine(of(name)),
    stopMachine: (name: string) => client.stopMachine(of(name)),
    machineConsole: async (name: string) => (await client.machineConsole(of(name))).console,
    machineUsage: (name: string) => client.machineUsage(of(name)),
    exec: async (name: string, options: ExecOptions, streams: Streams) => {
      return exec(current(), `/v1/machines/${encodeURIComponent(name)}/exec`, options, streams);
    },
    /** The bytes of a VM's console, in both directions. */
    openConsole: (name: string, kind: ConsoleKind): Promise<Duplex> => {
      return openConsole(current(), consolePath(name, kind));
    },
    disks: () => client.listDisks({}),
    createDisk: (spec: z.input<typeof diskSpec>) => client.createDisk({ body: spec }),
    growDisk: (name: string, sizeMebibytes: number) => client.growDisk({ ...of(name), body: { sizeMebibytes } }),
    deleteDisk: (name: string) => client.deleteDisk(of(name)),
    attachDisk: (name: string, disk: string, attachment: z.input<typeof diskAttachment> = {}) =>
      client.attachDisk({ params: { name, disk }, body: attachment }),
    detachDisk: (name: string, disk: string) => client.detachDisk({ params: { name, disk } }),
    snapshots: (name: string) => client.listSnapshots(of(name)),
    createSnapshot: (name: string, spec: z.input<typeof snapshotSpec>) =>
      client.createSnapshot({ ...of(name), body: spec }),
    restoreSnapshot: (name: string, snapshot: string) => client.restoreSnapshot({ params: { name, snapshot } }),
    deleteSnapshot: (name: string, snapshot: string) => client.deleteSnapshot({ params: { name, snapshot } }),
    /** From a stopped machine. */
    createTemplate: (spec: z.input<typeof templateSpec>) => client.createTemplate({ body: spec }),
    deleteTemplate: (name: string) => client.deleteTemplate(of(name)),
    /** Writes the content of a disk that is attached to no machine. */
    exportDisk: (name: string, format: ContentFormat, to: Writable) =>
      reached(download(current(), contentPath('disks', name), format, to)),
    /** Writes the content of the own disk of a stopped machine. */
    exportMachine: (name: string, format: ContentFormat, to: Writable) =>
      reached(download(current(), contentPath('machines', name), format, to)),
    /** Creates a disk for VMs from a file. */
    importDisk: (name: string, format: ContentFormat, from: Readable) =>
      reached(upload<Disk>(current(), contentPath('disks', name), format, from)),
    volumes: () => client.listVolumes({}),
    deleteVolume: (name: string) => client.deleteVolume(of(name)),
    /** For a key of the client; with the certificate it can connect over TLS. */
    createClient: (name: string, publicKey: string) => client.createClient({ body: { name, publicKey } }),
    /** The certificates of clients that the engine accepts. */
    clients: () => client.listClients({}),
    revokeClient: (name: string) => client.revokeClient(of(name)),
    /** Renews the caller's own certificate, for its current key. */
    renewCertificate: (publicKey: string) => client.renewCertificate({ body: { publicKey } }),
    /** A certificate for a server of the caller at the address of the engine. */
    certifyServer: (publicKey: string) => client.certifyServer({ body: { publicKey } }),
  };
}

/** Reports the progress of a stream; its last line is the result. */
async function resultOf<RouteCall, Result extends object>(
  stream: (asked: RouteCall, onLine: (line: { progress: string } | Result) => void) => Promise<void>,
  asked: RouteCall,
  progress: Progress,
): Promise<Result> {
  const results: Result[] = [];
  await stream(asked, (line) => {
    if ('progress' in line) progress(line.progress);
    else results.push(line);
  });
  const [result] = results;
  if (!result) throw unreachable(new Error('the connection to the engine was closed'));
  return result;
}

/** The client on the engine's own host. */
export const engineClient: EngineClient = createEngineClient({ socketPath: engineSocket });

/** Runs a command in a machine and returns its output; a non-zero exit code is an error. */
export async function execIn(machine: string, command: readonly string[], input = ''): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await engineClient.exec(
    machine,
    { command },
    { stdin: Readable.from([Buffer.from(input)]), stdout, stderr },
  );
  stdout.end();
  stderr.end();
  const [output, errors] = await written;
  if (exitCode !== 0)
    throw new Error(`${command.join(' ')}: ${errors.trim() || output.trim() || `exit code ${exitCode}`}`);
  return output;
}

/** Runs a command in a machine with these streams, and returns its exit code. */
function exec(
  target: Connection,
  path: string,
  options: ExecOptions,
  { stdin, stdout, stderr }: Streams,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const header = Buffer.from(JSON.stringify(options)).toString('base64');
    const outgoing = requestTo({
      ...target,
      path,
      headers: { connection: 'upgrade', upgrade: 'nova-exec', 'nova-exec': header },
    });
    outgoing.on('error', (error) => reject(unreachable(error)));
    outgoing.on('response', (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => reject(failure(body)));
    });
    outgoing.on('upgrade', (_response, socket, head) => {
      let exitCode = 255;
      const read = frameReader((type, payload) => {
        if (type === frameTypes.stdout) passOn(socket, stdout, payload);
        if (type === frameTypes.stderr) passOn(socket, stderr, payload);
        if (type === frameTypes.exit) exitCode = payload[0] ?? 255;
      });
      const send = (chunk: Buffer) => passOn(stdin, socket, frame(frameTypes.stdin, chunk));
      const end = () => socket.write(frame(frameTypes.end, Buffer.alloc(0)));
      socket.on('data', read);
      socket.on('close', () => {
        stdin.off('data', send).off('end', end);
        stdin.pause();
        resolve(exitCode);
      });
      socket.on('error', () => undefined);
      if (head.length > 0) read(head);
      stdin.on('data', send).on('end', end);
    });
    outgoing.end();
  });
}

/** Opens a connection that becomes the bytes of a console. */
function openConsole(target: Connection, path: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const outgoing = requestTo({ ...target, path, headers: { connection: 'upgrade', upgrade: consoleProtocol } });
    outgoing.on('error', (error) => reject(unreachable(error)));
    outgoing.on('response', (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => reject(failure(body)));
    });
    outgoing.on('upgrade', (_response, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    outgoing.end();
  });
}

async function reached<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof ProblemError ? error : unreachable(error as NodeJS.ErrnoException);
  });
}

function unreachable(error: NodeJS.ErrnoException): Error {
  // The connection could not be established.
  if (error instanceof ProblemError) return error;
  if (error.code === 'EACCES') return new ProblemError(problem('NOVA7031', {}));
  return new ProblemError(problem('NOVA7030', {}));
}
