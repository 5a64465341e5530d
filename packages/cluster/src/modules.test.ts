import { expect, test } from 'vitest';
import { withModules } from './modules.ts';

const documents = (modules: string) => `# ours
apiVersion: config.nova-platform.io/v1alpha1
kind: Proxy
metadata: {name: cluster}
spec: {httpProxy: {server: 'http://10.9.9.9', port: 3128, username: nova, password: 'pa55'}}
---
apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: {name: cluster}
spec:
  clusterConfiguration:
    dnsBaseDomain: demo.nova.local # not yet public
${modules}`;

test('a listed module is enabled or disabled in place and keeps its settings', () => {
  const listed = documents('    modules:\n      - name: metrics-server\n        settings: {resolutionSeconds: 30}\n');
  expect(withModules(listed, { 'metrics-server': false })).toBe(`${listed}        enabled: false\n`);
  const off = documents('    modules: [{name: metrics-server, enabled: false}]\n');
  expect(withModules(off, { 'metrics-server': true })).toBe(off.replace('false', 'true'));
});

test('a module that is not listed is added, even without a list', () => {
  const none = documents('');
  expect(withModules(none, { 'metrics-server': true })).toBe(
    documents('    modules:\n      - name: metrics-server\n        enabled: true\n'),
  );
  const others = documents('    modules:\n      - name: local-path\n');
  expect(withModules(others, { 'metrics-server': true, other: true })).toBe(
    `${others}      - name: metrics-server\n        enabled: true\n      - name: other\n        enabled: true\n`,
  );
});
