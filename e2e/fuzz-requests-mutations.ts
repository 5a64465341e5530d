import { createPrivateKey, sign } from 'node:crypto';
import type { Random } from './mutate.ts';

export function pick<T>(from: readonly T[], random: Random): T {
  if (from.length === 0) throw new Error('nothing to pick from');
  return from[random(from.length)] as T;
}

/** True with a probability of 1 in `times`. */
export const once = (times: number, random: Random): boolean => random(times) === 0;

export function randomBytes(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => random(256)));
}

const nastyBytes = ['\0', '\r\n', '\xff', '\xc0\x80', '\xed\xa0\x80', '%', '"', '\\', '{', '[', '=', '&', '\x1b', ' '];

/** Bytes with one to three mutations. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let changed = Buffer.from(bytes);
  for (let changes = 1 + random(3); changes > 0; changes -= 1) {
    const at = random(changed.length + 1);
    const [before, after] = [changed.subarray(0, at), changed.subarray(at)];
    const change = random(6);
    if (change === 0 && changed.length > 0) changed[at % changed.length] = random(256);
    else if (change === 1 && changed.length > 0) {
      const index = at % changed.length;
      changed[index] = (changed[index] ?? 0) ^ (1 << random(8));
    } else if (change === 2) changed = Buffer.concat([before, Buffer.from(pick(nastyBytes, random), 'latin1'), after]);
    else if (change === 3) changed = Buffer.concat([before, after.subarray(random(40))]);
    else if (change === 4) changed = Buffer.concat([before, after.subarray(0, random(60)), after]);
    else if (once(4, random)) changed = before;
  }
  return changed;
}

// Certificate requests.

interface Der {
  tag: number;
  /** Only for constructed values. */
  children?: Der[];
  value: Buffer;
}

const strangeValues = [
  Buffer.alloc(0),
  Buffer.from([0]),
  Buffer.from('\0'.repeat(64)),
  Buffer.from('demo-main-1\0.evil'),
  Buffer.from('\u202edemo'),
  Buffer.from([0xff, 0xfe, 0xd8, 0x00]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.alloc(3000, 0x61),
  Buffer.alloc(300, 0xff),
  Buffer.from([0x55, 0x1d, 0x11]),
  Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]),
  Buffer.from('99999999999999Z'),
];
const tags = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x14, 0x16, 0x1c, 0x1e, 0x24, 0x30, 0x31, 0x80, 0xa0, 0xa1, 0xbf,
  0xff,
];

/** The request with changed bytes and its original signature. */
export function damageRequest(pem: string, random: Random): Buffer {
  const der = derOf(pem);
  const [info] = readDer(der)?.children ?? [];
  // Change the signed part: no such request may be accepted.
  const signed = info ? encodeDer(info) : der;
  const from = der.indexOf(signed);
  const changed = Buffer.from(der);
  for (let changes = 1 + random(3); changes > 0; changes -= 1) {
    const at = from + random(signed.length);
    changed[at] = pick([(changed[at] ?? 0) ^ (1 << random(8)), random(256), 0x80, 0x84, 0xff, 0], random);
  }
  return changed.equals(der) ? damageRequest(pem, random) : changed;
}

/** The request with a changed structure and a new valid signature, so that it gets further than a damaged one. */
export function restructureRequest(pem: string, key: string, random: Random): Buffer {
  const tree = readDer(derOf(pem));
  const [info, algorithm] = tree?.children ?? [];
  if (!info || !algorithm) throw new Error('not a request');
  for (let changes = 1 + random(3); changes > 0; changes -= 1) changeDer(pick(nodesIn(info), random), random, info);
  const signed = encodeDer(info);
  const signature = sign('sha256', signed, createPrivateKey(key));
  const bits = Buffer.concat([Buffer.from([0]), signature]);
  return encodeDer({
    tag: 0x30,
    value: Buffer.alloc(0),
    children: [info, algorithm, { tag: 0x03, value: bits }],
  });
}

function changeDer(node: Der, random: Random, root: Der): void {
  const { children } = node;
  const change = random(7);
  if (change === 0) node.tag = pick(tags, random);
  else if (change === 1 || (!children && change < 5)) {
    node.value = once(3, random) ? mutateBytes(node.value, random) : pick(strangeValues, random);
    delete node.children;
  } else if (children && change === 2) children.splice(random(children.length + 1), 1);
  else if (children && change === 3) {
    const repeated = children[random(children.length || 1)];
    if (repeated)
      children.push(...Array.from({ length: pick([1, 1, 2, 100], random) }, () => structuredCopy(repeated)));
  } else if (children && change === 4) children.reverse();
  else if (children && change === 5) children.push(structuredCopy(pick(nodesIn(root), random)));
  else {
    // Nest the value in itself, deeper and deeper.
    for (let depth = pick([1, 3, 50, 500], random); depth > 0; depth -= 1) {
      node.children = [{ ...node }];
      node.tag = pick([0x30, 0x31, 0xa0], random);
      node.value = Buffer.alloc(0);
    }
  }
}

function structuredCopy({ tag, value, children }: Der): Der {
  return { tag, value, ...(children && { children: children.map(structuredCopy) }) };
}

function nodesIn(node: Der): Der[] {
  const found: Der[] = [];
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next);
    waiting.push(...(next.children ?? []));
  }
  return found;
}

export function derOf(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
}

function readDer(bytes: Buffer): Der | undefined {
  return readAll(bytes)[0];
}

function readAll(bytes: Buffer): Der[] {
  const all: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes.readUInt8(at);
    let length = bytes.readUInt8(at + 1);
    at += 2;
    if (length & 0x80) {
      const size = length & 0x7f;
      length = bytes.readUIntBE(at, size);
      at += size;
    }
    const value = bytes.subarray(at, at + length);
    all.push({ tag, value, ...(tag & 0x20 && { children: readAll(value) }) });
    at += length;
  }
  return all;
}

function encodeDer({ tag, value, children }: Der): Buffer {
  const content = children ? Buffer.concat(children.map(encodeDer)) : value;
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, (length >> 8) & 0xff, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const label = 'CERTIFICATE REQUEST';

/** As PEM, sometimes in one of many malformed ways. */
export function writePem(der: Buffer, random: Random): Buffer {
  if (!once(4, random)) return Buffer.from(pemOf(der));
  const base64 = der.toString('base64');
  return pick<() => Buffer>(
    [
      () => der,
      () => Buffer.from(base64),
      () => Buffer.from(pemOf(der).replaceAll('\n', '\r\n')),
      () => Buffer.from(`-----BEGIN ${label}-----${base64}-----END ${label}-----`),
      () => Buffer.from(pemOf(der), 'utf16le'),
      () => Buffer.from(`\ufeff${pemOf(der)}`),
      () => Buffer.from(pemOf(der) + pemOf(der)),
      () => Buffer.from(pemOf(der).replaceAll(label, pick(otherLabels, random))),
      () => Buffer.from(pemOf(der).toLowerCase()),
      () => Buffer.from(`${pemOf(der)}${' '.repeat(pick([100, 14_000, 16_384, 70_000, 1_000_000], random))}`),
      () =>
        Buffer.from(
          `-----BEGIN ${label}-----\n${'A'.repeat(pick([1, 15_000, 16_300], random))}\n-----END ${label}-----`,
        ),
      () => Buffer.from(`-----BEGIN ${label}-----\n${'\n'.repeat(15_000)}-----END ${label}`),
      () => Buffer.from(`-----BEGIN ${label}-----\nProc-Type: 4,ENCRYPTED\n\n${base64}\n-----END ${label}-----`),
      () => Buffer.from(pemOf(Buffer.alloc(11_000, Buffer.from([0x30, 0x80])))),
      () => Buffer.from(pemOf(Buffer.alloc(11_000, Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff])))),
      () => mutateBytes(Buffer.from(pemOf(der)), random),
      () => Buffer.alloc(0),
      () => Buffer.from('\0'.repeat(100)),
      () => randomBytes(500, random),
    ],
    random,
  )();
}

const otherLabels = [
  'CERTIFICATE',
  'NEW CERTIFICATE REQUEST',
  'PRIVATE KEY',
  'X509 CRL',
  'RSA PRIVATE KEY',
  '',
  '-----',
];

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

// JSON.

const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}1${close.repeat(depth)}`;
const deep = (open: string, close: string) => (random: Random) =>
  nested(pick([10, 900, 3000, 8000, 30_000], random), open, close);

/** Texts in the place of a value; most of them are valid values. */
const jsonValues: (string | ((random: Random) => string))[] = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1e999',
  '-1e999',
  '1e-999',
  '9007199254740993',
  '1.7976931348623157e308',
  '9'.repeat(400),
  `0.${'0'.repeat(400)}1`,
  '""',
  '"0"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u202e\\u001b[31m"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"hasOwnProperty"',
  '"valueOf"',
  '"../../../etc/passwd"',
  '"$(reboot)"',
  '"\'; drop table nodes; --"',
  `"${'x'.repeat(2001)}"`,
  `"${'\\ud83d\\udca5'.repeat(1500)}"`,
  `"${'A'.repeat(1990)}${'\\ud83d\\udca5'.repeat(20)}"`,
  `"${'QUJD'.repeat(30)}="`,
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '[[null,null,null]]',
  '{"":{}}',
  '{"length":1e9}',
  '{"toString":1,"valueOf":1}',
  '{"toString":null,"valueOf":null}',
  '{"toJSON":1}',
  '{"__proto__":{"status":"failed"}}',
  '{"__proto__":null,"constructor":{"prototype":{"x":1}}}',
  '{"then":1}',
  '{"a":1,"a":2}',
  'undefined',
  'NaN',
  '01',
  '1.',
  "'a'",
  '"\n"',
  '"\\x"',
  '"\\u12"',
  '//',
  '',
  ',',
  deep('[', ']'),
  deep('{"a":', '}'),
  deep('[{"toString":', '}]'),
  (random) => `"${'x'.repeat(pick([3000, 70_000, 400_000], random))}"`,
  (random) => `[${Array.from({ length: pick([300, 6000], random) }, () => '{}').join()}]`,
  (random) => '['.repeat(pick([100, 20_000], random)),
];

const keys = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'name',
  'length',
  'values',
  'status',
  '\u0000',
  '\ud800',
];

interface Place {
  holder: Record<string, unknown>;
  key: string;
}

/** A document with one to four of its values replaced, removed, moved or renamed; keys in `hot` more often. */
export function mutateJson(document: unknown, hot: readonly string[], random: Random): string {
  const copy: unknown = structuredClone(document);
  const raw: string[] = [];
  for (let changes = 1 + random(4); changes > 0; changes -= 1) {
    const places = placesIn(copy, 0);
    if (places.length === 0) break;
    const hotPlaces = places.filter(({ key }) => hot.includes(key));
    const place = pick(hotPlaces.length > 0 && once(2, random) ? hotPlaces : places, random);
    const other = pick(places, random);
    const { holder, key } = place;
    const change = random(8);
    if (change === 0) delete holder[key];
    else if (change === 1) holder[key] = structuredClone(other.holder[other.key]);
    else if (change === 2) holder[key] = [holder[key]];
    else if (change === 3 && !Array.isArray(holder)) {
      const value = holder[key];
      delete holder[key];
      define(holder, once(3, random) ? `${key}x`.repeat(1 + random(300)) : pick(keys, random), value);
    } else {
      const value = pick(jsonValues, random);
      raw.push(typeof value === 'string' ? value : value(random));
      holder[key] = `@raw ${raw.length - 1}@`;
    }
    if (places.length > 5000) break;
  }
  const text = JSON.stringify(copy) ?? '';
  return text.replace(/"@raw (\d+)@"/g, (_, index: string) => raw[Number(index)] ?? '');
}

/** Defines `__proto__` like any other property. */
function define(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function placesIn(value: unknown, depth: number): Place[] {
  if (typeof value !== 'object' || value === null || depth > 10) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key], depth + 1)]);
}

/** Texts of up to `size` bytes that expand a lot when parsed. */
export function jsonBomb(kind: number, size: number, wrap: (value: string) => string): string {
  const fill = (piece: string): string => `[${`${piece},`.repeat(Math.floor(size / (piece.length + 1)) - 60)}1]`;
  const depth = Math.floor(size / 2) - 200;
  const bombs: (() => string)[] = [
    () => wrap(`${'['.repeat(depth)}${']'.repeat(depth)}`),
    () => wrap('['.repeat(size - 400)),
    () => wrap(fill('[]')),
    () => wrap(fill('{}')),
    () => wrap(fill('{"a":{}}')),
    () => wrap(fill('1')),
    () => wrap(`"${'\\u0041'.repeat(Math.floor(size / 6) - 100)}"`),
    () => wrap('9'.repeat(size - 400)),
    () => wrap(`"${'é'.repeat(Math.floor(size / 2) - 400)}"`),
    () => `${' '.repeat(size - 10)}{}`,
  ];
  return bombs[kind % bombs.length]?.() ?? '';
}
export const bombKinds = 10;
