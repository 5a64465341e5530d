import { request } from 'node:http';
import { ProblemError, problem } from '@nova-platform/api';
import { failure, apiClient } from '@nova-platform/http/client';
import type { z } from 'zod';
import type { machineSpec } from './api.ts';
import type { MachineStatus, NetworkView } from './engine.ts';
import { frame, frameReader, frameTypes } from './exec-stream.ts';
import type { Image } from './images/build.ts';
import type { NetworkRecord } from './networks.ts';
import { socketPath } from './paths.ts';

interface Streams {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

const { call, stream } = apiClient({ socketPath }, unreachable);

/** The engine as nova-ctl sees it. */
export const engineClient = {
  health: () => call<{ status: string }>('GET', '/v1/health'),
  images: () => call<Image[]>('GET', '/v1/images'),
  pruneImages: () => call<{ removed: string[] }>('POST', '/v1/images/prune'),
  buildImage,
  networks: () => call<NetworkRecord[]>('GET', '/v1/networks'),
  network: (name: string) => call<NetworkView>('GET', `/v1/networks/${encodeURIComponent(name)}`),
  createNetwork: (name: string, network: string) => call<NetworkRecord>('POST', '/v1/networks', { name, network }),
  changeNetwork: (name: string, change: object) =>
    call<NetworkRecord>('PATCH', `/v1/networks/${encodeURIComponent(name)}`, change),
  deleteNetwork: (name: string) => call('DELETE', `/v1/networks/${encodeURIComponent(name)}`),
  machines: () => call<MachineStatus[]>('GET', '/v1/machines'),
  createMachine: (spec: z.input<typeof machineSpec>) => call<MachineStatus>('POST', '/v1/machines', spec),
  deleteMachine: (name: string) => call('DELETE', `/v1/machines/${encodeURIComponent(name)}`),
  restartMachine: (name: string) => call('POST', `/v1/machines/${encodeURIComponent(name)}/restart`),
  stopMachine: (name: string) => call('POST', `/v1/machines/${encodeURIComponent(name)}/stop`),
  machineConsole: async (name: string) =>
    (await call<{ console: string }>('GET', `/v1/machines/${encodeURIComponent(name)}/console`)).console,
  machineUsage: (name: string) =>
    call<{ memory: number; disk: number }>('GET', `/v1/machines/${encodeURIComponent(name)}/usage`),
  exec,
};

async function buildImage(name: string, progress: (line: string) => void): Promise<Image> {
  const built: Image[] = [];
  const path = `/v1/images/${encodeURIComponent(name)}/build`;
  await stream<{ progress: string } | { image: Image }>('POST', path, undefined, (line) => {
    if ('image' in line) built.push(line.image);
    else progress(line.progress);
  });
  const [image] = built;
  if (!image) throw unreachable(new Error('the engine went away'));
  return image;
}

/** Runs a command in a machine, its streams joined to ours, and answers its exit code. */
function exec(
  name: string,
  options: { command: readonly string[]; terminal?: { columns: number; rows: number } },
  { stdin, stdout, stderr }: Streams,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const header = Buffer.from(JSON.stringify(options)).toString('base64');
    const outgoing = request({
      socketPath,
      path: `/v1/machines/${encodeURIComponent(name)}/exec`,
      headers: { connection: 'upgrade', upgrade: 'nova-exec', 'nova-exec': header },
    });
    outgoing.on('error', (error) => reject(unreachable(error)));
    outgoing.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => reject(failure(text)));
    });
    outgoing.on('upgrade', (_response, socket, head) => {
      let exitCode = 255;
      const read = frameReader((type, payload) => {
        if (type === frameTypes.stdout) stdout.write(payload);
        if (type === frameTypes.stderr) stderr.write(payload);
        if (type === frameTypes.exit) exitCode = payload[0] ?? 255;
      });
      const send = (chunk: Buffer) => socket.write(frame(frameTypes.stdin, chunk));
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

function unreachable({ code }: NodeJS.ErrnoException): Error {
  if (code === 'EACCES') return new ProblemError(problem('NOVA7031', {}));
  return new ProblemError(problem('NOVA7030', {}));
}
