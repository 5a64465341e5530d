import type { TLSSocket } from 'node:tls';
import { ProblemError, problem } from '@nova-platform/api';
import { type ChangedField, changesBetween } from '@nova-platform/change/fields';
import { isReleaseToken } from '@nova-platform/cluster';
import { type HttpApi, isHandshake } from '@nova-platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { socket } from '../access/credential.ts';
import { assertAccess, credentialOf, type Identity, nameOf } from '../access/roles.ts';
import type { Users } from '../access/users.ts';
import type { Audit } from '../audit.ts';

export interface AccessOptions {
  users: Users;
  audit: Audit;
  /** The node of a certificate, and its cluster. */
  nodeOf: (serial: string) => Promise<{ name: string; cluster: string | undefined } | undefined>;
  /** The cluster whose Flux has this token. */
  clusterOf: (token: string) => Promise<string | undefined>;
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | undefined;
    /** The client's address, known even after the client has disconnected. */
    from: string;
    /** The user, if the request itself names one: a login. */
    who: string | undefined;
    /** The credential, in the same case. */
    credential: string | undefined;
    /** The target, if neither the path nor the body has it. */
    target: string | undefined;
    /** The changed fields. */
    changes: ChangedField[] | undefined;
  }
}

/** Browsers accept a cookie with this prefix only from this host, over TLS, and for all of its paths. */
const cookieName = '__Host-nova_session';
const longestTarget = 300;
const basicPaths = /^\/(git|v2)(\/|$)/;

/** Clients of the local socket are root, or Universe itself. */
const localIdentity: Identity = { kind: 'user', name: 'local', role: 'admin', credential: socket };

/** For routes that keep a connection. */
export interface Guard {
  /** The client of a request, as of now. */
  identify: (request: FastifyRequest) => Promise<Identity | undefined>;
  /** Writes a request to the audit trail. */
  record: (request: FastifyRequest, outcome: number) => Promise<void>;
}

/** Authenticates and authorizes every request, and records changes in the audit trail. */
export function guard(api: HttpApi, options: AccessOptions, isLocal: boolean): Guard {
  const { audit } = options;
  const identified = async (request: FastifyRequest) => (isLocal ? localIdentity : identify(request, options));
  for (const name of ['identity', 'who', 'credential', 'target', 'changes']) api.decorateRequest(name, undefined);
  api.decorateRequest('from', '');

  // Runs before the body is read.
  api.addHook('onRequest', async (request, reply) => {
    // The connection may be closed later.
    request.from = isLocal ? 'local' : (request.ip ?? 'unknown');
    // A route without a declared access is for administrators only.
    const { access = 'admin', hasDetails } = request.routeOptions.config;
    // Health is available without the store.
    if (hasDetails) request.identity = await identified(request).catch(() => undefined);
    if (request.is404 || access === 'anyone') return;
    request.identity = await identified(request);
    const { cluster } = request.params as { cluster?: string };
    try {
      assertAccess(request.identity, access, cluster);
    } catch (error) {
      // Git and registry clients send a password only after a challenge.
      if (!request.identity && basicPaths.test(request.url)) reply.header('www-authenticate', 'Basic realm="nova"');
      closeUnread(request, reply);
      throw error;
    }
  });

  // The audit entry is stored before the response is sent.
  const record = (request: FastifyRequest, outcome: number) =>
    audit.add({
      who: request.who ?? nameOf(request.identity),
      from: request.from,
      action: (request.routeOptions.schema as { operationId?: string } | undefined)?.operationId ?? request.method,
      target: targetOf(request).slice(0, longestTarget),
      outcome,
      credential: request.credential ?? credentialOf(request.identity),
      // A refused request changes nothing.
      changes: outcome < 400 ? (request.changes ?? givenIn(request)) : [],
    });
  api.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.isStream && isChange(request)) await record(request, 202);
  });
  api.addHook('onSend', async (request, { statusCode }, payload) => {
    if (isWorthWriting(request, statusCode)) await record(request, statusCode);
    return payload;
  });
  return { identify: identified, record };
}

/** The target that the route or its handler sets, else the path. */
function targetOf({ target, body, url, routeOptions }: FastifyRequest): string {
  const path = (url.split('?')[0] ?? '').replace(/^\/(api\/v1\/)?/, '');
  if (target !== undefined || routeOptions.config.target === undefined) return target ?? path;
  const given = (body ?? {}) as Record<string, unknown>;
  let isWhole = true;
  const named = routeOptions.config.target.replace(/\{(\w+)\}/g, (_whole, field: string) => {
    const value = given[field];
    isWhole &&= typeof value === 'string';
    return String(value);
  });
  return isWhole ? named : path;
}

/** The fields of the body that the route declares for the audit trail. */
function givenIn({ body, routeOptions }: FastifyRequest): ChangedField[] {
  const given = (body ?? {}) as Record<string, unknown>;
  const fields = routeOptions.config.audited?.map((field) => [field, given[field]]) ?? [];
  return changesBetween({}, Object.fromEntries(fields) as object);
}

export function sessionCookie(secret: string, seconds: number): string {
  return `${cookieName}=${secret}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Strict`;
}

export function sessionOf(request: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|;\\s*)${cookieName}=([\\w-]{43})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1];
}

/** Refuses requests from pages of other origins. */
export function assertOwnPage(request: FastifyRequest): void {
  if (!isOwnPage(request)) throw new ProblemError(problem('NOVA8310', {}));
}

function isOwnPage({ headers: { origin, host } }: FastifyRequest): boolean {
  return origin === undefined || origin === `https://${host}`;
}

/** The user of a request; nodes are refused. */
export function userOf(request: FastifyRequest): Extract<Identity, { kind: 'user' }> {
  if (request.identity?.kind !== 'user') throw new ProblemError(problem('NOVA8310', {}));
  return request.identity;
}

async function identify(
  request: FastifyRequest,
  { users, nodeOf, clusterOf }: AccessOptions,
): Promise<Identity | undefined> {
  const token = tokenOf(request);
  if (token !== undefined && isReleaseToken(token)) {
    const cluster = await clusterOf(token);
    return cluster === undefined ? undefined : { kind: 'cluster', name: cluster };
  }
  if (token !== undefined) return users.byToken(token);
  const session = sessionOf(request);
  if (session !== undefined) {
    // A page of another origin must not use this browser's session. Browsers send the origin with every change, and
    // with every WebSocket.
    const isReading = (request.method === 'GET' || request.method === 'HEAD') && !isHandshake(request);
    const isSaid = request.headers.origin !== undefined || isReading;
    return isSaid && isOwnPage(request) ? users.bySession(session) : undefined;
  }
  const connection = request.raw.socket as TLSSocket;
  const serial = connection.authorized ? connection.getPeerX509Certificate()?.serialNumber : undefined;
  const node = serial === undefined ? undefined : await nodeOf(serial);
  return node && serial !== undefined ? { kind: 'node', ...node, serial } : undefined;
}

/** `Bearer TOKEN`, or `Basic` with the token as the password, for programs that support nothing else. */
function tokenOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  const [scheme, value = ''] = (authorization ?? '').split(' ', 2);
  if (scheme?.toLowerCase() === 'bearer') return value;
  if (scheme?.toLowerCase() !== 'basic') return undefined;
  const pair = Buffer.from(value, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}

/** Closes the connection of a refused client that is still sending. */
export function closeUnread(request: FastifyRequest, reply: FastifyReply): void {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (request.raw.complete || (length === undefined && coding === undefined)) return;
  reply.header('connection', 'close');
  reply.raw.once('finish', () => request.raw.destroy());
}

function isChange({ method, routeOptions }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && routeOptions.config.isUnaudited !== true;
}

/**
 * Changes, and refused requests of authenticated clients. Anonymous clients are recorded only for failed logins, and
 * not while they must wait: they would fill the disk.
 */
function isWorthWriting(request: FastifyRequest, status: number): boolean {
  if (request.is404 || status === 429) return false;
  if (request.identity || request.who !== undefined) return isChange(request) || status === 403;
  return false;
}
