import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpApi } from '@nova-platform/http';
import { type ConsoleKind, consoleKinds, consoleProtocol } from './consoles.ts';
import type { TestEngine } from './testing.ts';

const path = new RegExp(`^/v1/machines/([a-z0-9-]+)/(${consoleKinds.join('|')})$`);

/** Serves consoles like the engine does, and returns the open ones. */
export function serveConsoles(
  api: HttpApi,
  engine: Pick<TestEngine, 'machines' | 'beforeConsole' | 'console'>,
): ReadonlySet<Duplex> {
  const open = new Set<Duplex>();
  api.server.on('upgrade', async ({ url = '', headers }: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => undefined);
    const [, name = '', kind] = path.exec(url) ?? [];
    const isOpen = engine.machines.get(name)?.state === 'running' && headers.upgrade === consoleProtocol;
    if (!isOpen) return socket.end('HTTP/1.1 409 Conflict\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    await engine.beforeConsole();
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ${consoleProtocol}\r\n\r\n`);
    engine.console(socket, name, kind as ConsoleKind);
  });
  return open;
}
