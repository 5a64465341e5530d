import { kindSchema, kinds, ProblemError, type Schema, walk } from '@nova-platform/api';
import { asRead, manifest, ovirt, vsphere } from '@nova-platform/api/testing';
import { expect, test } from 'vitest';
import { masked, unmasked } from './documents.ts';

const proxy = (password: string) => `apiVersion: config.nova-platform.io/v1alpha1
kind: Proxy
metadata: {name: cluster}
spec: {httpProxy: {server: 'http://10.9.9.9', port: 3128, username: nova, password: '${password}'}}
`;
const infrastructure = `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: {name: cluster}
spec:
  provider: {type: local}
  nodeGroups:
    - {name: main, roles: [control-plane, infra, ingress, worker], count: 1, cpu: 2, memory: 4Gi}
  clusterConfiguration: {dnsBaseDomain: demo.nova.local, nodeNetwork: 10.20.0.0/24}
`;
const documents = `# the password was swordfish before\n${proxy('hunter2')}---\n${infrastructure}`;

test('masked documents contain everything but the secrets', () => {
  const shown = masked(documents);
  expect(shown).not.toMatch(/hunter2|swordfish/);
  expect(shown).toContain('password: "******"');
  // Only declared fields are shown, no defaults.
  expect(shown).not.toContain('kubernetesVersion');
  expect(shown).toContain('dnsBaseDomain: demo.nova.local');
});

test('masked documents contain nothing that kubectl added: it repeats the secrets', () => {
  const read = asRead(proxy('hunter2'));
  expect(read).toContain('{"spec":{"password":"hunter2"}}');
  expect(masked(read)).not.toMatch(/hunter2|resourceVersion|status/);
});

test('masked secrets of changed documents keep their values', () => {
  const shown = masked(documents).replace('username: nova', 'username: other');
  expect(unmasked('demo', shown, documents)).toBe(shown.replace('******', 'hunter2'));
  // A new secret replaces the old one, and documents without secrets stay as written.
  const another = `${proxy('other')}---\n${infrastructure}# a remark\n`;
  expect(unmasked('demo', another, documents)).toBe(another);
});

const problemsOf = (text: string, before: string) => {
  try {
    return unmasked('demo', text, before);
  } catch (error) {
    expect(error).toBeInstanceOf(ProblemError);
    return (error as ProblemError).problems;
  }
};

test.for([
  ['http://10.9.9.9', 'http://10.6.6.6', 'server'],
  ['http://10.9.9.9', 'https://10.9.9.9', 'server'],
  ['port: 3128', 'port: 8080', 'port'],
  ['    port: 3128\n', '', 'port'],
])('a masked secret is refused when %s beside it becomes %s', ([from = '', to = '', field]) => {
  const shown = masked(documents).replace(from, to);
  const address = `spec.httpProxy.${field}`;
  expect(problemsOf(shown, documents)).toMatchObject([
    { code: 'NOVA8422', params: { field: 'spec.httpProxy.password', address }, place: { file: 'demo.yaml' } },
  ]);
  // A secret in plain text can change its server.
  const given = shown.replace('******', 'hunter2');
  expect(unmasked('demo', given, documents)).toBe(given);
});

test.for([
  ['vsphere', manifest(vsphere), 'server: vcenter.local', 'server: evil.local'],
  ['ovirt', manifest(ovirt), 'url: https://engine.local', 'url: https://evil.local'],
])('a masked password of %s is refused when its server changes', ([type, before = '', from = '', to = '']) => {
  const shown = before.replace('hunter2', "'******'");
  expect(unmasked('demo', shown, before)).toContain('hunter2');
  expect(problemsOf(shown.replace(from, to), before)).toMatchObject([
    { code: 'NOVA8422', params: { field: `spec.provider.${type}.password` } },
  ]);
});

test('every secret has the fields of the address that it is sent to', () => {
  for (const kind of kinds) {
    const fields = new Map<string, Schema>();
    walk(kindSchema(kind), (path, field) => fields.set(path.join('.'), field));
    for (const [path, { notes }] of fields) {
      if (!notes?.secret) continue;
      const beside = path.split('.').slice(0, -1);
      const found = notes.sentTo?.filter((name) => fields.has([...beside, name].join('.')));
      expect(found, path).not.toHaveLength(0);
      expect(found, path).toBeDefined();
    }
  }
});

test('a mask without a stored secret is refused with its place, and invalid text is returned unchanged', () => {
  for (const before of ['', infrastructure]) {
    let error: unknown;
    try {
      unmasked('demo', `${infrastructure}---\n${proxy('******')}`, before);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ProblemError);
    expect((error as ProblemError).problems).toMatchObject([
      { code: 'NOVA8324', params: { field: 'spec.httpProxy.password' }, place: { file: 'demo.yaml', line: 13 } },
    ]);
  }
  const broken = `${proxy('******')}---\n${infrastructure}  unknown: 1\n`;
  expect(unmasked('demo', broken, documents)).toBe(broken);
  expect(unmasked('demo', '{', documents)).toBe('{');
});
