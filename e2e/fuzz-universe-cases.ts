import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecureContext } from 'node:tls';
import { configContract } from '@nova-platform/contracts/config-manager';
import { universeContract } from '@nova-platform/contracts/universe';
import type { Access } from '@nova-platform/http';
import { changeHeaders, changePath, cutOff, framings, head, lengthOf, type Message } from './fuzz-requests-cases.ts';
import { bombKinds, jsonBomb, mutateBytes, mutateJson, once, pick, randomBytes } from './fuzz-requests-mutations.ts';
import type { Exchange } from './fuzz-requests-wire.ts';
import { mutate, type Random } from './mutate.ts';

/** A caller: with a header, with a certificate, or anonymous. */
export interface Asker {
  name: string;
  headers: [string, string][];
  context?: SecureContext;
  may: readonly Access[];
}

/** One call in the description of the API. */
export interface DescribedCall {
  operationId: string;
  method: string;
  path: string;
  access: Access;
  query: string[];
  body: unknown;
}

export interface UniverseCase extends Exchange {
  kind: string;
  asker: Asker;
  isPlain: boolean;
  isAlone: boolean;
  /** Whether a 2xx response is an error. */
  isForbidden: boolean;
}

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  minLength?: number;
  minimum?: number;
}

interface Description {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters?: { in: string; name: string }[];
        requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
      }
    >
  >;
}

const examples = join(import.meta.dirname, '..', 'examples');
const corpus = readdirSync(examples).map((name) => readFileSync(join(examples, name), 'utf8'));

/** Calls that last until the client disconnects. */
const endless = ['followEvents', 'runAgent'];

/** Calls that are in no contract. Consoles are WebSockets. */
const consoles = ['openScreen', 'openSerialConsole'];
const others: Record<string, Access> = {
  followEvents: 'viewer',
  openScreen: 'operator',
  openSerialConsole: 'operator',
};

/** All calls that the API describes, and undescribed ones. */
export function callsOf(description: object): DescribedCall[] {
  const contracts: Record<string, { access: Access }> = { ...configContract, ...universeContract };
  const described = Object.entries((description as Description).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId, parameters = [], requestBody }]): DescribedCall => ({
        operationId,
        method: method.toUpperCase(),
        path,
        access: contracts[operationId]?.access ?? others[operationId] ?? 'admin',
        query: parameters.filter((each) => each.in === 'query').map(({ name }) => name),
        body: requestBody && sampleOf(requestBody.content['application/json'].schema),
      }),
    ),
  );
  const hidden = (method: string, path: string, access: Access, body?: unknown): DescribedCall => ({
    operationId: path.slice(1, 4),
    method,
    path,
    access,
    query: [],
    body,
  });
  return [
    ...described,
    hidden('GET', '/api/v1/openapi.json', 'anyone'),
    hidden('GET', '/metrics', 'viewer'),
    hidden('GET', '/git/release.git/info/refs?service=git-upload-pack', 'node'),
    hidden('GET', '/git/{cluster}.git/info/refs?service=git-upload-pack', 'viewer'),
    hidden('POST', '/git/release.git/git-upload-pack', 'node', '0011command=ls-refs0000'),
    hidden('POST', '/git/release.git/git-receive-pack', 'node', '0000'),
    hidden('GET', '/v2/', 'viewer'),
    hidden('GET', '/v2/{name}/manifests/{id}', 'viewer'),
    hidden('HEAD', '/v2/{name}/blobs/{id}', 'viewer'),
    hidden('POST', '/v2/{name}/blobs/uploads/', 'operator', ''),
    hidden('PATCH', '/v2/{name}/blobs/uploads/{id}', 'operator', 'layer'),
    hidden('PUT', '/v2/{name}/manifests/{id}', 'operator', {}),
    hidden('DELETE', '/v2/{name}/manifests/{id}', 'operator'),
  ];
}

/** A value that matches the schema, as a start for mutations. */
function sampleOf({ type, enum: values, const: only, properties, items, anyOf, ...limits }: JsonSchema): unknown {
  if (only !== undefined) return only;
  if (values) return values[0];
  if (anyOf) return anyOf[0] ? sampleOf(anyOf[0]) : null;
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, sampleOf(each)]));
  if (type === 'array') return items ? [sampleOf(items)] : [];
  if (type === 'integer' || type === 'number') return Math.max(60, limits.minimum ?? 0);
  if (type === 'boolean') return true;
  return 'x'.repeat(Math.max(3, limits.minLength ?? 0));
}

export interface World {
  calls: readonly DescribedCall[];
  askers: readonly Asker[];
  clientHello: Buffer;
}

/** The case for a seed. */
export function createUniverseCase({ calls, askers, clientHello }: World, random: Random): UniverseCase {
  const asker = pick(askers, random);
  const chance = random(1000);
  const alone = { asker, isAlone: true, isHead: false, isForbidden: true } as const;
  if (chance < 10) {
    const bytes = once(3, random) ? randomBytes(1 + random(2000), random) : mutateBytes(clientHello, random);
    return { ...alone, kind: 'not TLS', isPlain: true, parts: [bytes], until: once(6, random) ? 'left' : 'ended' };
  }
  if (chance < 30) {
    const bytes = randomBytes(1 + random(3000), random);
    return { ...alone, kind: 'garbage', isPlain: false, parts: [bytes], until: once(6, random) ? 'left' : 'settled' };
  }
  if (chance < 45) return pipeline(calls, asker, random);
  return send(pick(calls, random), asker, random);
}

function send(call: DescribedCall, asker: Asker, random: Random): UniverseCase {
  const message = messageOf(call, asker, random);
  const isPathChanged = once(12, random);
  const isHeadChanged = once(12, random);
  const { method } = message;
  if (isPathChanged) changePath(message, random);
  if (isHeadChanged) changeHeaders(message, random);
  if (once(60, random)) {
    message.method = pick(['HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'TRACE', 'GET', 'POST', 'PUT', 'QUERY'], random);
  }
  const isChanged = isPathChanged || isHeadChanged || message.method !== method;
  const framing = isChanged || !once(20, random) ? undefined : pick(quickFramings, random);
  const parts = framing
    ? framing(message, random)
    : [head(message, lengthOf(message)), message.body ?? Buffer.alloc(0)];
  const isEndless = endless.includes(call.operationId);
  const isWhole = !isChanged && framing === undefined;
  const isLeft = isEndless || once(80, random);
  return {
    kind: call.operationId,
    asker,
    isPlain: false,
    isAlone: !isWhole || isLeft,
    isForbidden: isWhole && !asker.may.includes(call.access),
    parts: parts.filter(({ length }) => length > 0),
    isHead: message.method === 'HEAD',
    until: isLeft ? 'left' : isWhole ? 'answered' : 'settled',
  };
}

/** Waiting for half a body would take too long. */
const quickFramings = framings.filter((framing) => framing !== cutOff);

function messageOf(call: DescribedCall, asker: Asker, random: Random): Message {
  const path = call.path.replace(/\{(\w+)\}/g, (_whole, name: string) => parameterOf(name, random));
  const query = call.query.filter(() => once(2, random)).map((name) => `${name}=${queryValueOf(name, random)}`);
  const body = call.body === undefined ? undefined : bodyOf(call, random);
  const conditions = once(8, random)
    ? ([[pick(['If-Match', 'If-None-Match', 'Last-Event-ID'], random), pick(oddHeaders, random)]] as [string, string][])
    : [];
  return {
    kind: call.operationId,
    identity: 'anonymous',
    method: call.method,
    target: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: [
      ['Host', 'universe.nova.internal'],
      ...asker.headers,
      ...conditions,
      ...(consoles.includes(call.operationId) && once(2, random) ? handshake(random) : []),
      ...(body ? ([['Content-Type', 'application/json']] as [string, string][]) : []),
    ],
    ...(body && { body }),
  };
}

/** The headers of a WebSocket, mostly valid. */
function handshake(random: Random): [string, string][] {
  const key = Buffer.alloc(16, 'nova').toString('base64');
  const all: [string, string][] = [
    ['Upgrade', pick(['websocket', 'WebSocket', 'nova-console', 'h2c, websocket'], random)],
    ['Connection', pick(['Upgrade', 'keep-alive, Upgrade', 'close'], random)],
    ['Sec-WebSocket-Version', pick(['13', '8', '99', ''], random)],
    ['Sec-WebSocket-Key', pick([key, 'short', ''], random)],
    ['Origin', pick(['https://universe.nova.internal', 'https://evil.example', 'null'], random)],
  ];
  return all.filter(() => !once(12, random));
}

const oddHeaders = ['"1"', '1', '*', 'W/"1"', '""', '"99999999999999999999"', '-1', '', '1e9', 'NaN', '0x1', '"é"'];
const nasty = ['%00', '%ff', '..', '%2e%2e', '*', "'", '%27%20or%201=1', '__proto__', 'x'.repeat(99), '%E2%80%AE', '-'];

function parameterOf(name: string, random: Random): string {
  if (once(6, random)) return pick(nasty, random);
  if (name === 'id') return pick(['1', '2', '4711', '0', '-1', '1e3', '9007199254740993', 'abcdefghijkl'], random);
  if (name === 'user') return pick(['victim', 'nobody', 'admin', 'local'], random);
  if (name === 'cluster') return pick(['alpha', 'beta', 'demo', 'nowhere'], random);
  return pick(['alpha-main-1', 'beta-main-1', 'demo-main-1', 'nobody', 'ca'], random);
}

function queryValueOf(name: string, random: Random): string {
  if (once(3, random)) return pick([...nasty, '', '%', '%zz', '1&limit=2', '[]', '1e400', '-0', '0x10'], random);
  if (name === 'limit') return pick(['1', '50', '500', '501', '0', '-1', '1.5', 'NaN', '99999999999999999999'], random);
  return pick(['alpha', 'a', '1', '0', '-1', '9007199254740991', 'running', 'admin', 'alpha-main-1'], random);
}

function bodyOf({ operationId, body }: DescribedCall, random: Random): Buffer {
  if (typeof body === 'string') return once(2, random) ? mutateBytes(Buffer.from(body), random) : Buffer.from(body);
  if (once(400, random)) {
    const size = pick([100_000, 1_000_000, 2_000_000, 2_200_000], random);
    return Buffer.from(jsonBomb(random(bombKinds), size, (value) => `{"documents":${value}}`));
  }
  const sample = { ...(body as object) };
  if ('documents' in sample) {
    Object.assign(sample, {
      documents: once(10, random) ? pick(corpus, random) : mutate(corpus, random),
      shown: undefined,
    });
    // Most errors are in the documents.
    if (!once(4, random)) return Buffer.from(JSON.stringify(sample));
  }
  if ('user' in sample && operationId !== 'createAccessToken')
    Object.assign(sample, { user: pick(['victim', 'admin', 'nobody', '\0', ''], random) });
  if (operationId === 'createAccessToken')
    Object.assign(sample, { user: undefined, role: pick(['viewer', 'admin'], random) });
  if (operationId === 'createUser') Object.assign(sample, { name: `made-${random(50)}` });
  if (once(5, random)) return Buffer.from(JSON.stringify(sample));
  const text = Buffer.from(mutateJson(sample, [], random));
  return once(12, random) ? mutateBytes(text, random) : text;
}

/** Several pipelined requests. */
function pipeline(calls: readonly DescribedCall[], asker: Asker, random: Random): UniverseCase {
  // Responses to HEAD are not distinguishable from others.
  const quick = calls.filter(({ operationId, method }) => !endless.includes(operationId) && method !== 'HEAD');
  const bytes = Buffer.concat(
    Array.from({ length: 2 + random(8) }, () => messageOf(pick(quick, random), asker, random))
      .filter(({ body }) => (body?.length ?? 0) < 100_000)
      .flatMap((message) => [head(message, lengthOf(message)), message.body ?? Buffer.alloc(0)]),
  );
  return {
    kind: 'pipeline',
    asker,
    isPlain: false,
    isAlone: true,
    isForbidden: false,
    parts: [once(3, random) ? mutateBytes(bytes, random) : bytes],
    isHead: false,
    until: once(10, random) ? 'left' : 'ended',
  };
}
