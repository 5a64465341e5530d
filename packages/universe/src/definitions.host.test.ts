import {
  customResourceDefinition,
  formatPath,
  kindSchema,
  kinds,
  type Path,
  type Problem,
  type Schema,
  schemaAt,
  walk,
} from '@nova-platform/api';
import {
  check,
  existing,
  externalNetwork,
  manifest,
  ovirt,
  type Parts,
  vsphere,
  zvirt,
} from '@nova-platform/api/testing';
import { KubernetesError, type KubernetesObject } from '@nova-platform/kubernetes';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type ControlPlane, startControlPlane } from './testing/control-plane.ts';

// A real API server validates documents by our CRDs, and our validation checks the same documents.

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** Problems that only our validation finds, and why the API server cannot. docs/documents.md has the same list. */
const foundByValidationOnly: Record<string, readonly string[]> = {
  'other clusters of the site are not known to it': ['NOVA3002', 'NOVA3031'],
  'networks and names of the site are not known to it': ['NOVA3003', 'NOVA3040', 'NOVA3051', 'NOVA3052'],
  'versions and modules are those of a release': ['NOVA3007', 'NOVA3008', 'NOVA3009', 'NOVA3010'],
  // NOVA3070 and NOVA3071 as well, but only for groups with hosts.
  'hosts of all groups are too many to compare within its limits': ['NOVA3013', 'NOVA3072'],
  'CEL has no order of addresses': ['NOVA3018', 'NOVA3022'],
  'it sees one document at a time': ['NOVA3023', 'NOVA3024', 'NOVA3027'],
  'keys of mappings have no schema': ['NOVA2010'],
};

/** Each module validates its own settings. */
const isOfValidationOnly = ({ code, path }: Problem): boolean =>
  Object.values(foundByValidationOnly).flat().includes(code) || path.includes('settings');

type Json = Record<string, unknown>;

let kubernetes: ControlPlane;
beforeAll(async () => {
  kubernetes = await startControlPlane();
  for (const kind of kinds) await kubernetes.api.apply(customResourceDefinition(kind) as KubernetesObject);
  for (const { version, plural } of kinds)
    await vi.waitFor(() => kubernetes.api.get(`/apis/config.nova-platform.io/${version}/${plural}`), 20_000);
});
afterAll(() => kubernetes?.[Symbol.asyncDispose]());

/** The API server's reason to refuse a document; empty if it is accepted. Nothing is stored. */
async function refusal(document: Json): Promise<string> {
  const plural = kinds.find(({ kind }) => kind === document.kind)?.plural;
  const path = `/apis/${String(document.apiVersion)}/${plural}?dryRun=All&fieldValidation=Strict`;
  try {
    await kubernetes.api.create(path, document);
    return '';
  } catch (error) {
    if (error instanceof KubernetesError && (error.status === 400 || error.status === 422)) return error.message;
    throw error;
  }
}

const documentsIn = (text: string) => parseAllDocuments(text).map((each) => each.toJS() as Json);
const bases = [
  ...[{}, existing, zvirt, ovirt, vsphere].map((parts) => manifest(parts)),
  ...kinds.map(({ example }) => example),
].flatMap(documentsIn);

/** Values of a wrong type or format, and values that break rules between fields. */
const oddTexts = ['', ' ', 'x', 'x\n', 'Ü', '\u00a0', 'a'.repeat(400), '1Mi', '8GB', '1e9', 'none', 'cilium', 'zvirt'];
const oddNetworks = [
  '1.2.3.4',
  '10.0.0.0/8',
  '10.20.0.0/16',
  '10.20.0.0/30',
  '10.20.0.7',
  '10.233.0.7',
  '172.30.0.0/16',
];
const oddNames = ['cluster.local', 'api.cluster.local', 'demo.nova.local', 'nova.local', 'nova-oauth.demo.nova.local'];
const oddNumbers = [-1, 0, 1, 2, 3, 1.5, 100_000];
const oddLists = [[], ['x'], ['x', 'x'], [{}], ['10.20.0.7'], ['10.233.0.7'], ['cluster.local'], ['infra', 'infra']];
const oddMappings = [{}, { x: 1 }, { x: 'y' }, { 'a b': 'c' }];
const odd = fc.constantFrom<unknown>(
  true,
  ...oddTexts,
  ...oddNetworks,
  ...oddNames,
  ...oddNumbers,
  ...oddLists,
  ...oddMappings,
);

/** Values that a schema allows. */
function allowed(schema: Schema): fc.Arbitrary<unknown> {
  const { type, enum: values, const: only, pattern, properties, items, additionalProperties, propertyNames } = schema;
  const { minLength = 0, maxLength = 50, minimum = 0, maximum = 100_000, minItems = 0, maxItems = 3 } = schema;
  if (values) return fc.constantFrom(...values);
  if (only !== undefined) return fc.constant(only);
  if (pattern) return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length <= maxLength);
  if (type === 'string') return fc.string({ minLength, maxLength: Math.min(maxLength, 50), unit: 'grapheme-ascii' });
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  if (type === 'boolean') return fc.boolean();
  if (items) return fc.array(allowed(items), { minLength: minItems, maxLength: Math.min(maxItems, 3) });
  if (properties) {
    const fields = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, allowed(each)]));
    return fc.record(fields, { requiredKeys: schema.required ?? [] });
  }
  if (typeof additionalProperties === 'object')
    return fc.dictionary(
      allowed(propertyNames ?? { type: 'string' }) as fc.Arbitrary<string>,
      allowed(additionalProperties),
      { maxKeys: 3 },
    );
  return fc.jsonValue().filter((value) => value !== null);
}

/** A field of the kind's spec, with its schema. */
function fieldsOf(kind: string): { path: Path; schema: Schema }[] {
  const schema = kindSchema(kinds.find((each) => each.kind === kind) ?? expect.fail());
  const found: { path: Path; schema: Schema }[] = [];
  walk(schema, (steps) => {
    if (steps[0] !== 'spec' || steps.length === 1) return;
    const path = steps.flatMap((step): Path => (step.endsWith('[]') ? [step.slice(0, -2), 0] : [step]));
    const field = schemaAt(schema, path);
    if (field) found.push({ path, schema: field });
  });
  return found;
}

type Change = (document: Json) => void;

const changeOf = (kind: string): fc.Arbitrary<Change> =>
  fc.constantFrom(...fieldsOf(kind)).chain(({ path, schema }) => {
    const key = String(path.at(-1));
    const at = (work: (holder: Json) => void) => (document: Json) => {
      const holder = path.slice(0, -1).reduce<unknown>((here, step) => (here as Json | undefined)?.[step], document);
      if (typeof holder === 'object' && holder !== null) work(holder as Json);
    };
    const put = (name: string, value: unknown) => at((holder) => Object.assign(holder, { [name]: value }));
    return fc.oneof(
      { weight: 4, arbitrary: allowed(schema).map((value) => put(key, value)) },
      { weight: 2, arbitrary: odd.map((value) => put(key, value)) },
      { weight: 1, arbitrary: fc.constant(at((holder) => void Reflect.deleteProperty(holder, key))) },
      { weight: 1, arbitrary: fc.constant(put(`${key}x`, 1)) },
    );
  });

const documents = fc.constantFrom(...bases).chain((base) =>
  fc.array(changeOf(String(base.kind)), { maxLength: 3 }).map((changes) => {
    const document = structuredClone(base);
    for (const change of changes) change(document);
    return document;
  }),
);

test('the API server and our validation accept and refuse the same documents', async () => {
  const counts = { accepted: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(documents, async (document) => {
      const found = check(JSON.stringify(document));
      const said = await refusal(document);
      counts[said === '' ? 'accepted' : 'refused'] += 1;
      if (said === '' && found.every(isOfValidationOnly)) return;
      const verdict = found.map(({ code, path }) => `${code} ${formatPath(path)}`);
      expect({ said, verdict, refused: found.length > 0 }).toEqual({ said, verdict, refused: said !== '' });
    }),
    { numRuns: 500 },
  );
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(50);
});

const hosts = (count: number) =>
  `[${Array.from({ length: count }, (_, index) => `{ name: n${index}, address: 10.20.0.2${index} }`).join(', ')}]`;
const twoGroups = (first: string) =>
  `[{ name: a, roles: [control-plane, infra], ${first} }, { name: b, roles: [worker] }]`;
const dns = (customerDns: string) => ({ config: `extraOptions: { dns: { customerDns: { ${customerDns} } } }` });

test.each<[code: string, parts: Parts]>([
  ['NOVA3001', { config: 'podNetwork: 10.20.0.0/16' }],
  ['NOVA3001', { ...zvirt, config: 'serviceNetwork: 10.250.24.0/24' }],
  ['NOVA3004', { config: 'nodeNetwork: 10.20.0.1/24' }],
  ['NOVA3004', { ...zvirt, spec: externalNetwork.replace('.0/24', '.9/24') }],
  ['NOVA3005', { nodeGroups: twoGroups('count: 2') }],
  ['NOVA3006', { config: 'serviceNetwork: 10.233.0.0/27' }],
  ['NOVA3006', { config: 'podNetwork: 10.233.64.0/25' }],
  ['NOVA3011', { provider: '{ type: zvirt }', spec: externalNetwork }],
  ['NOVA3011', { ...zvirt, spec: '' }],
  ['NOVA3011', { ...existing, nodeGroups: twoGroups('count: 1') }],
  ['NOVA3012', { ...vsphere, spec: externalNetwork }],
  ['NOVA3012', { config: 'k8sAPIAddress: 10.20.0.9' }],
  ['NOVA3012', { ...vsphere, config: 'publishNodePorts: true' }],
  ['NOVA3013', { config: 'k8sAPIAdditionalSANs: [a.example, a.example]' }],
  ['NOVA3014', { config: '' }],
  ['NOVA3015', { config: 'k8sAPIDefaultFqdn: api.cluster.local' }],
  ['NOVA3016', { config: 'k8sAPIAdditionalSANs: [nova-oauth.demo.nova.local]' }],
  ['NOVA3017', { config: 'k8sAPIAdditionalSANs: [10.233.0.1]' }],
  ['NOVA3019', dns('servers: [10.0.0.1]')],
  [
    'NOVA3020',
    { ...existing, nodeGroups: `[{ name: a, roles: [control-plane, infra], count: 2, hosts: ${hosts(1)} }]` },
  ],
  ['NOVA3021', { ...existing, nodeGroups: `[{ name: a, roles: [control-plane, infra], hosts: ${hosts(3)} }]` }],
  ['NOVA3025', dns('enable: true, servers: [10.20.0.1]')],
  ['NOVA3026', { config: 'k8sDefaultDnsZone: nova.local' }],
  ['NOVA3028', { config: 'cni: cilium' }],
  ['NOVA3030', { config: 'delivery: none\nmodules: [{ name: metrics-server }]' }],
  ['NOVA3050', { nodeGroups: twoGroups("memory: '4096'") }],
])('%s is found by both', async (code, parts) => {
  const long = manifest(parts).replace(
    'demo.nova.local',
    code === 'NOVA3014' ? `${'a'.repeat(31)}.local` : 'demo.nova.local',
  );
  expect(check(long).map((each) => each.code)).toContain(code);
  for (const document of documentsIn(long)) expect(await refusal(document)).not.toBe('');
});

test('fields without a value are refused by validation only: the API server drops them', async () => {
  const text = manifest({ config: 'podNetwork: null' });
  expect(check(text).map(({ code }) => code)).toEqual(['NOVA2006']);
  for (const document of documentsIn(text)) expect(await refusal(document)).toBe('');
});

test('fields that are immutable after installation are immutable in the cluster too', async () => {
  const [installed] = documentsIn(manifest()) as unknown as KubernetesObject[];
  if (!installed) throw expect.fail();
  await kubernetes.api.apply(installed);
  const change = async (clusterConfiguration: object) => {
    const spec = { clusterConfiguration };
    return kubernetes.api.merge({ ...installed, spec }, '?dryRun=All').then(
      () => 'changed',
      (error: Error) => error.message.replace(/^.*: /s, ''),
    );
  };
  expect(await change({ dnsBaseDomain: 'demo.example.org' })).toBe('changed');
  expect(await change({ dnsBaseDomain: 'other.nova.local' })).toBe('the name of the cluster cannot change');
  expect(await change({ clusterName: 'other' })).toBe('the name of the cluster cannot change');
  expect(await change({ nodeNetwork: '10.21.0.0/24' })).toBe('cannot change after installation');
  expect(await change({ delivery: 'none' })).toBe('delivery cannot change to none after installation');
  const customerDns = { enable: true, forwardZones: [{ name: 'demo.nova.local', server: '10.0.0.1' }] };
  expect(await change({ extraOptions: { dns: { customerDns } } })).toBe(
    'DNS cannot change to external mode after installation',
  );
});

test('the role control-plane of installed nodes cannot change in the cluster either', async () => {
  const grouped = (roles: string, count: number) =>
    documentsIn(
      manifest({
        nodeGroups: `[{ name: main, roles: [control-plane, infra] }, { name: more, roles: ${roles}, count: ${count} }]`,
      }),
    )[0] as unknown as KubernetesObject;
  const update = async (before: KubernetesObject, after: KubernetesObject) => {
    await kubernetes.api.remove(before);
    await kubernetes.api.apply(before);
    return kubernetes.api.merge(after, '?dryRun=All').then(
      () => 'changed',
      (error: Error) => error.message.replace(/^.*: /s, ''),
    );
  };
  const refused = 'the role control-plane cannot be added to installed nodes or removed from them';
  expect(await update(grouped('[worker]', 2), grouped('[worker, control-plane]', 2))).toBe(refused);
  expect(await update(grouped('[control-plane]', 2), grouped('[worker]', 2))).toBe(refused);
  expect(await update(grouped('[worker]', 2), grouped('[worker, infra]', 2))).toBe('changed');
  expect(await update(grouped('[worker]', 0), grouped('[control-plane]', 2))).toBe('changed');
});
