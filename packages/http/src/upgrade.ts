import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { HttpApi } from './api.ts';

/** The connection of a WebSocket handshake, with the bytes that followed it. */
export interface Upgrade {
  socket: Socket;
  head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Undefined for a request that asks for no WebSocket. */
export function upgradeOf({ raw }: FastifyRequest): Upgrade | undefined {
  return upgrades.get(raw);
}

export function isHandshake({ headers: { upgrade } }: Pick<IncomingMessage, 'headers'>): boolean {
  return upgrade?.toLowerCase() === 'websocket';
}

/** Routes handshakes like other requests, through all hooks: a handler takes the connection, or the client is refused. */
export function routeHandshakes(api: HttpApi): void {
  api.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    upgrades.set(request, { socket, head });
    socket.on('error', () => undefined);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    api.routing(request, response);
  });
}
