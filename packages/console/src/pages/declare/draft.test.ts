import { expect, test } from 'vitest';
import { withoutSecrets } from './draft.ts';

const proxy = `apiVersion: config.nova-platform.io/v1alpha4
kind: Proxy
metadata:
  name: cluster
spec:
  # Of the company.
  httpProxy:
    url: http://proxy.company.local:3128
    username: nova
    password: swordfish
`;

test('a stored draft keeps comments and has no secrets', () => {
  const stored = withoutSecrets(proxy);
  expect(stored).toBe(proxy.replace('swordfish', '"******"'));
});

test('documents that are not valid YAML are not stored', () => {
  expect(withoutSecrets(`${proxy}  password: [swordfish\n`)).toBeUndefined();
});
