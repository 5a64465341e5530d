import { ProblemError } from '@nova-platform/api';
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

test('what is shown is what was declared, without secrets', () => {
  const shown = masked(documents);
  expect(shown).not.toMatch(/hunter2|swordfish/);
  expect(shown).toContain('password: "******"');
  // A default is not what somebody declared.
  expect(shown).not.toContain('kubernetesVersion');
  expect(shown).toContain('dnsBaseDomain: demo.nova.local');
});

test('what was shown and changed keeps the secrets that were not seen', () => {
  const shown = masked(documents).replace('port: 3128', 'port: 8080');
  expect(unmasked('demo', shown, documents)).toBe(shown.replace('******', 'hunter2'));
  // Another one that was given is taken, and what holds none stays as it was written.
  const another = `${proxy('other')}---\n${infrastructure}# a remark\n`;
  expect(unmasked('demo', another, documents)).toBe(another);
});

test('a mask that stands for nothing is refused with its place, and broken text is left to whoever reads it', () => {
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
