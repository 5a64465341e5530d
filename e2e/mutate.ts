import { parse, stringify } from 'yaml';

export type Random = (below: number) => number;

/** A small deterministic generator (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A manifest of the corpus with one to four mutations of bytes, lines, tokens or structure. */
export function mutate(corpus: readonly string[], random: Random): string {
  let text = pick(corpus, random);
  for (let changes = 1 + random(4); changes > 0; changes -= 1) text = pick(mutations, random)(text, random, corpus);
  return random(5) === 0 ? pick(bombs, random)(text, random, corpus) : text;
}

const nastyValues = [
  '~',
  '""',
  '-1',
  '0',
  '1e309',
  '.nan',
  '-.inf',
  '0x1F',
  '2026-11-15',
  'yes',
  'null',
  '{}',
  '[]',
  '[[]]',
  '{a: {b: []}}',
  '*a',
  '&a x',
  '<<',
  '!!binary aGk=',
  '!foo bar',
  '|',
  '>-',
  '"\\u0000"',
  '10.0.0.0/33',
  '10.0.0.7/24',
  '0.0.0.0/0',
  '255.255.255.255/32',
  '999.1.1.1',
  '::1/64',
  'cluster.local',
  'a'.repeat(300),
  '9'.repeat(400),
  '1.36.99',
  'control-plane',
  '[control-plane, control-plane]',
  '? x',
  '- - - x',
  '%TAG',
  '@x',
  '`x`',
  '"\u001b[31mred"',
  '\ud800',
  'ключ',
  '💥',
  '__proto__',
  'constructor',
  '{__proto__: 1}',
  '!!set {a}',
  '0o17',
  '1_000',
  '4GB',
  '1Ti',
  '-5Gi',
];

const characters = Array.from(':{}[]&*!|>\'"#\t\n\r -%@`,?~\\/0aZ\u0000\u007f\u0085\u2028\ufeffé💥');

type Mutation = (text: string, random: Random, corpus: readonly string[]) => string;

const mutations: Mutation[] = [
  function insertCharacter(text, random) {
    const at = random(text.length + 1);
    return text.slice(0, at) + pick(characters, random).repeat(1 + random(3)) + text.slice(at);
  },
  function removeRange(text, random) {
    const at = random(text.length + 1);
    return text.slice(0, at) + text.slice(at + 1 + random(30));
  },
  function repeatRange(text, random) {
    const at = random(text.length + 1);
    return text.slice(0, at) + text.slice(at, at + random(60)).repeat(1 + random(20)) + text.slice(at);
  },
  function truncate(text, random) {
    return text.slice(0, random(text.length + 1));
  },
  function changeLine(text, random) {
    const lines = text.split('\n');
    const at = random(lines.length);
    const line = lines[at] ?? '';
    const change = random(5);
    if (change === 0) lines.splice(at, 1);
    else if (change === 1) lines.splice(at, 0, line);
    else if (change === 2) lines[at] = `${' '.repeat(random(5))}${line}`;
    else if (change === 3) lines[at] = line.replace(/^ {1,4}/, random(2) === 0 ? '' : '\t');
    else lines.splice(random(lines.length), 0, ...lines.splice(at, 1 + random(6)));
    return lines.join('\n');
  },
  replaceScalar,
  replaceScalar,
  function renameKey(text, random) {
    const keys = [...text.matchAll(/([\w-]+):/g)];
    const key = keys[random(keys.length || 1)];
    if (!key) return text;
    const name = key[1] ?? '';
    const renamed = pick(
      [`${name}s`, name.slice(1), name.toUpperCase(), pick(nastyValues, random), `${name}: ${name}`],
      random,
    );
    return text.slice(0, key.index) + renamed + text.slice(key.index + name.length);
  },
  changeStructure,
  changeStructure,
  function anotherDocument(text, random, corpus) {
    return `${text}\n${pick(['---', '...', '--- !x', '%YAML 1.3\n---'], random)}\n${pick(corpus, random)}`;
  },
];

/** Small texts that expand when parsed; not mutated further, because they would expand here. */
const bombs: Mutation[] = [
  function aliases(text, random) {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...Array.from('bcdefgh').map((name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(9)}]`),
    ];
    return pick(
      [
        `${bomb.join('\n')}\n${text}`,
        `x: &x [*x]\n${text}`,
        text.replace('metadata:', 'metadata: &m'),
        text.replace('spec:', '<<: *m\nspec:'),
      ],
      random,
    );
  },
  function nest(text, random) {
    const depth = pick([10, 90, 120, 3000], random);
    return `${text}\nx: ${pick(['['.repeat(depth), '{a: '.repeat(depth), `\n${'- '.repeat(depth)}`, '['.repeat(depth) + ']'.repeat(depth)], random)}\n`;
  },
];

function replaceScalar(text: string, random: Random): string {
  const values = [...text.matchAll(/: (\S.*)$/gm)];
  const value = values[random(values.length || 1)];
  if (!value) return text;
  const at = value.index + 2;
  return text.slice(0, at) + pick(nastyValues, random) + text.slice(at + (value[1]?.length ?? 0));
}

/** Removes a value, replaces it with another one, wraps it, or adds one. */
function changeStructure(text: string, random: Random): string {
  const documents = text.split(/^---$/m).map((part) => {
    try {
      return parse(part, { logLevel: 'silent' }) as unknown;
    } catch {
      return undefined;
    }
  });
  const places = documents.flatMap((document) => placesIn(document, 0));
  const place = places[random(places.length || 1)];
  const other = places[random(places.length || 1)];
  if (!place || !other) return text;
  const holder = place.holder as Record<string, unknown>;
  const change = random(5);
  if (change === 0) delete holder[place.key];
  else if (change === 1) holder[place.key] = structuredClone((other.holder as Record<string, unknown>)[other.key]);
  else if (change === 2) holder[place.key] = [holder[place.key]];
  else if (change === 3)
    holder[place.key] = pick([null, true, -1, 1e21, '', [], {}, [[]], 'x'.repeat(500)] as unknown[], random);
  else
    holder[`${other.key}${random(3) === 0 ? 'x' : ''}`] = structuredClone(
      (other.holder as Record<string, unknown>)[other.key],
    );
  try {
    return documents.map((document) => stringify(document, { aliasDuplicateObjects: false })).join('---\n');
  } catch {
    // An earlier mutation nested it too deep to be serialized.
    return text;
  }
}

function placesIn(value: unknown, depth: number): { holder: object; key: string }[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || depth > 12) return [];
  return Object.entries(value).flatMap(([key, child]) => [{ holder: value, key }, ...placesIn(child, depth + 1)]);
}

function pick<T>(from: readonly T[], random: Random): T {
  const picked = from[random(from.length)];
  if (picked === undefined && from.length === 0) throw new Error('nothing to pick from');
  return picked as T;
}
