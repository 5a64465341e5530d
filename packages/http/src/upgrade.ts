import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { HttpApi } from './api.ts';

/** The connection of a WebSocket handshake, with the bytes that followed it. */
interface Upgrade {
  socket: Socket;
  head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();
/** Responses that a connection still waits for. */
const unanswered = new WeakMap<Socket, number>();

/** Undefined for a request that asks for no WebSocket. */
export function upgradeOf({ raw }: FastifyRequest): Upgrade | undefined {
  return upgrades.get(raw);
}

export function isHandshake({ headers: { upgrade } }: Pick<IncomingMessage, 'headers'>): boolean {
  return upgrade?.toLowerCase() === 'websocket';
}

/** The server's option that accepts handshakes for these paths. */
export function acceptHandshakes(paths: RegExp) {
  return {
    // No browser sends a handshake behind a request without a response. The connection still belongs to that one.
    shouldUpgradeCallback: (request: IncomingMessage) =>
      isHandshake(request) && paths.test(request.url ?? '') && !unanswered.has(request.socket),
  };
}

/** Routes handshakes like other requests, through all hooks: a handler takes the connection, or the client is refused. */
export function routeHandshakes(api: HttpApi): void {
  api.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (unanswered.get(socket) ?? 1) - 1;
      if (left > 0) unanswered.set(socket, left);
      else unanswered.delete(socket);
    });
  });
  api.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Its hooks would wait for a client that has left.
    if (socket.destroyed) return;
    upgrades.set(request, { socket, head });
    socket.on('error', () => undefined);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    api.routing(request, response);
  });
}
