import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { consoleKinds, consoleProtocol } from '@nova-platform/contracts/engine';
import type { Engine } from './engine.ts';
import { accept, refuse } from './upgrade.ts';

const pattern = new RegExp(`^/v1/machines/(?<name>[a-z0-9-]+)/(?<kind>${consoleKinds.join('|')})$`);

/** The console that a request asks for; undefined if it is another request. */
export function consoleOf({ url = '', headers }: IncomingMessage) {
  const { name, kind } = pattern.exec(url)?.groups ?? {};
  const found = consoleKinds.find((each) => each === kind);
  return name && found && headers.upgrade === consoleProtocol ? { name, kind: found } : undefined;
}

/** Serves the console of a VM: the connection becomes its bytes in both directions. */
export async function serveConsole(
  engine: Engine,
  { name, kind }: NonNullable<ReturnType<typeof consoleOf>>,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  socket.on('error', () => undefined);
  try {
    const opened = await engine.openConsole(name, kind);
    opened.on('error', () => socket.destroy());
    socket.on('close', () => opened.destroy());
    opened.on('close', () => socket.destroy());
    if (socket.destroyed) opened.destroy();
    accept(socket, consoleProtocol);
    opened.write(head);
    socket.pipe(opened).pipe(socket);
  } catch (error) {
    refuse(socket, error);
  }
}
