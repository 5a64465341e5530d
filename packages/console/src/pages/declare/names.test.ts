import { manifestText } from '@nova-platform/api';
import { expect, test } from 'vitest';
import { namesOf, withName } from './names.ts';

test.for([
  [{ name: '', domain: '' }, [], { name: 'demo', domain: 'demo.nova.local' }],
  [{ name: '', domain: '' }, ['demo', 'demo-2'], { name: 'demo-3', domain: 'demo-3.nova.local' }],
  [{ name: 'shop', domain: '' }, [], { name: 'shop', domain: 'shop.nova.local' }],
  [{ name: '', domain: 'shop.company.local' }, [], { name: 'shop', domain: 'shop.company.local' }],
  [{ name: 'shop', domain: 'k8s.company.local' }, [], { name: 'shop', domain: 'k8s.company.local' }],
] as const)('the given name or domain determines the other: %j', ([typed, taken, names]) => {
  expect(namesOf(typed, taken)).toEqual(names);
});

test('documents have a cluster name only if it differs from the first part of the domain', () => {
  const text = manifestText(
    { provider: 'local', template: 'single', domain: 'k8s.company.local', nodeNetwork: '10.20.1.0/24' },
    'en',
  );
  expect(withName(text, 'k8s', 'k8s.company.local')).toBe(text);
  expect(withName(text, 'shop', 'k8s.company.local')).toContain('clusterName: shop');
});
