import { expect, test } from 'vitest';
import { chooseComponents, pinnedVersion, readComponents } from './component.ts';

const goMod = `module nova.internal/distro/etcd

go 1.26.0

tool (
	go.etcd.io/etcd/server/v3
)

require (
	go.etcd.io/etcd/server/v3 v3.6.16
	go.etcd.io/etcd/server/v3/other v1.0.0 // indirect
)
`;

test('the version is the one that go.mod requires', () => {
  expect(pinnedVersion(goMod, 'go.etcd.io/etcd/server/v3')).toBe('3.6.16');
  expect(pinnedVersion('require example.com/one v0.1.0\n', 'example.com/one')).toBe('0.1.0');
  expect(pinnedVersion(goMod, 'go.etcd.io/etcd')).toBeUndefined();
});

test('every component has a description, a pin and a licence, and every image has a check', async () => {
  const components = await readComponents();
  expect(components.map(({ name }) => name).slice(0, 2)).toEqual(['kubernetes', 'etcd']);
  for (const { name, images, programs, version, licence } of components) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+/);
    expect(licence, name).not.toBe('');
    for (const image of images) {
      expect(image.check ?? image.health, image.name).toBeDefined();
      expect(programs.map((program) => program.name)).toContain(image.program);
    }
  }
  const images = components.flatMap((component) => component.images.map((image) => image.name));
  expect(new Set(images).size).toBe(images.length);
});

test('chosen components keep the order of their names, and every unknown name is reported', async () => {
  const components = await readComponents();
  expect(chooseComponents(components, ['pause', 'etcd']).map(({ name }) => name)).toEqual(['pause', 'etcd']);
  expect(() => chooseComponents(components, ['nonsense', 'pause', 'other'])).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ code: 'NOVA8201' }), expect.objectContaining({ code: 'NOVA8201' })],
    }),
  );
});
