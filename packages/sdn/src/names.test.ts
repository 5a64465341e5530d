import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linkName, macOf } from './names.ts';

it('a link has the name of its port if the kernel allows it', () => {
  expect(linkName('worker-1')).toBe('nova_worker-1');
  expect(linkName('alpha-control-plane-2')).toMatch(/^nova_[0-9a-f]{10}$/);
  expect(linkName('a/b')).toMatch(/^nova_[0-9a-f]{10}$/);
});

it('link names are unique and valid for the kernel', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 50 }), (ports) => {
      const links = ports.map(linkName);
      expect(new Set(links).size).toBe(ports.length);
      for (const link of links) expect(link).toMatch(/^nova_[\w-]{1,10}$/);
    }),
  );
});

it('the MAC address of a router is unicast, locally administered and constant', () => {
  expect(macOf('alpha-router:to:transit')).toMatch(/^0a(:[0-9a-f]{2}){5}$/);
  expect(macOf('alpha-router:to:transit')).toBe(macOf('alpha-router:to:transit'));
  expect(macOf('alpha-router:to:transit')).not.toBe(macOf('beta-router:to:transit'));
});
