import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Component } from './component.ts';

/** A module that components of one graph pin at different versions. */
export interface Misaligned {
  graph: string;
  module: string;
  /** The newest of the versions. */
  version: string;
  /** The components that pin an older one. */
  components: Component[];
}

/**
 * Components of one graph must pin the same version of every module that they share: Go then compiles it once for all of
 * them.
 */
export async function misaligned(components: readonly Component[]): Promise<Misaligned[]> {
  const found: Misaligned[] = [];
  for (const [graph, members = []] of Map.groupBy(components, ({ graph: each }) => each)) {
    if (graph === undefined) continue;
    const pins = new Map<string, Map<Component, string>>();
    for (const component of members) {
      for (const [module, version] of requirements(await readFile(join(component.folder, 'go.mod'), 'utf8')))
        pins.set(module, (pins.get(module) ?? new Map<Component, string>()).set(component, version));
    }
    for (const [module, versions] of pins) {
      const version = [...versions.values()].reduce((one, other) => (isOlder(one, other) ? other : one));
      const behind = [...versions].filter(([, each]) => each !== version).map(([component]) => component);
      if (behind.length > 0) found.push({ graph, module, version, components: behind });
    }
  }
  return found;
}

/** The versions that a go.mod requires, by module. */
export function requirements(goMod: string): Map<string, string> {
  const required = /^(?:require)?\s+(\S+) (v\S+)/gm;
  return new Map([...goMod.matchAll(required)].map(([, module = '', version = '']) => [module, version]));
}

/** Compares versions of Go modules: `v1.2.3`, and before it `v1.2.3-rc.1` and `v1.2.3-0.20260102030405-0123456789ab`. */
export function isOlder(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => {
    const [, numbers = '', suffix = ''] = /^v([\d.]+)(?:-([^+]*))?/.exec(version) ?? [];
    return { numbers: numbers.split('.').map(Number), suffix };
  });
  if (!a || !b) return false;
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  if (a.suffix === '' || b.suffix === '') return a.suffix !== '' && b.suffix === '';
  return a.suffix.localeCompare(b.suffix, 'en', { numeric: true }) < 0;
}
