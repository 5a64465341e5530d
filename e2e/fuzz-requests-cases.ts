import { badIdentities, type Identity, type Material, nodeOf } from './fuzz-requests-identities.ts';
import {
  bombKinds,
  damageRequest,
  derOf,
  jsonBomb,
  mutateBytes,
  mutateJson,
  once,
  pick,
  randomBytes,
  restructureRequest,
  writePem,
} from './fuzz-requests-mutations.ts';
import type { Exchange } from './fuzz-requests-wire.ts';
import type { Random } from './mutate.ts';

/** One exchange, and its allowed outcome. */
export interface Case extends Exchange {
  kind: string;
  identity: Identity;
  isPlain: boolean;
  /** The connection is used for nothing else. */
  isAlone: boolean;
  /** Whether a 2xx response is an error. */
  isForbidden: boolean;
}

export interface Message {
  kind: string;
  identity: Identity;
  method: string;
  target: string;
  headers: [string, string][];
  body?: Buffer;
  isForbidden?: boolean;
}

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const goodIdentities: Identity[] = ['main', 'main', 'main', 'worker', 'unplanned'];

/** The case for a seed. `orderOf` returns the run whose log the node may currently send. */
export function createCase(material: Material, random: Random, orderOf: () => string): Case {
  const chance = random(1000);
  if (chance < 20) return notTls(material, random);
  if (chance < 60) return garbage(material, random);
  if (chance < 75) return pipeline(material, random, orderOf);
  return send(message(material, random, orderOf), random);
}

function message(material: Material, random: Random, orderOf: () => string): Message {
  const chance = random(100);
  if (chance < 18) return enrolment(material, random);
  if (chance < 38) return facts(material, random);
  if (chance < 62) return report(material, random);
  if (chance < 72) return serviceCertificate(material, random);
  if (chance < 77) return log(material, random, orderOf);
  return question(material, random);
}

// Content of requests.

function enrolment({ requests, oddRequests, certificate, key }: Material, random: Random): Message {
  const make = pick<() => [node: string, body: Buffer]>(
    [
      () => [nodeOf.target, writePem(damageRequest(requests.target, random), random)],
      () => [nodeOf.target, writePem(damageRequest(requests.targetLive, random), random)],
      () => [nodeOf.target, writePem(damageRequest(requests.rsa, random), random)],
      () => [nodeOf.target, writePem(mutateBytes(derOf(requests.target), random), random)],
      () => [nodeOf.target, writePem(restructureRequest(requests.target, key, random), random)],
      () => [nodeOf.target, writePem(restructureRequest(requests.target, key, random), random)],
      () => [nodeOf.target, writePem(derOf(requests.target), random)],
      () => [nodeOf.target, Buffer.from(pick(oddRequests, random))],
      () => [nodeOf.target, Buffer.from(pick([certificate, key], random))],
      () => [pick([nodeOf.unplanned, 'nobody', 'ca', 'localhost'], random), Buffer.from(requests.targetLive)],
      () => [nodeOf.main, writePem(damageRequest(requests.main, random), random)],
    ],
    random,
  );
  const [node, body] = make();
  return {
    kind: 'enrolment',
    identity: once(4, random) ? anyIdentity(random) : 'anonymous',
    method: 'PUT',
    target: `/puppet-ca/v1/certificate_request/${node}?environment=production`,
    headers: [['Content-Type', 'text/plain']],
    body,
    isForbidden: true,
  };
}

function serviceCertificate({ requests, oddRequests, key, nameOf }: Material, random: Random): Message {
  const identity = usually('main', random);
  const name = pick(['etcd-server', 'etcd-server', 'etcd-server', 'kubelet-client', 'identity', '__proto__'], random);
  const make = pick<() => Buffer>(
    [
      () => writePem(damageRequest(requests.service, random), random),
      () => writePem(mutateBytes(derOf(requests.service), random), random),
      () => writePem(restructureRequest(requests.service, key, random), random),
      () => writePem(derOf(requests.service), random),
      () => Buffer.from(pick(oddRequests, random)),
    ],
    random,
  );
  return {
    kind: 'service certificate',
    identity,
    method: 'POST',
    target: `/nova/v1/nodes/${nameOf(identity)}/certificates/${name}`,
    headers: [['Content-Type', 'text/plain']],
    body: make(),
    isForbidden: isBad(identity),
  };
}

function facts({ nameOf }: Material, random: Random): Message {
  const identity = once(8, random) ? 'fresh' : usually(pick(goodIdentities, random), random);
  const name = nameOf(identity);
  const document = { name, values: factValues, timestamp: '2026-11-15T13:00:00.000Z', expiration: null };
  const text = once(600, random)
    ? jsonBomb(random(bombKinds), 500 * kibibyte, (value) => `{"values":{"virtual":${value}}}`)
    : mutateJson(once(10, random) ? [document] : document, ['virtual', 'values'], random);
  return {
    kind: 'facts',
    identity,
    method: 'POST',
    target: `/puppet/v3/catalog/${name}?environment=production`,
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Accept', 'application/vnd.puppet.rich+json, application/json'],
      ...(once(2, random) ? ([['Accept-Encoding', 'gzip;q=1.0,deflate;q=0.6']] as [string, string][]) : []),
    ],
    body: factsForm(text, random),
    isForbidden: isBad(identity),
  };
}

function factsForm(text: string, random: Random): Buffer {
  const start = 'environment=production&facts_format=application%2Fjson&facts=';
  const whole = text.toWellFormed();
  const once1 = encodeURIComponent(whole);
  const twice = encodeURIComponent(once1);
  if (!once(3, random)) return Buffer.from(start + twice);
  const at = random(twice.length + 1);
  const inserted = pick(
    ['%', '%%', '%zz', '%2', '%25', '%25%', '%00', '%ff%fe', '%25ff', '%25c0%2580', '+', '&', '\0', '%u0041'],
    random,
  );
  return pick<() => Buffer>(
    [
      () => Buffer.from(start + once1),
      () => Buffer.from(start + whole),
      () => Buffer.from(start + encodeURIComponent(twice)),
      () => Buffer.from(start + twice.slice(0, at)),
      () => Buffer.from(start + twice.slice(0, at) + inserted + twice.slice(at)),
      () => Buffer.from(start + twice.slice(0, at) + inserted + twice.slice(at)),
      () => Buffer.from(`${start}${twice}&facts=${twice}`),
      () => Buffer.from(`facts=&${start}${twice}`),
      () => Buffer.from(`facts[]=${twice}`),
      () => Buffer.from(whole),
      () => Buffer.from(`\ufeff${start}${twice}`),
      () => Buffer.from(start + twice, 'utf16le'),
      () => Buffer.from(twice),
      () => Buffer.from(start),
      () => Buffer.alloc(0),
      () => mutateBytes(Buffer.from(start + twice), random),
      () => Buffer.concat([Buffer.from(start), randomBytes(200, random)]),
      () =>
        once(10, random)
          ? Buffer.alloc(pick([2 * mebibyte, 2 * mebibyte + 1, 3 * mebibyte], random), 'a=&')
          : Buffer.from('facts=%255B'),
    ],
    random,
  )();
}

function report({ nameOf }: Material, random: Random): Message {
  const identity = usually(pick([...goodIdentities, 'logging' as const], random), random);
  const name = nameOf(identity);
  return {
    kind: 'report',
    identity,
    method: 'PUT',
    target: `/puppet/v3/report/${name}?environment=production`,
    headers: [
      [
        'Content-Type',
        pick(['application/json', 'application/json', 'text/pson', 'application/json; charset=latin1'], random),
      ],
    ],
    body: reportBody(name, random),
    isForbidden: isBad(identity),
  };
}

function reportBody(name: string, random: Random): Buffer {
  if (once(600, random)) return Buffer.from(reportBomb(random));
  const text = mutateJson(reportValues(name), reportHot, random);
  return once(12, random) ? mutateBytes(Buffer.from(text), random) : Buffer.from(text);
}

const reportHot = [
  'status',
  'resource_statuses',
  'events',
  'tags',
  'logs',
  'metrics',
  'values',
  'property',
  'previous_value',
  'desired_value',
  'message',
  'configuration_version',
  'level',
  'title',
];

/** As large as a report may be, and as expensive to parse as possible. */
function reportBomb(random: Random): string {
  const size = pick([100 * kibibyte, 100 * kibibyte, mebibyte, 8 * mebibyte], random);
  const many = (piece: string, length: number): string => Array.from({ length }, () => piece).join();
  const wide = `{"a":[${many('[{},1]', size / 16)}]}`;
  const events = `[${many('{"status":"noop"}', size / 40)}]`;
  return pick<() => string>(
    [
      () =>
        jsonBomb(
          random(bombKinds),
          size,
          (value) =>
            `{"status":"changed","resource_statuses":{"a":{"events":[{"status":"success","message":${value}}]}}}`,
        ),
      () => jsonBomb(random(bombKinds), size, (value) => `{"status":"changed","time":${value}}`),
      () =>
        jsonBomb(
          random(bombKinds),
          size,
          (value) => `{"status":"changed","resource_statuses":${value},"logs":${value.slice(0, 100)}}`,
        ),
      () => jsonBomb(random(bombKinds), size, (value) => `{"status":"changed","logs":${value}}`),
      () => jsonBomb(random(bombKinds), size, (value) => `{"status":"changed","metrics":{"time":{"values":${value}}}}`),
      // One large value that is read once per event.
      () => `{"status":"changed","resource_statuses":{"a":{"name":${wide},"events":${events}}}}`,
      () =>
        `{"status":"changed","resource_statuses":{"a":{"name":"a","tags":${wide.slice(5, -1)},"events":${events}}}}`,
      () => `{"status":"changed","resource_statuses":{"a":{"name":"${'x'.repeat(size / 2)}","events":${events}}}}`,
      () =>
        `{"status":"failed","resource_statuses":{${Array.from({ length: size / 40 }, (_, index) => `"${index}":{"skipped":true,"failed":true}`).join()}}}`,
      () => `{"status":"failed","logs":[${many('{"level":"err","message":"x"}', size / 32)}]}`,
    ],
    random,
  )();
}

function log({ nameOf }: Material, random: Random, orderOf: () => string): Message {
  const identity = usually('logging', random);
  const lines = Array.from({ length: random(20) }, () =>
    pick(
      [
        'Notice: applied',
        '',
        'exit 0',
        'exit 2',
        `exit ${'9'.repeat(400)}`,
        'exit -1',
        '\u001b[2J',
        '\ud800',
        '\0',
        'x'.repeat(random(3) * 40_000),
        '{"report":{}}',
        '\r',
      ],
      random,
    ),
  );
  const text = Buffer.from(lines.join('\n'));
  const order = pick(
    [orderOf(), orderOf(), orderOf(), '00000000-0000-0000-0000-000000000000', '__proto__', '%00'],
    random,
  );
  return {
    kind: 'log',
    identity,
    method: 'PUT',
    target: `/nova/v1/nodes/${nameOf(identity)}/orders/${order}/log`,
    headers: [['Content-Type', 'text/plain']],
    body: once(3, random) ? mutateBytes(text, random) : text,
    isForbidden: isBad(identity),
  };
}

/** Requests without a body. */
function question({ nameOf, checksums }: Material, random: Random): Message {
  const identity = usually(pick(goodIdentities, random), random);
  const isOther = once(6, random);
  const name = isOther
    ? pick([nodeOf.logging, nodeOf.target, nodeOf.revoked, 'ca', 'DEMO-MAIN-1', 'demo-main-1.', '*'], random)
    : nameOf(identity);
  const own = [
    `/puppet/v3/node/${name}?environment=production`,
    `/nova/v1/nodes/${name}/order?wait=${pick(['0', '-1', '0.001', 'NaN', '', 'abc', '-Infinity', '0x0', '1e-9', '0&wait=0', '[]'], random)}`,
    `/nova/v1/nodes/${name}/keys/${pick(['service-account', 'etcd-encryption', 'identity', '__proto__', '..'], random)}`,
  ];
  const authenticated = [
    '/puppet/v3/file_metadatas/plugins?recurse=true&links=manage',
    '/puppet/v3/file_metadatas/pluginfacts',
    `/puppet/v3/static_file_content/nova/${pick([...checksums, '__proto__', '..', 'f'.repeat(64)], random)}?code_id=nova`,
    `/puppet/v3/file_content/nova/${pick([...checksums, 'constructor', '%2e%2e'], random)}`,
  ];
  const open = [
    '/puppet-ca/v1/certificate/ca',
    '/puppet-ca/v1/certificate_revocation_list/ca?environment=production',
    `/puppet-ca/v1/certificate/${name}`,
    '/status/v1/simple',
    '/status/v1/simple/server',
  ];
  const chance = random(20);
  if (chance === 0) {
    const renewing = usually('renewing', random);
    return {
      kind: 'renewal',
      identity: renewing,
      method: 'POST',
      target: '/puppet-ca/v1/certificate_renewal',
      headers: [],
      body: Buffer.alloc(0),
      isForbidden: isBad(renewing),
    };
  }
  if (chance < 4) return { kind: 'unknown', identity, method: 'GET', target: pick(unknownPaths, random), headers: [] };
  if (chance < 9) return { kind: 'question', identity, method: 'GET', target: pick(open, random), headers: [] };
  const isOwn = chance < 15;
  return {
    kind: 'question',
    identity,
    method: 'GET',
    target: pick(isOwn ? own : authenticated, random),
    headers: [],
    isForbidden: isBad(identity) || (isOwn && isOther),
  };
}

const unknownPaths = [
  '/',
  '/metrics',
  '/v1/nodes',
  '/v1/tokens',
  '/v1/plans',
  '/puppet/v3/',
  '/puppet/v3/environments',
  '/puppet/v3/file_metadata/modules/x',
  '/puppet/v3/file_bucket_file/md5/0',
  '/puppet-ca/v1/certificate_status/demo-main-1',
  '/puppet-ca/v1/certificate_statuses/all',
  '/puppet-admin-api/v1/environment-cache',
  '/pdb/query/v4/nodes',
  '/production/catalog/demo-main-1',
  '/__proto__',
  '/favicon.ico',
];

function anyIdentity(random: Random): Identity {
  return once(2, random) ? pick(badIdentities, random) : pick(goodIdentities, random);
}

/** Mostly the right identity. */
function usually(identity: Identity, random: Random): Identity {
  return once(6, random) ? pick(badIdentities, random) : identity;
}

function isBad(identity: Identity): boolean {
  return (badIdentities as readonly string[]).includes(identity);
}

// Encoding of requests.

/** A request as bytes: well-formed, or with a changed request line, header or length. */
function send(given: Message, random: Random): Case {
  const changed = {
    ...given,
    headers: [['Host', 'config.universe.nova.internal:8140'], ...given.headers] as [string, string][],
  };
  const isPathChanged = once(12, random);
  const isHeadChanged = once(12, random);
  if (isPathChanged) changePath(changed, random);
  if (isHeadChanged) changeHeaders(changed, random);
  if (once(100, random)) {
    changed.method = pick(
      ['HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'TRACE', 'GET', 'POST', 'PUT', 'CONNECT', 'PROPFIND', 'QUERY', 'M-SEARCH'],
      random,
    );
  }
  const isChanged = isPathChanged || isHeadChanged || changed.method !== given.method;
  // A bad identity gets its refusal without a read of the body: otherwise anyone could fill the server's memory.
  const isUnread = given.kind !== 'enrolment' && given.body !== undefined && isBad(given.identity);
  const framing =
    isChanged || !once(isUnread ? 12 : 30, random) ? undefined : isUnread ? cutOff : pick(framings, random);
  const parts = framing
    ? framing(changed, random)
    : [head(changed, lengthOf(changed)), changed.body ?? Buffer.alloc(0)];
  const isLeft = once(80, random);
  // A log may take as long as its run, and the server does not wait for the body of a request without one.
  const isCutOff = framing === cutOff && given.body !== undefined && given.kind !== 'log';
  const isWhole = !isChanged && (framing === undefined || isUnread);
  return {
    kind: given.kind,
    identity: given.identity,
    isPlain: false,
    isAlone: isChanged || framing !== undefined || isLeft,
    isForbidden: (given.isForbidden ?? false) && !isPathChanged,
    parts: parts.filter(({ length }) => length > 0),
    isHead: changed.method === 'HEAD',
    until: isLeft ? 'left' : isWhole ? 'answered' : isCutOff ? 'cut off' : 'settled',
  };
}

export function lengthOf({ method, body }: Message): [string, string][] {
  return body || method !== 'GET' ? [['Content-Length', String(body?.length ?? 0)]] : [];
}

export function head({ method, target, headers }: Message, more: [string, string][] = []): Buffer {
  const lines = [...headers, ...more].map(([name, value]) => (name === '' ? value : `${name}: ${value}`));
  // As latin1 bytes where possible, otherwise as UTF-8.
  return Buffer.from([`${method} ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'utf8');
}

export function changePath(message: Message, random: Random): void {
  const [path = '', query = ''] = message.target.split('?');
  const parts = path.split('/');
  const at = 1 + random(parts.length - 1);
  const part = parts[at] ?? '';
  const long = pick([301, 2000, 9000, 17_000, 80_000], random);
  const nasty = pick(
    [
      '',
      '.',
      '..',
      '%2e%2e',
      '%2f',
      '..%2f..%2fetc%2fpasswd',
      '%00',
      '%',
      '%zz',
      '%c0%af',
      '%ff',
      '%u002e',
      '%25',
      '%2525',
      '\\',
      '%5c',
      ';x=1',
      '*',
      ':name',
      '%F0%9F%92%A5',
      'узел',
      '\u0000',
      '\u007f',
      ' ',
      '%20',
      '%0d%0aX:1',
      '#',
      '?',
      '+',
      '~',
      '__proto__',
      'constructor',
      '%E2%80%AE',
      'ca',
      nodeOf.target,
      `${part}%00`,
      `${part}/`,
      `${part}.`,
      part.toUpperCase(),
      `%${part.charCodeAt(0).toString(16)}${part.slice(1)}`,
      'x'.repeat(long),
      '%41'.repeat(Math.floor(long / 3)),
      '/'.repeat(long),
      '[::1]',
      '@evil',
    ],
    random,
  );
  const change = random(7);
  if (change < 3) parts[at] = nasty;
  else if (change === 3) parts.splice(at, 0, nasty);
  else if (change === 4) parts.splice(at, 1);
  else if (change === 5) parts[at] = part + nasty;
  const changed = parts.join('/');
  const rest =
    change === 6
      ? pick(
          [
            '?',
            '?%',
            '?%zz=%',
            '?a[b][c]=d',
            '?__proto__=1',
            `?${'a=b&'.repeat(long / 4)}`,
            '?wait=0&wait=0',
            '?\u0000',
            '#x',
            '?=',
            '?&&&',
            `?x=${'%'.repeat(300)}`,
          ],
          random,
        )
      : query && `?${query}`;
  message.target = pick(
    [
      changed + rest,
      changed + rest,
      changed + rest,
      changed + rest,
      `https://evil.example${changed}${rest}`,
      `//evil.example${changed}`,
      changed.slice(1),
      '*',
      '',
    ],
    random,
  );
}

export function changeHeaders(message: Message, random: Random): void {
  const { headers, body } = message;
  const length = body?.length ?? 0;
  const add =
    (...more: [string, string][]) =>
    () =>
      void headers.push(...more);
  const right: [string, string] = ['Content-Length', String(length)];
  const type =
    (...values: string[]) =>
    () => {
      message.headers = headers.filter(([name]) => name !== 'Content-Type');
      message.headers.push(...values.map((value): [string, string] => ['Content-Type', value]), right);
    };
  const size = pick([1000, 15_000, 17_000, 100_000, 1_000_000], random);
  pick<() => void>(
    [
      type(),
      type(''),
      type(';'),
      type('/'),
      type('text'),
      type('text/plain', 'application/json'),
      type('application/json; charset=utf-16'),
      type('multipart/form-data; boundary='),
      type('application/json\u0000'),
      type(`text/${'x'.repeat(9000)}`),
      type('*/*'),
      type('__proto__'),
      add(['Content-Length', '-1']),
      add(['Content-Length', '+5']),
      add(['Content-Length', '0x10']),
      add(['Content-Length', '1e3']),
      add(['Content-Length', '']),
      add(['Content-Length', '99999999999999999999']),
      add(['Content-Length', '18446744073709551615']),
      add(['Content-Length', String(length + 1)]),
      add(['Content-Length', String(length + 9_000_000)]),
      add(['Content-Length', String(Math.max(0, length - 1))]),
      add(right, right),
      add(right, ['Content-Length', '5']),
      add(['Content-Length', `${length}, ${length}`]),
      add(['Transfer-Encoding', 'chunked'], right),
      add(['Transfer-Encoding', 'chunked']),
      add(['Transfer-Encoding', 'gzip, chunked']),
      add(['Transfer-Encoding', 'chunked, gzip']),
      add(['Transfer-Encoding', 'xchunked']),
      add(['Transfer-Encoding', ' chunked'], ['Transfer-Encoding', 'identity'], right),
      add(['Transfer-Encoding', 'identity'], right),
      add(['Content-Encoding', 'gzip'], right),
      add(['Content-Encoding', 'x'], right),
      add(['Expect', '100-continue'], right),
      add(['Expect', '200-ok'], right),
      add(['Expect', ''], right),
      add(
        [
          'Accept-Encoding',
          pick(['gzip;q=0', 'xgzip', '*', '', 'gzip'.repeat(900), 'identity;q=0, *;q=0', 'GZIP'], random),
        ],
        right,
      ),
      add(['Accept', pick(['*/*;q=', 'text/html', '', 'x'.repeat(9000)], random)], right),
      add(['Accept-Version', '2.x'], right),
      add(
        ['Connection', pick(['close', 'upgrade', 'keep-alive, close', 'x'.repeat(100), 'content-length'], random)],
        right,
      ),
      add(['Connection', 'Upgrade'], ['Upgrade', pick(['websocket', 'h2c', 'TLS/1.0'], random)], right),
      add(['Host', 'other.example'], right),
      add(
        ['X-Forwarded-For', '127.0.0.1'],
        ['X-Client-Verify', 'SUCCESS'],
        ['X-Client-DN', `CN=${nodeOf.main}`],
        right,
      ),
      add(['Cookie', '\u0001\u0002'], right),
      add(['X', 'x'.repeat(size)], right),
      add(
        ...Array.from({ length: Math.min(3000, size / 10) }, (_, index): [string, string] => [`X${index}`, '1']),
        right,
      ),
      add(['x'.repeat(size), '1'], right),
      add(['', ' folded: 1'], right),
      add(['', 'no colon'], right),
      add(['', ': no name'], right),
      add(['X Y', 'z'], right),
      add(['X\u0000', 'z'], right),
      add(['X', 'a\rb'], right),
      add(['X', 'a\nY: b'], right),
      add(['X', 'é💥'], right),
      add(['__proto__', 'x'], ['constructor', 'y'], right),
      add(['Range', 'bytes=0-,0-,0-'], ['If-None-Match', '*'], right),
      add(['Trailer', 'Content-Length'], right),
      add(['Content-Length ', String(length)]),
      () => void headers.splice(0, 1, ...([right] as [string, string][])),
      () => void headers.splice(0, 1, ['Host', pick(['', 'a b', '::', 'x'.repeat(9000), '\u0000'], random)], right),
    ],
    random,
  )();
}

type Framing = (message: Message, random: Random) => Buffer[];

/** Correct chunked encoding. */
const chunked: Framing = (message, random) => {
  const body = message.body ?? Buffer.alloc(0);
  const size = Math.max(1 + random(2000), Math.floor(body.length / 50));
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    chunks.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return [head(message, [['Transfer-Encoding', 'chunked']]), ...chunks, Buffer.from('0\r\n\r\n')];
};

const brokenChunks: Framing = (message, random) => {
  const whole = Buffer.concat(chunked(message, random).slice(1));
  const broken = pick<() => Buffer>(
    [
      () => mutateBytes(whole, random),
      () => Buffer.from('FFFFFFFFFFFFFFFF\r\nx'),
      () => Buffer.from('-1\r\nx\r\n0\r\n\r\n'),
      () => Buffer.from(`1;${'x'.repeat(pick([100, 20_000, 500_000], random))}\r\nx\r\n0\r\n\r\n`),
      () => Buffer.from('5\r\nabc'),
      () => Buffer.from('0\r\nContent-Length: 5\r\nTrailer: x\r\n\r\n'),
      () => Buffer.from(`0\r\n${'A: b\r\n'.repeat(5000)}\r\n`),
      () => Buffer.from('1\nx\n0\n\n'),
      () => Buffer.from(`${'0'.repeat(1000)}1\r\nx\r\n0\r\n\r\n`),
      () => Buffer.from('1\r\nx\r\n'.repeat(3000)),
    ],
    random,
  )();
  return [head(message, [['Transfer-Encoding', 'chunked']]), broken];
};

const short: Framing = (message) => {
  const body = message.body ?? Buffer.alloc(0);
  return [head(message, [['Content-Length', String(body.length + 100)]]), body];
};

/** Like `short`, but the server must time out by itself. */
export const cutOff: Framing = (message) => short(message, () => 0);

const torn: Framing = (message, random) => {
  const whole = Buffer.concat([head(message, lengthOf(message)), message.body ?? Buffer.alloc(0)]);
  return [whole.subarray(0, random(whole.length))];
};

const inPieces: Framing = (message, random) => {
  const whole = Buffer.concat([head(message, lengthOf(message)), message.body ?? Buffer.alloc(0)]);
  const [one, other] = [random(whole.length), random(whole.length)].toSorted((a, b) => a - b) as [number, number];
  return [whole.subarray(0, one), whole.subarray(one, other), whole.subarray(other)];
};

const mutated: Framing = (message, random) => [
  mutateBytes(Buffer.concat([head(message, lengthOf(message)), message.body ?? Buffer.alloc(0)]), random),
];

const mutatedHead: Framing = (message, random) => [
  mutateBytes(head(message, lengthOf(message)), random),
  message.body ?? Buffer.alloc(0),
];

export const framings: Framing[] = [
  chunked,
  chunked,
  chunked,
  brokenChunks,
  brokenChunks,
  brokenChunks,
  short,
  torn,
  torn,
  inPieces,
  inPieces,
  mutated,
  mutatedHead,
  mutatedHead,
  mutatedHead,
  cutOff,
];

/** Several pipelined requests; the first response is sent before the others are read. */
function pipeline(material: Material, random: Random, orderOf: () => string): Case {
  const messages = Array.from({ length: 2 + random(10) }, () => message(material, random, orderOf));
  const small = messages.filter(({ body, kind }) => (body?.length ?? 0) < 100 * kibibyte && kind !== 'renewal');
  const first = small[0] ?? {
    kind: 'question',
    identity: 'anonymous' as const,
    method: 'GET',
    target: '/',
    headers: [],
  };
  const whole = [first, ...small.slice(1)].flatMap((each) => [
    head({ ...each, headers: [['Host', 'config'], ...each.headers] }, lengthOf(each)),
    each.body ?? Buffer.alloc(0),
  ]);
  const bytes = Buffer.concat(whole);
  return {
    kind: 'pipeline',
    identity: first.identity,
    isPlain: false,
    isAlone: true,
    isForbidden: false,
    parts: [once(3, random) ? mutateBytes(bytes, random) : bytes],
    isHead: false,
    until: once(10, random) ? 'left' : 'ended',
  };
}

/** Data inside TLS that is not a request. */
function garbage({ clientHello }: Material, random: Random): Case {
  const size = pick([1, 10, 300, 5000, 20_000, 200_000], random);
  const bytes = pick<() => Buffer>(
    [
      () => randomBytes(Math.min(size, 5000), random),
      () => Buffer.alloc(0),
      () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'),
      () => Buffer.from('GET /\r\n'),
      () => Buffer.from('GET / HTTP/0.9\r\n\r\n'),
      () => Buffer.from('GET / HTTP/9.9\r\nHost: x\r\n\r\n'),
      () => Buffer.from('GET / HTTP/1.0\r\n\r\n'),
      () => Buffer.from('GET / HTTP/1.1\nHost: x\n\n'),
      () => Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      () => Buffer.from('\r\n'.repeat(size)),
      () => Buffer.from('\0'.repeat(size)),
      () => Buffer.from('A'.repeat(size)),
      () => Buffer.from(`GET /${'a'.repeat(size)} HTTP/1.1\r\nHost: x\r\n\r\n`),
      () => Buffer.from(`${'A'.repeat(size)} / HTTP/1.1\r\nHost: x\r\n\r\n`),
      () => Buffer.from('CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\nSSH-2.0-x\r\n'),
      () => Buffer.from('PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      () => Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
      () => Buffer.from('OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'),
      () => Buffer.from('GET\t/\tHTTP/1.1\r\nHost: x\r\n\r\n'),
      () => Buffer.from('GET  /  HTTP/1.1\r\nHost: x\r\n\r\n'),
      () => Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n'),
      () => clientHello,
    ],
    random,
  )();
  return {
    kind: 'garbage',
    identity: anyIdentity(random),
    isPlain: false,
    isAlone: true,
    isForbidden: true,
    parts: bytes.length > 0 ? [bytes] : [],
    isHead: false,
    until: once(6, random) ? 'left' : 'settled',
  };
}

/** Data that is not TLS. */
function notTls({ clientHello }: Material, random: Random): Case {
  const bytes = pick<() => Buffer>(
    [
      () => mutateBytes(clientHello, random),
      () => mutateBytes(clientHello, random),
      () => mutateBytes(clientHello, random),
      () => clientHello.subarray(0, random(clientHello.length)),
      () => Buffer.concat([clientHello, randomBytes(200, random)]),
      () => Buffer.concat([clientHello, clientHello]),
      () => randomBytes(1 + random(2000), random),
      () => Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      () => Buffer.from([0x16, 0x03, 0x01, 0xff, 0xff, ...randomBytes(500, random)]),
      () => Buffer.from([0x16, 0x03, 0x01, 0x00, 0x00]),
      () => Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]),
      () => Buffer.from([0x18, 0x03, 0x02, 0x00, 0x03, 0x01, 0x40, 0x00]),
      () => Buffer.from([0x80, 0x2e, 0x01, 0x00, 0x02, ...randomBytes(40, random)]),
      () => Buffer.from([0x17, 0x03, 0x03, 0x40, 0x00, ...randomBytes(100, random)]),
      () => Buffer.alloc(0),
    ],
    random,
  )();
  return {
    kind: 'not TLS',
    identity: 'anonymous',
    isPlain: true,
    isAlone: true,
    isForbidden: true,
    parts: bytes.length > 0 ? [bytes] : [],
    isHead: false,
    until: once(4, random) ? 'left' : 'settled',
  };
}

// Valid content, as agents send it.

const factValues = {
  virtual: 'kvm',
  is_virtual: true,
  kernel: 'Linux',
  kernelrelease: '6.12.0-1-amd64',
  architecture: 'amd64',
  os: {
    name: 'Debian',
    family: 'Debian',
    release: { full: '13.1', major: '13', minor: '1' },
    distro: { codename: 'trixie' },
  },
  networking: {
    hostname: 'demo-main-1',
    fqdn: 'demo-main-1.demo.nova.internal',
    ip: '10.0.0.4',
    mac: '02:00:00:00:00:01',
    interfaces: { eth0: { bindings: [{ address: '10.0.0.4', netmask: '255.255.255.0' }], mtu: 1442 } },
  },
  memory: { system: { total_bytes: 4_116_217_856, used: '1.20 GiB', capacity: '31.41%' } },
  processors: { count: 4, models: ['x', 'x', 'x', 'x'], isa: 'x86_64' },
  mountpoints: { '/': { device: '/dev/vda1', filesystem: 'ext4', options: ['rw', 'relatime'], size_bytes: 2e10 } },
  disks: { vda: { size_bytes: 21_474_836_480, vendor: '0x1af4', type: 'hdd' } },
  ssh: { ed25519: { fingerprints: { sha256: 'SSHFP 4 2 abc' }, key: 'AAAA' } },
  trusted: { authenticated: 'remote', certname: 'demo-main-1', extensions: {} },
  system_uptime: { days: 0, seconds: 3600 },
  timezone: 'UTC',
  puppetversion: '8.10.0',
};

function reportValues(name: string) {
  const event = {
    audited: false,
    property: 'content',
    previous_value: `{sha256}${'a'.repeat(64)}`,
    desired_value: Buffer.from(`{sha256}${'b'.repeat(64)}`).toString('base64'),
    historical_value: null,
    message: "content changed 'a' to 'b'",
    name: 'content_changed',
    status: 'success',
    time: '2026-11-15T13:00:00.000000000+00:00',
    corrective_change: false,
  };
  const status = {
    title: '/etc/motd',
    file: null,
    line: null,
    resource: 'File[/etc/motd]',
    resource_type: 'File',
    tags: ['file', 'piece:base'],
    changed: true,
    failed: false,
    failed_to_restart: false,
    skipped: false,
    corrective_change: false,
    out_of_sync: true,
    events: [event, { ...event, status: 'failure', property: null }, { ...event, status: 'noop' }],
  };
  return {
    host: name,
    time: '2026-11-15T13:00:00.000000000+00:00',
    status: 'changed',
    noop: false,
    noop_pending: false,
    configuration_version: '1',
    transaction_uuid: '6c1b6e6f-8b1b-4c1e-9a6b-0d7d1c4d8c11',
    report_format: 12,
    puppet_version: '8.10.0',
    environment: 'production',
    corrective_change: false,
    metrics: {
      time: {
        name: 'time',
        label: 'Time',
        values: [
          ['config_retrieval', 'Config retrieval', 0.2],
          ['total', 'Total', 1.5],
        ],
      },
      resources: { name: 'resources', label: 'Resources', values: [['total', 'Total', 60]] },
    },
    logs: [
      {
        level: 'err',
        message: 'Could not start',
        source: '//demo/Service[x]',
        tags: ['err'],
        time: '2026-11-15T13:00:00Z',
      },
      { level: 'notice', message: 'Applied catalog in 1.5 seconds' },
    ],
    resource_statuses: {
      'File[/etc/motd]': status,
      'Service[x]': { ...status, title: 'x', failed: true, changed: false, events: [] },
      'Exec[y]': { ...status, skipped: true, tags: [] },
    },
  };
}
