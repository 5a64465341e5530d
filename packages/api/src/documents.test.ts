import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadDocuments } from './documents.ts';
import { infrastructure } from './infrastructure.ts';
import { kinds } from './kinds.ts';
import { describe } from './problem.ts';
import { proxy } from './proxy.ts';
import { kindSchema, walk } from './schema.ts';
import { asRead, check, manifest, type Parts, problems, vsphere } from './testing.ts';
import { parseYaml } from './yaml.ts';

const head = (kind: string, version = 'config.nova-platform.io/v1alpha1') => `apiVersion: ${version}\nkind: ${kind}\n`;
const remedies = (text: string) => check(text).map((found) => describe(found, 'en').remedy);

test.each<[promise: string, text: string, problems: string[]]>([
  ['an empty file has no document', '', ['NOVA1004 1:1']],
  ['a file of comments has no document', '# nothing\n', ['NOVA1004 1:1']],
  ['a list is not a document', '- a\n', ['NOVA2001 1:1 - a']],
  ['text is not a document', 'hello\n', ['NOVA2001 1:1 hello']],
  ['a document needs a kind', 'apiVersion: v1\n', ['NOVA2005 kind 1:1 apiVersion']],
  ['a document needs an apiVersion', 'kind: Proxy\n', ['NOVA2005 apiVersion 1:1 kind']],
  ['a kind is text', 'apiVersion: v1\nkind: [a]\n', ['NOVA2006 kind 2:1 kind']],
  ['an apiVersion is text', 'apiVersion: 1\nkind: Proxy\n', ['NOVA2006 apiVersion 1:13 1']],
  ['an unknown kind is refused', head('Proxi'), ['NOVA2002 kind 2:7 Proxi']],
  ['a kind has one version', head('Proxy', 'v1'), ['NOVA2003 apiVersion 1:13 v1']],
  [
    'inherited JavaScript properties do not count as fields',
    '__proto__: { kind: Proxy }\n',
    ['NOVA2005 kind 1:1 __proto__'],
  ],
  [
    'missing fields are reported at the document',
    head('Proxy'),
    ['NOVA2005 metadata 1:1 apiVersion', 'NOVA2005 spec 1:1 apiVersion'],
  ],
  [
    'a field without a value is reported at its key',
    `${head('Proxy')}metadata: { name: cluster }\nspec:\n`,
    ['NOVA2006 spec 4:1 spec'],
  ],
])('%s', (_, text, expected) => {
  expect(problems(text)).toEqual(expected);
});

const group = (more: string) => ({ nodeGroups: `[{ name: a, roles: [control-plane, infra], ${more} }]` });

test.each<[promise: string, parts: Parts, problems: string[]]>([
  [
    'an unknown field is refused at its key',
    { config: 'podNetwrok: 10.0.0.0/16' },
    ['NOVA2004 spec.clusterConfiguration.podNetwrok 9:5 podNetwrok'],
  ],
  [
    'a missing field is refused at its parent',
    { nodeGroups: '[{ roles: [control-plane, infra] }]' },
    ['NOVA2005 spec.nodeGroups[0].name 6:18 roles'],
  ],
  ['a missing choice is refused at its parent', { provider: '{}' }, ['NOVA2005 spec.provider.type 5:3 provider']],
  ['a value of another type is refused', group('cpu: two'), ['NOVA2006 spec.nodeGroups[0].cpu 6:63 two']],
  ['a fraction is not a whole number', group('cpu: 1.5'), ['NOVA2006 spec.nodeGroups[0].cpu 6:63 1.5']],
  [
    'a value that is not allowed is refused',
    { config: 'cni: weave' },
    ['NOVA2007 spec.clusterConfiguration.cni 9:10 weave'],
  ],
  ['a number out of bounds is refused', group('cpu: 0'), ['NOVA2008 spec.nodeGroups[0].cpu 6:63 0']],
  ['a list that is too short is refused at its key', { nodeGroups: '[]' }, ['NOVA2008 spec.nodeGroups 6:3 nodeGroups']],
  [
    'a text that is too long is refused',
    { config: `clusterName: ${'a'.repeat(33)}` },
    [`NOVA2008 spec.clusterConfiguration.clusterName 9:18 ${'a'.repeat(33)}`],
  ],
  ['a text in the wrong format is refused', group('memory: 4GB'), ['NOVA2009 spec.nodeGroups[0].memory 6:66 4GB']],
  [
    'a key in the wrong format is refused',
    group("labels: { 'a b': c }"),
    ['NOVA2010 spec.nodeGroups[0].labels["a b"] 6:68 \'a b\''],
  ],
])('%s', (_, parts, expected) => {
  expect(problems(manifest(parts))).toEqual(expected);
});

test('all problems of all files and documents are reported at once', () => {
  const broken = `${manifest({ config: 'cni: weave\nfoo: 1' })}---\n${head('Proxi')}`;
  expect(
    problems([
      { name: 'a.yaml', text: broken },
      { name: 'b.yaml', text: 'a: [' },
      { name: 'c.yaml', text: '' },
    ]),
  ).toEqual([
    'NOVA2007 spec.clusterConfiguration.cni 9:10 weave',
    'NOVA2004 spec.clusterConfiguration.foo 10:5 foo',
    'NOVA2002 kind 13:7 Proxi',
    'NOVA1101 1:5',
    'NOVA1004 1:1',
  ]);
});

test('only the first problems of a document are reported', () => {
  const unknown = Array.from({ length: 5000 }, (_, index) => `field${index}: 1`).join('\n');
  expect(check(manifest({ config: unknown })).length).toBe(50);
});

test.each<[promise: string, text: string, remedy: string]>([
  [
    'the kind',
    head('Infrastucture'),
    'Did you mean Infrastructure? Known kinds: Infrastructure, Proxy, TerraformLock.',
  ],
  [
    'the field',
    proxy.example.replace('noProxy', 'noproxy'),
    'Did you mean noProxy? Known fields here: httpProxy, httpsProxy, noProxy, trustedCA.',
  ],
  ['the value', manifest({ config: 'cni: celium' }), 'Did you mean cilium? Allowed: basic, cilium, calico.'],
])('the remedy suggests the nearest known value: %s', (_, text, remedy) => {
  expect(remedies(text)).toEqual([remedy]);
});

test('remedies describe the expected value', () => {
  expect(
    remedies(
      manifest({
        provider: '{}',
        nodeGroups: '[{ name: a, roles: [control-plane, 5], count: -1, memory: 4, taints: x, labels: { "a b": "" } }]',
        config: 'podNetwork: ten\nkubernetesVersion: 1.36',
      }),
    ),
  ).toMatchInlineSnapshot(`
    [
      "Add it: one of local, existing, zvirt, ovirt, vsphere.",
      "Allowed: control-plane, infra, ingress, worker.",
      "Use 0 to 10000.",
      "Write a Kubernetes quantity, such as 512Mi or 8Gi.",
      "Use a Kubernetes label key, such as example.com/zone.",
      "Write a list, at most 32 entries.",
      "Write a full version, such as 1.36.3.",
      "Use an IPv4 network, such as 10.20.0.0/24.",
    ]
  `);
});

test('a document without kind or apiVersion gets a list of the known ones', () => {
  expect(remedies('apiVersion: v1')).toEqual(['Add it: Infrastructure, Proxy, TerraformLock.']);
  expect(remedies('kind: Infrastructure')).toEqual(['Add it: config.nova-platform.io/v1alpha4.']);
  expect(remedies(head('Proxy', 'v1'))).toEqual(['Write apiVersion: config.nova-platform.io/v1alpha1.']);
});

test('a long value is shortened in messages', () => {
  const [found] = check(head('x'.repeat(1000)));
  expect(found?.params.kind).toBe(`${'x'.repeat(40)}…`);
});

test('a valid document has its defaults and its places', () => {
  const [document] = loadDocuments([{ name: 'p.yaml', text: `# mine\n${proxy.example}` }]).documents;
  expect(document?.kind).toBe(proxy);
  expect(document?.invalidPaths).toEqual([]);
  expect(document?.yaml.locate(['spec', 'httpsProxy', 'port'])).toEqual({
    file: 'p.yaml',
    line: 12,
    column: 11,
    snippet: '    port: 3128',
    caret: 10,
    length: 4,
  });
});

test.each(kinds.map((kind) => [kind.kind, kind.example]))('%s read by kubectl equals its declaration', (_, text) => {
  const [declared] = loadDocuments([{ name: 'declared.yaml', text }]).documents;
  const { documents, problems: found } = loadDocuments([{ name: 'read.yaml', text: asRead(text) }]);
  expect(found).toEqual([]);
  expect(documents[0]?.value).toEqual({
    ...declared?.value,
    metadata: { name: 'cluster', annotations: { 'example.com/owner': 'me' } },
  });
  expect(documents[0]?.yaml.value).not.toHaveProperty('status');
});

test('unknown metadata fields are refused, also next to those of the API server', () => {
  expect(problems(asRead(proxy.example).replace('  uid:', '  uuid:'))).toEqual(['NOVA2004 metadata.uuid 18:3 uuid']);
});

test('an invalid field is dropped, and the rest is kept', () => {
  const [document] = loadDocuments([
    { name: 'p.yaml', text: proxy.example.replace('noProxy: 10', 'noProxy: ", 10"  # ') },
  ]).documents;
  expect(document?.invalidPaths).toEqual([['spec', 'noProxy']]);
  expect(document?.value.spec).toEqual({
    httpProxy: { server: 'http://172.31.100.100', port: 3128 },
    httpsProxy: { server: 'http://172.31.100.100', port: 3128 },
  });
});

test('for any value of any field, every problem has a place', () => {
  const paths: string[][] = [];
  walk(kindSchema(infrastructure), (path) => {
    paths.push(path.flatMap((step) => (step.endsWith('[]') ? [step.slice(0, -2), '0'] : [step])));
  });
  const [base] = parseYaml({ name: 'base.yaml', text: manifest(vsphere) }).documents;
  const changed = (path: string[], value: unknown) => {
    const copy = structuredClone(base?.value) as Record<string, unknown>;
    const holder = path.slice(0, -1).reduce((here, step) => {
      here[step] ??= {};
      return here[step] as Record<string, unknown>;
    }, copy);
    holder[path.at(-1) ?? ''] = value;
    return JSON.stringify(copy);
  };
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
      for (const found of check(changed(path, value))) {
        expect(found.place).toMatchObject({ file: 'cluster.yaml', line: 1 });
      }
    }),
    { numRuns: 300 },
  );
});
