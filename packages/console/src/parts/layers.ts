interface Needing {
  name: string;
  needs: readonly string[];
}

/**
 * Arranges things in columns, each to the right of everything it needs. Dependency cycles end up in the last column.
 */
export function layersOf<T extends Needing>(things: readonly T[]): T[][] {
  const layers: T[][] = [];
  let left = [...things];
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name));
    const free = left.filter(({ needs }) => !needs.some((need) => waiting.has(need)));
    if (free.length === 0) return [...layers, left];
    layers.push(free);
    left = left.filter((each) => !free.includes(each));
  }
  return layers;
}
