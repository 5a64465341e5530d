import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type OperationKind, operation } from './definition.ts';

const title = { en: 'any', ru: 'любой' };
const run = async () => undefined;
const base = () =>
  operation({ kind: 'test', title, input: z.object({ nodes: z.array(z.string()) }), lock: () => undefined });
const named = (names: readonly string[]) => names.map((name) => ({ name }));

test('steps run one after the other by default', () => {
  const kind = base()
    .step('first', { title, run })
    .each('nodes', ({ nodes }) => named(nodes), { title, run })
    .step('last', { title, run });
  expect(kind.plan({ nodes: ['a', 'b'] })).toEqual([
    { name: 'first', item: undefined, after: [] },
    { name: 'nodes/a', item: { name: 'a' }, after: ['first'] },
    { name: 'nodes/b', item: { name: 'b' }, after: ['first'] },
    { name: 'last', item: undefined, after: ['nodes/a', 'nodes/b'] },
  ]);
});

test('items that run in turn wait for each other, and the first item waits for the earlier steps', () => {
  const kind = base()
    .step('first', { title, run })
    .each('nodes', ({ nodes }) => named(nodes), { title, run, isInTurn: true })
    .step('last', { title, run });
  expect(kind.plan({ nodes: ['a', 'b', 'c'] }).map(({ name, after }) => [name, after])).toEqual([
    ['first', []],
    ['nodes/a', ['first']],
    ['nodes/b', ['nodes/a']],
    ['nodes/c', ['nodes/b']],
    ['last', ['nodes/a', 'nodes/b', 'nodes/c']],
  ]);
});

test('steps after an empty group wait for the steps before it', () => {
  const kind = base()
    .step('first', { title, run })
    .each('nodes', ({ nodes }) => named(nodes), { title, run })
    .each('again', ({ nodes }) => named(nodes), { title, run })
    .step('last', { title, run });
  expect(kind.plan({ nodes: [] }).map(({ name, after }) => [name, after])).toEqual([
    ['first', []],
    ['last', ['first']],
  ]);
});

test('results are keyed by step; the results of items form one record, even if it is empty', () => {
  const kind = base()
    .step('one', { title, run })
    .each('nodes', ({ nodes }) => named(nodes), { title, run })
    .each('others', ({ nodes }) => named(nodes), { title, run });
  const done = [
    { name: 'one', result: 1 },
    { name: 'nodes/a', result: undefined },
    { name: 'nodes/b/c', result: 2 },
    { name: 'nodes/__proto__', result: 3 },
  ];
  const results = kind.resultsOf(done);
  expect(Object.keys(results)).toEqual(['one', 'nodes', 'others']);
  expect(results.others).toEqual({});
  expect(Object.entries(results.nodes ?? {})).toEqual([
    ['a', undefined],
    ['b/c', 2],
    ['__proto__', 3],
  ]);
});

/** A step of a generated definition: its number of items, and the earlier steps that it waits for. */
const entries = fc.array(
  fc.record({
    /** Undefined for a step without items. */
    count: fc.option(fc.nat(3), { nil: undefined }),
    after: fc.option(fc.array(fc.nat(20), { maxLength: 4 }), { nil: undefined }),
  }),
  { maxLength: 12 },
);

test('every definition has an order in which all steps can run, and it respects the declared dependencies', () => {
  fc.assert(
    fc.property(entries, (given) => {
      let kind: OperationKind<{ nodes: string[] }> = base();
      const before: string[][] = [];
      const members: string[][] = [];
      for (const [index, { count, after }] of given.entries()) {
        const above = index === 0 ? [] : after?.map((each) => each % index);
        const options = { title, run, ...(above && { after: above.map((each) => `step-${each}`) as never[] }) };
        const name = `step-${index}`;
        const items = Array.from({ length: count ?? 0 }, (_, item) => `item-${item}`);
        kind = count === undefined ? kind.step(name, options) : kind.each(name, () => named(items), options);

        // The model: an empty group stands for the steps that it waits for.
        before.push((above ?? [index - 1]).flatMap((each) => members[each] ?? []));
        const own = count === undefined ? [name] : items.map((item) => `${name}/${item}`);
        members.push(own.length > 0 ? own : (before[index] ?? []));
      }

      const plan = kind.plan({ nodes: [] });
      expect(new Set(plan.map(({ name }) => name)).size).toBe(plan.length);
      for (const { name, after } of plan) {
        const index = Number(/\d+/.exec(name)?.[0]);
        expect(new Set(after)).toEqual(new Set(before[index]));
        expect(kind.stepOf(name)).toBeDefined();
      }
      const done = new Set<string>();
      for (let left = plan; left.length > 0; ) {
        const ready = left.filter(({ after }) => after.every((each) => done.has(each)));
        expect(ready).not.toEqual([]);
        for (const { name } of ready) done.add(name);
        left = left.filter(({ name }) => !done.has(name));
      }
    }),
  );
});
