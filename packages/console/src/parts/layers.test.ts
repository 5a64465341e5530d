import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layersOf } from './layers.ts';

const names = (layers: { name: string }[][]) => layers.map((layer) => layer.map(({ name }) => name));

test('each module is to the right of everything it needs, as far left as possible', () => {
  const modules = [
    { name: 'dns', needs: ['ingress'] },
    { name: 'ingress', needs: [] },
    { name: 'grafana', needs: ['dns', 'storage'] },
    { name: 'storage', needs: ['not-of-this-release'] },
  ];
  expect(names(layersOf(modules))).toEqual([['ingress', 'storage'], ['dns'], ['grafana']]);
  expect(layersOf([])).toEqual([]);
});

test('each module appears exactly once, even in a dependency cycle', () => {
  const module = fc.integer({ min: 0, max: 8 });
  fc.assert(
    fc.property(fc.array(fc.tuple(module, fc.array(module, { maxLength: 3 })), { maxLength: 9 }), (pairs) => {
      const things = [...new Map(pairs)].map(([name, needs]) => ({ name: String(name), needs: needs.map(String) }));
      expect(names(layersOf(things)).flat().toSorted()).toEqual(things.map(({ name }) => name).toSorted());
    }),
  );
});
