export interface LineChange {
  sign: '+' | '-';
  line: string;
}

/** Above this size, the differing part is shown as removed and added as a whole. */
const largest = 1_000_000;

/** The changed lines between two texts, in order, without the unchanged lines. */
export function diffLines(before: string, after: string): LineChange[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end));
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function diffMiddle(old: readonly string[], now: readonly string[]): LineChange[] {
  const removed = (line: string): LineChange => ({ sign: '-', line });
  const added = (line: string): LineChange => ({ sign: '+', line });
  if (old.length * now.length > largest) return [...old.map(removed), ...now.map(added)];
  // kept[i][j]: length of the longest common subsequence of `old` from i and `now` from j.
  const kept = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const at = (i: number, j: number) => kept[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      (kept[i] as Uint32Array)[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const changes: LineChange[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && old[i] === now[j]) {
      i += 1;
      j += 1;
    } else if (i < old.length && (j === now.length || at(i + 1, j) >= at(i, j + 1))) {
      changes.push(removed(old[i] ?? ''));
      i += 1;
    } else {
      changes.push(added(now[j] ?? ''));
      j += 1;
    }
  }
  return changes;
}
