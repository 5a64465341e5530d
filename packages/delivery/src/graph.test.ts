import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphProblems } from './graph.ts';

type Graph = { name: string; needs: string[] }[];

/** Any graph over a few names, in which modules may need themselves, each other, and missing modules. */
const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const anyGraph: fc.Arbitrary<Graph> = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 1 })
  .chain((present) =>
    fc.tuple(
      ...present.map((name) =>
        fc.record({ name: fc.constant(name), needs: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 }) }),
      ),
    ),
  );

const codes = (graph: Graph, wanted: string[]) => graphProblems('1.0.0', graph, wanted).map(({ code }) => code);

/** Whether all modules can be ordered after their dependencies. Missing modules have no dependencies. */
function hasOrder(graph: Graph): boolean {
  let left = graph;
  for (;;) {
    const taken = left.filter(({ needs }) => !needs.some((need) => left.some(({ name }) => name === need)));
    if (left.length === 0) return true;
    if (taken.length === 0) return false;
    left = left.filter((each) => !taken.includes(each));
  }
}

test('a cycle is reported if and only if no order exists', () => {
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const found = codes(
        graph,
        graph.map(({ name }) => name),
      );
      expect(found.includes('NOVA8402')).toBe(!hasOrder(graph));
    }),
    { numRuns: 2000 },
  );
});

test('every reported cycle is a cycle', () => {
  fc.assert(
    fc.property(anyGraph, (graph) => {
      for (const { code, params } of graphProblems('1.0.0', graph, names)) {
        if (code !== 'NOVA8402') continue;
        const way = String((params as { circle: string }).circle).split(' → ');
        expect(way.at(-1)).toBe(way[0]);
        for (const [index, name] of way.slice(0, -1).entries())
          expect(graph.find((each) => each.name === name)?.needs).toContain(way[index + 1]);
      }
    }),
  );
});

test('all unmet needs and all unknown modules are reported at once', () => {
  fc.assert(
    fc.property(anyGraph, fc.subarray(names), (graph, wanted) => {
      const problems = graphProblems('1.0.0', graph, wanted);
      const told = (code: string) =>
        problems
          .filter((each) => each.code === code)
          .map(({ params }) => (Object.values(params) as string[]).join(' '));
      const chosen = graph.filter(({ name }) => wanted.includes(name));
      const unmet = chosen.flatMap(({ name, needs }) =>
        needs.filter((need) => !chosen.some((each) => each.name === need)).map((need) => `${name} ${need}`),
      );
      expect(told('NOVA8401').toSorted()).toEqual(unmet.toSorted());
      const unknown = wanted.filter((name) => !graph.some((each) => each.name === name));
      expect(told('NOVA8403').toSorted()).toEqual(unknown.map((name) => `1.0.0 ${name}`).toSorted());
    }),
  );
});

test('modules whose needs are met have no problems', () => {
  const graph = [
    { name: 'dns', needs: ['ingress'] },
    { name: 'ingress', needs: [] },
  ];
  expect(codes(graph, ['dns', 'ingress'])).toEqual([]);
  expect(codes(graph, ['dns'])).toEqual(['NOVA8401']);
});
