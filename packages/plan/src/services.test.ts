import { expect, test } from 'vitest';
import { plan } from './testing.ts';

test('Kubernetes has the first address of the service network, kube-dns the tenth, Nova DNS the second to last', () => {
  expect(plan({ config: { serviceNetwork: '10.96.0.0/26' } }).services).toEqual({
    podNetwork: '10.233.64.0/18',
    serviceNetwork: '10.96.0.0/26',
    kubernetes: '10.96.0.1',
    kubeDns: '10.96.0.10',
    novaDns: '10.96.0.62',
  });
});
