import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ProblemError } from '@nova-platform/api';
import { execOptions } from '@nova-platform/contracts/engine';
import { frame, frameReader, frameTypes, passOn } from '@nova-platform/contracts/engine/exec';
import type { Engine } from './engine.ts';

/** Milliseconds between checks whether the client is still connected. */
const lookPause = 1000;

/** Serves `GET /v1/machines/:name/exec` with `Upgrade: nova-exec`; the command is in a header, in base64. */
export async function serveExec(engine: Engine, incoming: IncomingMessage, socket: Duplex): Promise<void> {
  socket.on('error', () => undefined);
  const refuse = (status: string, body: object) => {
    const text = JSON.stringify(body);
    socket.end(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
    );
  };
  const name = /^\/v1\/machines\/([a-z0-9-]+)\/exec$/.exec(incoming.url ?? '')?.[1];
  const asked = execOptions.safeParse(parse(incoming.headers['nova-exec']));
  if (name === undefined || !asked.success) return refuse('400 Bad Request', { message: 'not a command to run' });
  try {
    const child = await engine.execIn(name, asked.data);
    child.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: nova-exec\r\n\r\n');
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
    refuse(
      '422 Unprocessable Entity',
      error instanceof ProblemError ? { problems: error.problems } : { message: (error as Error).message },
    );
  }
}

function parse(header: string | string[] | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(String(header ?? ''), 'base64').toString());
  } catch {
    return undefined;
  }
}
