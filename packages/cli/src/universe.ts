import { accessSync, constants } from 'node:fs';
import { Agent } from 'node:https';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import { type UniverseClient, universeClient } from '@nova-platform/contracts/universe/client';
import { type ApiClient, apiClient, type Connection } from '@nova-platform/http/client';
import { chosenContext, type UniverseContext } from './contexts.ts';
import { badValue } from './failure.ts';
import type { Io } from './io.ts';

/** A Universe and its clients. */
export interface UniverseAccess {
  client: UniverseClient;
  /** For other contracts served below `/api`. */
  call: ApiClient;
  connection: Connection;
  /** The address shown to people: `https://172.30.0.10`, or a socket. */
  server: string;
}

/** On Universe's own machine; access to the socket replaces the token. */
const localSocket = '/run/nova/universe.sock';
const patience = 10_000;

/** The selected Universe: from the environment, else on this machine, else from the current context. */
export function universeOf(io: Io): UniverseAccess {
  const universe = knownUniverse(io);
  if (!universe) throw new ProblemError(problem('NOVA8332', {}));
  return universe;
}

/** Like universeOf, but undefined without any login. */
export function knownUniverse(io: Io): UniverseAccess | undefined {
  const { NOVA_UNIVERSE_SOCKET: socket, NOVA_CONTEXT: asked } = io.env;
  if (socket) return universeBehind(socket);
  if (!asked && isOurs(localSocket)) return universeBehind(localSocket);
  const { context } = chosenContext(io) ?? {};
  if (!context) return undefined;
  if (context.token === undefined) throw new ProblemError(problem('NOVA8310', {}));
  return universeAt(context);
}

/** A server verified by its CA; without a token, only public requests work. */
export function universeAt({ server, authority, token }: Pick<UniverseContext, 'server' | 'authority' | 'token'>) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return accessTo(server, { ...endpointOf(server), ca: authority, headers });
}

/** An unverified server: send it no secrets, and do not trust its responses. */
export function strangerAt(server: string): UniverseClient {
  const connection = { ...endpointOf(server), ca: '', rejectUnauthorized: false };
  return universeClient(apiClient(connection, (error) => unreachable(server, error)));
}

/** Normalizes an address to a form such as `https://172.30.0.10`. */
export function serverOf(text: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  const isServer = url?.protocol === 'https:' && url.pathname === '/' && url.username + url.search + url.hash === '';
  if (isServer && url.hostname !== '') return url.origin;
  throw badValue('URL', { en: 'an address such as https://172.30.0.10', ru: 'адрес вида https://172.30.0.10' });
}

function universeBehind(socketPath: string): UniverseAccess {
  return accessTo(socketPath, { socketPath });
}

function accessTo(server: string, connection: Connection): UniverseAccess {
  const call = apiClient(connection, (error) => unreachable(server, error));
  return { client: universeClient(call), call, connection, server };
}

function endpointOf(server: string) {
  const { hostname, port } = new URL(serverOf(server));
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 443), agent: new HastyAgent() };
}

/** Gives up on an unresponsive server long before the system's timeout. */
class HastyAgent extends Agent {
  override createConnection(...given: Parameters<Agent['createConnection']>) {
    const socket = super.createConnection(...given);
    const late = Object.assign(new Error('no response'), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => socket?.destroy(late), patience);
    for (const event of ['secureConnect', 'close']) socket?.once(event, () => clearTimeout(timer));
    return socket;
  }
}

function isOurs(socket: string): boolean {
  try {
    accessSync(socket, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function unreachable(server: string, error: NodeJS.ErrnoException): ProblemError {
  const { code = '', message } = error;
  const words = reasons[code];
  if (certificateCodes.test(code)) {
    const reason = words ?? { en: `another CA issued it (${code})`, ru: `его выдал другой CA (${code})` };
    return new ProblemError(problem('NOVA8334', { server, reason }));
  }
  return new ProblemError(problem('NOVA8331', { server, reason: words ?? (message || code) }));
}

/** Certificate error codes of OpenSSL and Node. */
const certificateCodes =
  /^(CERT_|CRL_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_)/;

const reasons: Record<string, Text> = {
  ECONNREFUSED: { en: 'the connection was refused (ECONNREFUSED)', ru: 'в соединении отказано (ECONNREFUSED)' },
  ECONNRESET: { en: 'the connection was reset (ECONNRESET)', ru: 'соединение сброшено (ECONNRESET)' },
  ETIMEDOUT: { en: 'the connection timed out (ETIMEDOUT)', ru: 'время ожидания истекло (ETIMEDOUT)' },
  EHOSTUNREACH: { en: 'no route to host (EHOSTUNREACH)', ru: 'нет маршрута к хосту (EHOSTUNREACH)' },
  ENETUNREACH: { en: 'the network is unreachable (ENETUNREACH)', ru: 'сеть недоступна (ENETUNREACH)' },
  ENOTFOUND: { en: 'the name does not resolve (ENOTFOUND)', ru: 'имя не разрешается (ENOTFOUND)' },
  EAI_AGAIN: { en: 'the DNS server does not respond (EAI_AGAIN)', ru: 'сервер DNS не отвечает (EAI_AGAIN)' },
  ENOENT: { en: 'the socket does not exist (ENOENT)', ru: 'сокета нет (ENOENT)' },
  EACCES: { en: 'permission denied (EACCES)', ru: 'нет прав (EACCES)' },
  EPROTO: { en: 'the server does not use TLS (EPROTO)', ru: 'сервер не использует TLS (EPROTO)' },
  ERR_SSL_WRONG_VERSION_NUMBER: { en: 'the server does not use TLS', ru: 'сервер не использует TLS' },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: { en: 'the server does not use TLS', ru: 'сервер не использует TLS' },
  CERT_HAS_EXPIRED: { en: 'it expired', ru: 'срок его действия истёк' },
  CERT_NOT_YET_VALID: { en: 'it is not valid yet; check the clock', ru: 'он ещё не действует; проверьте часы' },
  ERR_TLS_CERT_ALTNAME_INVALID: { en: 'it is for other names', ru: 'он выдан на другие имена' },
};
