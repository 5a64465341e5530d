import { type Problem, problem } from '@nova-platform/api';
import type { Release } from './release.ts';

type Node = Pick<Release['modules'][number], 'name' | 'needs'>;

/** All problems of the modules that a cluster should have: unknown modules, unmet needs, cycles. */
export function graphProblems(release: string, known: readonly Node[], wanted: readonly string[]): Problem[] {
  const chosen = known.filter(({ name }) => wanted.includes(name));
  const names = new Set(chosen.map(({ name }) => name));
  return [
    ...wanted
      .filter((name) => !known.some((each) => each.name === name))
      .map((module) => problem('NOVA8403', { release, module })),
    ...chosen.flatMap(({ name, needs }) =>
      needs.filter((need) => !names.has(need)).map((need) => problem('NOVA8401', { module: name, need })),
    ),
    ...cyclesOf(chosen).map((cycle) => problem('NOVA8402', { circle: [...cycle, cycle[0]].join(' → ') })),
  ];
}

/** At least one cycle of each strongly connected component; none if and only if there is no cycle. */
export function cyclesOf(modules: readonly Node[]): string[][] {
  const needsOf = new Map(modules.map(({ name, needs }) => [name, needs]));
  const found = new Map<string, string[]>();
  const settled = new Set<string>();
  const visit = (name: string, path: readonly string[]) => {
    const start = path.indexOf(name);
    if (start >= 0) {
      const cycle = path.slice(start);
      const key = cycle.toSorted().join(' ');
      if (!found.has(key)) found.set(key, cycle);
      return;
    }
    if (settled.has(name)) return;
    for (const need of needsOf.get(name) ?? []) visit(need, [...path, name]);
    settled.add(name);
  };
  for (const { name } of modules) visit(name, []);
  return [...found.values()];
}
