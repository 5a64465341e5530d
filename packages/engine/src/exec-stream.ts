import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { execOptions } from '@nova-platform/contracts/engine';
import { frame, frameReader, frameTypes, passOn } from '@nova-platform/contracts/engine/exec';
import type { Engine } from './engine.ts';
import { accept, refuse } from './upgrade.ts';

/** Milliseconds between checks whether the client is still connected. */
const lookPause = 1000;

/** Serves `GET /v1/machines/:name/exec` with `Upgrade: nova-exec`; the command is in a header, in base64. */
export async function serveExec(engine: Engine, incoming: IncomingMessage, socket: Duplex): Promise<void> {
  socket.on('error', () => undefined);
  const name = /^\/v1\/machines\/([a-z0-9-]+)\/exec$/.exec(incoming.url ?? '')?.[1];
  const asked = execOptions.safeParse(parse(incoming.headers['nova-exec']));
  if (name === undefined || !asked.success) return refuse(socket, new Error('not a command to run'));
  try {
    const child = await engine.execIn(name, asked.data);
    child.on('error', () => socket.destroy());
    accept(socket, 'nova-exec');
    const read = frameReader((type, payload) => {
      if (type === frameTypes.stdin && child.stdin) passOn(socket, child.stdin, payload);
      if (type === frameTypes.end) child.stdin?.end();
    });
    socket.on('data', (chunk: Buffer) => {
      try {
        read(chunk);
      } catch {
        socket.destroy();
      }
    });
    child.stdin?.on('error', () => undefined);
    for (const type of ['stdout', 'stderr'] as const) {
      const stream = child[type];
      stream?.on('data', (chunk: Buffer) => passOn(stream, socket, frame(frameTypes[type], chunk)));
    }
    child.on('close', (code) => socket.end(frame(frameTypes.exit, Buffer.from([code ?? 255]))));
    // The command ends when the client disconnects. While the socket is paused, only a write detects that.
    socket.on('end', () => socket.destroy());
    const look = setInterval(() => {
      if (socket.isPaused()) socket.write(frame(frameTypes.stdout, Buffer.alloc(0)));
    }, lookPause);
    const onDisconnect = () => {
      clearInterval(look);
      child.kill();
    };
    if (socket.destroyed) onDisconnect();
    else socket.on('close', onDisconnect);
  } catch (error) {
    refuse(socket, error);
  }
}

function parse(header: string | string[] | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(String(header ?? ''), 'base64').toString());
  } catch {
    return undefined;
  }
}
