import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ProblemError, problem } from '@nova-platform/api';
import { apiClient, type Connection, failure, requestTo } from '@nova-platform/http/client';
import type { z } from 'zod';
import { frame, frameReader, frameTypes, passOn } from './exec-frames.ts';
import type { machineSize, machineSpec, networkChange } from './requests.ts';
import type {
  CheckedImage,
  Client,
  ClientCertificate,
  EngineNetwork,
  ExecOptions,
  HostFeatures,
  Image,
  LastCheck,
  MachineStatus,
  NetworkView,
  PlannedRouter,
  Volume,
} from './views.ts';

/** The engine's socket on its own host. */
export const engineSocket = '/run/nova/engine.sock';

interface Streams {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

export type { CheckedImage, ClientCertificate, LastCheck, MachineStatus } from './views.ts';

type Progress = (line: string) => void;

export type EngineClient = ReturnType<typeof createEngineClient>;

/** A client of the engine: of the whole API through its socket, of the part for clusters with a certificate. */
export function createEngineClient(connection: Connection | (() => Connection)) {
  const { call, stream } = apiClient(connection, unreachable);
  /** Reports its progress; its last line is the result. */
  const work = async <T extends object>(path: string, progress: Progress): Promise<T> => {
    const results: T[] = [];
    await stream<{ progress: string } | T>('POST', path, undefined, (line) => {
      if ('progress' in line) progress(line.progress);
      else results.push(line);
    });
    const [result] = results;
    if (!result) throw unreachable(new Error('the engine went away'));
    return result;
  };
  const network = (name: string) => `/v1/networks/${encodeURIComponent(name)}`;
  const machine = (name: string) => `/v1/machines/${encodeURIComponent(name)}`;
  return {
    health: () => call<{ status: string; version: string }>('GET', '/v1/health'),
    host: () => call<HostFeatures>('GET', '/v1/host'),
    /** Ports of the host that machines can reach. */
    openPorts: () => call<string[]>('GET', '/v1/host/ports'),
    changeOpenPorts: (ports: readonly string[]) => call<string[]>('PUT', '/v1/host/ports', ports),
    images: () => call<CheckedImage[]>('GET', '/v1/images'),
    pruneImages: () => call<{ removed: string[] }>('POST', '/v1/images/prune'),
    buildImage: async (name: string, progress: Progress) =>
      (await work<{ image: Image }>(`/v1/images/${encodeURIComponent(name)}/build`, progress)).image,
    lastCheck: () => call<LastCheck>('GET', '/v1/images/check'),
    checkImages: async (progress: Progress) => (await work<{ check: LastCheck }>('/v1/images/check', progress)).check,
    /** Those that were built anew. */
    updateImages: async (progress: Progress) =>
      (await work<{ images: CheckedImage[] }>('/v1/images/update', progress)).images,
    networks: () => call<EngineNetwork[]>('GET', '/v1/networks'),
    network: (name: string) => call<NetworkView>('GET', network(name)),
    createNetwork: (name: string, cidr: string, router?: PlannedRouter) =>
      call<EngineNetwork>('POST', '/v1/networks', { name, network: cidr, ...(router && { router }) }),
    changeNetwork: (name: string, change: z.input<typeof networkChange>) =>
      call<EngineNetwork>('PATCH', network(name), change),
    deleteNetwork: (name: string) => call('DELETE', network(name)),
    machines: () => call<MachineStatus[]>('GET', '/v1/machines'),
    createMachine: (spec: z.input<typeof machineSpec>) => call<MachineStatus>('POST', '/v1/machines', spec),
    resizeMachine: (name: string, size: z.input<typeof machineSize>) =>
      call<MachineStatus>('PATCH', machine(name), size),
    deleteMachine: (name: string) => call('DELETE', machine(name)),
    startMachine: (name: string) => call('POST', `${machine(name)}/start`),
    restartMachine: (name: string) => call('POST', `${machine(name)}/restart`),
    stopMachine: (name: string) => call('POST', `${machine(name)}/stop`),
    machineConsole: async (name: string) =>
      (await call<{ console: string }>('GET', `${machine(name)}/console`)).console,
    machineUsage: (name: string) => call<{ memory: number; disk: number }>('GET', `${machine(name)}/usage`),
    exec: async (name: string, options: ExecOptions, streams: Streams) => {
      const target = typeof connection === 'function' ? connection() : connection;
      return exec(target, `${machine(name)}/exec`, options, streams);
    },
    volumes: () => call<Volume[]>('GET', '/v1/volumes'),
    deleteVolume: (name: string) => call('DELETE', `/v1/volumes/${encodeURIComponent(name)}`),
    /** For a key that the client made itself: with the certificate it may call over TLS. */
    createClient: (name: string, publicKey: string) =>
      call<ClientCertificate>('POST', '/v1/clients', { name, publicKey }),
    /** The certificates of clients that the engine accepts. */
    clients: () => call<Client[]>('GET', '/v1/clients'),
    revokeClient: (name: string) => call('DELETE', `/v1/clients/${encodeURIComponent(name)}`),
    /** Renews the caller's own certificate, for the key that it has. */
    renewCertificate: (publicKey: string) => call<ClientCertificate>('POST', '/v1/clients/self', { publicKey }),
  };
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

function unreachable(error: NodeJS.ErrnoException): Error {
  // The connection itself could not be made.
  if (error instanceof ProblemError) return error;
  if (error.code === 'EACCES') return new ProblemError(problem('NOVA7031', {}));
  return new ProblemError(problem('NOVA7030', {}));
}
