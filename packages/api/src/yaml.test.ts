import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPath, describe as words } from './problem.ts';
import { proxy } from './proxy.ts';
import { brief, check } from './testing.ts';
import { isSecretKey, parseYaml } from './yaml.ts';

const parse = (text: string) => parseYaml({ name: 'a.yaml', text });
const values = (text: string) => parse(text).documents.map(({ value }) => value);
const problems = (text: string) => parse(text).problems.map(brief);
/** All lines of a file that are displayed. */
const snippets = (text: string) => [...new Set(check(text).map(({ place }) => place?.snippet))];

test.each<[promise: string, text: string, problems: string[]]>([
  ['a syntax error is reported at its place', 'a: 1\nb: [1, 2\nc: 3\n', ['NOVA1101 3:1 c']],
  ['a mapping within a line is refused', 'a: b: c', ['NOVA1101 1:4 b']],
  ['a quote that is not closed is refused', 'a: "b', ['NOVA1101 1:6']],
  ['a tab for indentation is refused', 'a:\n\tb: 1', ['NOVA1102 2:1  ']],
  ['a duplicate key is refused', 'a: 1\nb: { c: 1, c: 2 }\na: 2', ['NOVA1103 2:12 c', 'NOVA1103 3:1 a']],
  ['a duplicate key with other quotes is refused', `a: 1\n"a": 2`, ['NOVA1103 2:1 "a"']],
  ['an alias without an anchor is refused', 'a: *b', ['NOVA1106 1:4 *b']],
  ['an alias inside its own anchor is refused', 'a: &a [*a]', ['NOVA1106 1:8 *a']],
  ['a merge key is refused', 'a: &a { b: 1 }\nc:\n  <<: *a', ['NOVA1106 3:3 <<']],
  ['a custom tag is refused', 'a: !secret b', ['NOVA1106 1:4 !secret']],
  ['a list as key is refused', '? [a, b]\n: c', ['NOVA1106 1:3 [a, b]']],
  ['a mapping as key is refused', '{ { a: b }: c }', ['NOVA1106 1:3 { a: b }']],
  ['null as key is refused', '~: a', ['NOVA1106 1:1 ~']],
  ['an alias as key is refused', 'a: &b c\n*b : d', ['NOVA1106 2:1 *b']],
  ['endless brackets are refused', '['.repeat(10_000), ['NOVA1104 1:102 [']],
  ['endless braces are refused', '{a: '.repeat(10_000), ['NOVA1104 1:402 a']],
  ['endless nested lists are refused', '- '.repeat(10_000), ['NOVA1104 1:202  ']],
])('%s', (_, text, expected) => {
  expect(problems(text)).toEqual(expected);
});

test('messages name the unsupported feature', () => {
  const text = 'a: &a !t b\n<<: *a\n~: c\nd: *d\na: e';
  expect(parse(text).problems.map((found) => words(found, 'en').message)).toEqual([
    'A YAML tag cannot be used in a manifest.',
    'The merge key << cannot be used in a manifest.',
    'A key that is not text cannot be used in a manifest.',
    'An alias without an anchor above it cannot be used in a manifest.',
    'Duplicate key a.',
  ]);
});

test('a duplicate key is reported with the line of the first', () => {
  const [found] = parse('a: 1\nb: 2\nb: 3').problems;
  expect(found && words(found, 'en').remedy).toBe('Keep one. The first is on line 2.');
});

test.each<[promise: string, text: string, values: unknown[]]>([
  ['JSON is YAML', '{"a": [1, true, null, "b"]}', [{ a: [1, true, null, 'b'] }]],
  ['several documents are read', 'a: 1\n---\nb: 2\n...\n---\nc: 3\n', [{ a: 1 }, { b: 2 }, { c: 3 }]],
  ['documents with only comments are skipped', '# a\n---\na: 1\n---\n# b\n', [{ a: 1 }]],
  ['a byte order mark is skipped', '\ufeffa: 1', [{ a: 1 }]],
  ['Windows line endings are accepted', 'a: 1\r\nb:\r\n  - c\r\n', [{ a: 1, b: ['c'] }]],
  ['an alias has the value of its anchor', 'a: &x [1]\nb: *x', [{ a: [1], b: [1] }]],
  ['an anchor can be redefined', 'a: &x 1\nb: *x\nc: &x 2\nd: *x', [{ a: 1, b: 1, c: 2, d: 2 }]],
  ['keys are strings as written', '1: a\ntrue: b\n0x10: c', [{ 1: 'a', true: 'b', '0x10': 'c' }]],
  [
    'words such as yes and off are strings',
    'a: yes\nb: off\nc: 012\nd: 2026-11-15',
    [{ a: 'yes', b: 'off', c: 12, d: '2026-11-15' }],
  ],
])('%s', (_, text, expected) => {
  expect(parse(text).problems).toEqual([]);
  expect(values(text)).toEqual(expected);
});

test('documents next to an invalid one are still read', () => {
  expect(values('a: 1\n---\nb: [\n---\nc: 3\n')).toEqual([{ a: 1 }, { c: 3 }]);
});

test('keys with names of JavaScript properties are ordinary keys', () => {
  const [value] = values('__proto__: { polluted: true }\nconstructor: 1');
  expect(Object.entries(value as object)).toEqual([
    ['__proto__', { polluted: true }],
    ['constructor', 1],
  ]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect({}).not.toHaveProperty('polluted');
});

const times = (count: number, what: string) => Array(count).fill(what).join();

test('exponentially expanding aliases are refused immediately', { timeout: 5000 }, () => {
  const bomb = Array.from({ length: 60 }, (_, n) => `a${n + 1}: &a${n + 1} [${times(9, `*a${n}`)}]\n`).join('');
  expect(problems(`a0: &a0 [${times(9, 'ha')}]\n${bomb}`)).toEqual(['NOVA1105 5:26 *a3']);
});

test('an endless chain of aliases is refused', { timeout: 5000 }, () => {
  const chain = Array.from({ length: 5000 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}]\n`).join('');
  expect(problems(`a0: &a0 [ha]\n${chain}`)).toEqual(['NOVA1105 225:14 *a223']);
});

test('a few aliases of a large value are accepted', () => {
  const large = Array.from({ length: 1000 }, (_, n) => `${n}`).join();
  expect(problems(`a: &a [${large}]\nb: [${times(40, '*a')}]`)).toEqual([]);
});

test.each<[promise: string, text: (n: number) => string]>([
  ['distinct keys of one mapping', (n) => `${`key${n}`.padEnd(30, '-')}: value of a usual length\n`],
  ['one repeated key', () => 'a key of usual length: and a value of a usual length too\n'],
  ['passwords', (n) => `password${n}: a value that must be hidden, and thus found\n`],
])('5 MB of %s are read in a few seconds', { timeout: 20_000 }, (_, line) => {
  const text = Array.from({ length: 5_000_000 / line(10_000).length }, (_each, n) => line(n)).join('');
  expect(check(text).length).toBeLessThan(200);
});

test('the number of reported problems is limited', () => {
  expect(parse('a: 1\n'.repeat(5000)).problems.length).toBe(100);
});

/** A Proxy with more fields in its `httpProxy`. */
const withProxy = (text: string) =>
  proxy.example.replace(/spec:.*/s, `spec:\n  httpProxy:\n    server: http://proxy\n${text}\n`);

test.each<[where: string, text: string]>([
  ['with the wrong type', withProxy('    password: [hunter2]')],
  ['in a mapping', withProxy('    password:\n      value: hunter2\n      value: hunter2')],
  ['under a mistyped name', withProxy('    passwrod: hunter2')],
  ['under a name with missing letters', withProxy('    pasword: hunter2')],
  ['under a longer name', withProxy('    proxyPassword: hunter2')],
  ['called a token', withProxy('    authToken: hunter2')],
  ['under a quoted key', withProxy(`    "passwd": 'hunter2'`)],
  ['next to an invalid field', withProxy('    x: { password: hunter2, port: 1 }')],
  ['in a flow mapping', 'spec: { password: hunter2, x: 1 }'],
  ['in JSON', '{"spec": {"password": "hunter2", "x": 1}}'],
  ['far along its line', `{ x: ${'y'.repeat(300)}, password: hunter2, : [`],
  ['longer than the displayed part of a line', `{ password: "${'y'.repeat(300)}hunter2", : [`],
  ['on an invalid line', 'password: hunter2: x'],
  ['after a syntax error in its line', 'x: { : [, password: hunter2'],
  ['in quotes that are not closed', 'password: "hunter2'],
  ['that begins like an alias', 'password: *hunter2'],
  ['that begins like an anchor', 'password: &hunter2'],
  ['that begins like a block of text', 'password: |hunter2\nsecret: >hunter2\ntoken: | hunter2'],
  ['that begins with a reserved character', 'password: @hunter2'],
  ['that begins like a directive', 'password: %hunter2'],
  ['of several lines', 'password: |\n  hunter2\n  hunter2\nx: [\n'],
  ['of several invalid lines', 'password: |\n  hunter2\n\tx: 1\n  hunter2: [\n'],
  ['in an address', withProxy('    port: http://nova:hunter2@proxy')],
  ['in an address, in a field for addresses', withProxy('').replace('http://', 'http://nova:hunter2@')],
  ['written without a space', withProxy('    x: {password:hunter2}')],
  ['with a comma in a flow mapping', withProxy('    httpProxy: {password: a, hunter2}')],
  ['that begins like a tag', withProxy('    pasword: !hunter2')],
  ['with a part that looks like a comment', withProxy('    pasword: a #hunter2\n    x: [')],
  ['with an apostrophe', withProxy("    pasword: 'it's hunter2'")],
  ['after a bracket', withProxy('    pasword: ]hunter2')],
  ['on the line below, no deeper', 'password: |\nhunter2\nx: ['],
  ['in quotes over two lines', 'password: "a\nhunter2"\nx: [\n'],
  ['as an invalid mapping', 'password: {a: b}\n      hunter2: x\n'],
  ['with an at sign, in an address', withProxy('    port: http://user:p@hunter2@host')],
  ['with a slash, in an address', withProxy('    port: http://user:pa/hunter2@host')],
])('a password is never shown: %s', (_, text) => {
  const found = check(text);
  expect(found).not.toEqual([]);
  expect(JSON.stringify(found.map((each) => [each.place, words(each, 'en'), formatPath(each.path)]))).not.toMatch(
    'hunter2',
  );
});

test('a secret is shown as asterisks', () => {
  const [found] = check(withProxy('    password: 4815162342'));
  expect(found?.place).toMatchObject({ snippet: '    password: ******', caret: 14, length: 6 });
});

test('a password of any characters, in JSON of any shape, is never shown', () => {
  const key = fc.constantFrom('password', 'passwrod', 'Passwd', 'token', 'clientSecret', 'credentials');
  const secret = fc.string({ unit: 'binary', maxLength: 150 }).map((text) => `hunter2${text}hunter2`);
  const holder = fc.oneof(secret, fc.array(secret), fc.dictionary(fc.string(), secret));
  const document = fc.record({ kind: fc.string(), spec: fc.dictionary(fc.string(), fc.jsonValue()), key, holder });
  fc.assert(
    fc.property(document, fc.integer({ min: 0, max: 2 }), ({ kind, spec: rest, key: name, holder: value }, indent) => {
      const text = JSON.stringify({ kind, apiVersion: 1, spec: { ...rest, [name]: value } }, null, indent);
      const { documents } = parse(text);
      const places = documents.map((document) => document.locate(['spec', name]));
      expect([...snippets(text), ...places.map(({ snippet }) => snippet)].join('\n')).not.toMatch(/hunter2/);
    }),
  );
});

test('keys of secrets are recognized, even if mistyped', () => {
  const keys = ['password', 'adminPassword', 'PASSWD', 'pasword', 'paswrd', 'client-secret', 'tokens', 'credential'];
  expect(keys.filter((key) => !isSecretKey(key))).toEqual([]);
  expect(['server', 'username', 'name', 'x'.repeat(1_000_000)].filter(isSecretKey)).toEqual([]);
});

test('control characters are never shown', () => {
  expect(snippets('a: \u001b[31mred\u0007\u009b0m\u007f\nkind: 1\u0000\tx\n')).toEqual(['a: �[31mred��0m�']);
});

test('only the part of a long line around the problem is shown', () => {
  const [found] = parse(`{ ${'a'.repeat(500)}: *x, ${'b'.repeat(500)}: 1 }`).problems;
  expect(found?.place).toEqual({
    file: 'a.yaml',
    line: 1,
    column: 505,
    snippet: `${'a'.repeat(98)}: *x, ${'b'.repeat(96)}`,
    caret: 100,
    length: 2,
  });
});

test('for any text, every place is inside the text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'a',
      'password',
      ': ',
      '- ',
      '? ',
      '\n',
      '\n  ',
      '\t',
      '[',
      ']',
      '{',
      '}',
      ', ',
      '"',
      "'",
      '|\n',
      '>',
    ),
    fc.constantFrom(
      '&a ',
      '*a',
      '!t ',
      '!!binary ',
      '#',
      '---\n',
      '...\n',
      '%YAML 1.1\n',
      '<<',
      '\r\n',
      '\ufeff',
      '\u001b',
      '1',
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      const lines = text.split('\n');
      for (const { place } of check(text)) {
        const { line = 0, column = 0, snippet = '', caret = -1, length = 0 } = place ?? {};
        expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 1);
        expect(caret).toBeLessThanOrEqual(snippet.length);
        expect(length).toBeGreaterThan(0);
        expect(snippet).not.toMatch(/\p{Cc}/u);
      }
    }),
    { numRuns: 300 },
  );
});

test.each<[what: string, path: (string | number)[], target: 'key' | 'value', place: string]>([
  ['a value', ['a', 'b', 1, 'c'], 'value', '4:8 2'],
  ['its key', ['a', 'b', 1, 'c'], 'key', '4:5 c'],
  ['a mapping by its key', ['a'], 'value', '1:1 a'],
  ['a list entry by its first key', ['a', 'b', 0], 'value', '3:5 c'],
  ['a missing field by its nearest parent', ['a', 'b', 1, 'x', 'y'], 'value', '4:5 c'],
  ['a missing list entry by its list', ['a', 'b', 7], 'value', '2:3 b'],
  ['an empty value by its key', ['d'], 'value', '5:1 d'],
  ['an aliased value by its anchor', ['e', 0, 'c'], 'value', '3:8 1'],
  ['a key that is a number', ['7'], 'value', '7:4 f'],
  ['the whole document by its first key', [], 'value', '1:1 a'],
])('the place of %s', (_, path, target, expected) => {
  const [document] = parse('a:\n  b: &b\n  - c: 1\n  - c: 2\nd:\ne: *b\n7: f\n').documents;
  const { line = 0, column = 0, snippet = '', caret = 0, length = 0 } = document?.locate(path, target) ?? {};
  expect(`${line}:${column} ${snippet.slice(caret, caret + length)}`).toBe(expected);
});
