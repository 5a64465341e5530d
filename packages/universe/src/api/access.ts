import type { TLSSocket } from 'node:tls';
import { ProblemError, problem } from '@nova-platform/api';
import { type ChangedField, changesBetween } from '@nova-platform/change/fields';
import { isReleaseToken } from '@nova-platform/cluster';
import type { HttpApi } from '@nova-platform/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { socket } from '../access/credential.ts';
import { credentialOf, demandAccess, type Identity, nameOf } from '../access/roles.ts';
import type { Users } from '../access/users.ts';
import type { Audit } from '../audit.ts';

export interface AccessOptions {
  users: Users;
  audit: Audit;
  /** The node that a certificate stands for, and its cluster. */
  nodeOf: (serial: string) => Promise<{ name: string; cluster: string | undefined } | undefined>;
  /** The cluster whose Flux a token was made for. */
  clusterOf: (token: string) => Promise<string | undefined>;
}

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | undefined;
    /** The address that it came from, also when whoever sent it has left. */
    from: string;
    /** Who it is about, where the request itself says so: a login. */
    who: string | undefined;
    /** What it was known by, in the same case. */
    credential: string | undefined;
    /** What it is about, where neither its path nor its body says so. */
    target: string | undefined;
    /** What it changed. */
    changes: ChangedField[] | undefined;
  }
}

/** Browsers take a cookie of this name only from this very host, over TLS, and for all of its paths. */
const cookieName = '__Host-nova_session';
const longestTarget = 300;
const basicPaths = /^\/(git|v2)(\/|$)/;

/** Whoever comes over the local socket is root there, or Universe itself. */
const localIdentity: Identity = { kind: 'user', name: 'local', role: 'admin', credential: socket };

/** Every request is somebody's, may be made by them, and is written down when it changes something. */
export function guard(api: HttpApi, options: AccessOptions, isLocal: boolean): void {
  const { audit } = options;
  for (const name of ['identity', 'who', 'credential', 'target', 'changes']) api.decorateRequest(name, undefined);
  api.decorateRequest('from', '');

  // Before a byte of the body is read.
  api.addHook('onRequest', async (request, reply) => {
    // Later its connection may be gone.
    request.from = isLocal ? 'local' : (request.ip ?? 'unknown');
    // A route that says nothing is nobody's by mistake.
    const { access = 'admin', hasDetails } = request.routeOptions.config;
    const identified = async () => (isLocal ? localIdentity : identify(request, options));
    // Health is there without the store, too.
    if (hasDetails) request.identity = await identified().catch(() => undefined);
    if (request.is404 || access === 'anyone') return;
    request.identity = await identified();
    const { cluster } = request.params as { cluster?: string };
    try {
      demandAccess(request.identity, access, cluster);
    } catch (error) {
      // Git and registry clients send a password only when they are asked for one.
      if (!request.identity && basicPaths.test(request.url)) reply.header('www-authenticate', 'Basic realm="nova"');
      closeUnread(request, reply);
      throw error;
    }
  });

  // What was done is written down before it is acknowledged.
  const record = (request: FastifyRequest, outcome: number) =>
    audit.add({
      who: request.who ?? nameOf(request.identity),
      from: request.from,
      action: (request.routeOptions.schema as { operationId?: string } | undefined)?.operationId ?? request.method,
      target: targetOf(request).slice(0, longestTarget),
      outcome,
      credential: request.credential ?? credentialOf(request.identity),
      // What was refused changed nothing.
      changes: outcome < 400 ? (request.changes ?? givenIn(request)) : [],
    });
  api.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.isStream && isChange(request)) await record(request, 202);
  });
  api.addHook('onSend', async (request, { statusCode }, payload) => {
    if (isWorthWriting(request, statusCode)) await record(request, statusCode);
    return payload;
  });
}

/** As the route or its handler says, else the path. */
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

/** The fields of the body that the route says are worth keeping. */
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

/** Nobody is let in by a page that is not ours. */
export function demandOwnPage(request: FastifyRequest): void {
  if (!isOwnPage(request)) throw new ProblemError(problem('NOVA8310', {}));
}

function isOwnPage({ headers: { origin, host } }: FastifyRequest): boolean {
  return origin === undefined || origin === `https://${host}`;
}

/** The person who asks; nodes have nothing to do here. */
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
    // A page of somebody else's must not act with this browser's session, and every browser says whose page changes something.
    const isSaid = request.headers.origin !== undefined || request.method === 'GET' || request.method === 'HEAD';
    return isSaid && isOwnPage(request) ? users.bySession(session) : undefined;
  }
  const connection = request.raw.socket as TLSSocket;
  const serial = connection.authorized ? connection.getPeerX509Certificate()?.serialNumber : undefined;
  const node = serial === undefined ? undefined : await nodeOf(serial);
  return node && serial !== undefined ? { kind: 'node', ...node, serial } : undefined;
}

/** `Bearer TOKEN`, or `Basic` with the token as its password, for programs that know nothing else. */
function tokenOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  const [scheme, value = ''] = (authorization ?? '').split(' ', 2);
  if (scheme?.toLowerCase() === 'bearer') return value;
  if (scheme?.toLowerCase() !== 'basic') return undefined;
  const pair = Buffer.from(value, 'base64').toString();
  return pair.slice(pair.indexOf(':') + 1);
}

/** Whoever is refused while still sending is not listened to any longer. */
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
 * Changes, and what somebody known was refused. Strangers are only worth it when they try passwords, and not while they
 * are told to wait: they would fill the disk.
 */
function isWorthWriting(request: FastifyRequest, status: number): boolean {
  if (request.is404 || status === 429) return false;
  if (request.identity || request.who !== undefined) return isChange(request) || status === 403;
  return false;
}
