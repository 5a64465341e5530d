import { expect, test } from 'vitest';
import { plan } from './testing.ts';

test('base modules are always there, additional ones when enabled, with the defaults of their settings', () => {
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
    { name: 'nova-dns', category: 'base', needs: [], settings: {} },
    { name: 'ingress', category: 'base', needs: [], settings: {} },
    { name: 'metrics-server', category: 'additional', needs: [], settings: { resolutionSeconds: 30 } },
  ]);
});

test('a module that is declared but not enabled is not there', () => {
  const { modules } = plan({ config: { modules: [{ name: 'metrics-server', enabled: false }] } });
  expect(modules.map(({ name }) => name)).not.toContain('metrics-server');
});

test('every module comes after what it needs', () => {
  const names = plan({ config: { modules: [{ name: 'metrics-server' }] } }).modules;
  for (const [index, { needs }] of names.entries()) {
    expect(names.slice(0, index).map(({ name }) => name)).toEqual(expect.arrayContaining(needs));
  }
});
