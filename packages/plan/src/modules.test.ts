import { expect, test } from 'vitest';
import { plan } from './testing.ts';

test('base modules are always planned, additional ones if enabled, with the defaults of their settings', () => {
  const { modules } = plan({
    config: {
      modules: [
        { name: 'metrics-server', settings: { resolutionSeconds: 30 } },
        { name: 'local-path', settings: { path: '/data' } },
      ],
    },
  });
  expect(modules).toEqual([
    { name: 'local-path', category: 'base', needs: [], settings: { path: '/data', defaultClass: true } },
    { name: 'ingress', category: 'base', needs: [], settings: {} },
    { name: 'nova-dns', category: 'base', needs: ['ingress'], settings: {} },
    { name: 'metrics-server', category: 'additional', needs: [], settings: { resolutionSeconds: 30 } },
  ]);
});

test('a module that is declared but not enabled is not planned', () => {
  const { modules } = plan({ config: { modules: [{ name: 'metrics-server', enabled: false }] } });
  expect(modules.map(({ name }) => name)).not.toContain('metrics-server');
});

test('every module comes after its dependencies', () => {
  const names = plan({ config: { modules: [{ name: 'metrics-server' }] } }).modules;
  for (const [index, { needs }] of names.entries()) {
    expect(names.slice(0, index).map(({ name }) => name)).toEqual(expect.arrayContaining(needs));
  }
});

test('a cluster keeps its release until another one is declared', () => {
  const first = plan({}, { newestRelease: '1.0.0' });
  expect(first.release).toBe('1.0.0');
  expect(plan({}, { current: first, newestRelease: '2.0.0' }).release).toBe('1.0.0');
  expect(plan({ config: { release: '1.5.0' } }, { current: first, newestRelease: '2.0.0' }).release).toBe('1.5.0');
  expect(plan().release).toBeUndefined();
});

test('Kubernetes alone has no modules, no release, no ingress and no zone of Nova DNS', () => {
  const bare = plan({ config: { delivery: 'none' } }, { newestRelease: '1.0.0' });
  expect(bare).toMatchObject({ modules: [] });
  expect(bare.release).toBeUndefined();
  expect(bare.certificates.map(({ name }) => name)).not.toContain('ingress-default');
  expect(bare.dns.zones.map(({ name }) => name)).toEqual(['cluster.local', '.']);
});
