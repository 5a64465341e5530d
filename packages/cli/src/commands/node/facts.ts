import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import { oneLine } from '../../outside.ts';
import { configOf } from '../../services.ts';
import type { Style } from '../../style.ts';

export async function facts(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  const found = await configOf(this.io).showFacts({ params: { name } });
  return { data: found, text: factLines(found, this.style).join('\n') };
}

/** Fact names in order, nested values indented below them. */
function factLines(value: object, style: Style): string[] {
  const entries = Array.isArray(value)
    ? value.map((each: unknown) => ['-', each] as const)
    : Object.entries(value)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, each]) => [`${style.cyan(oneLine(name))}:`, each as unknown] as const);
  return entries.flatMap(([label, each]) => {
    if (typeof each !== 'object' || each === null) return [`${label} ${oneLine(String(each), 200)}`];
    const lines = factLines(each, style);
    if (lines.length === 0) return [`${label} ${Array.isArray(each) ? '[]' : '{}'}`];
    // In a list, the first line follows the dash.
    if (label === '-') return lines.map((line, index) => `${index === 0 ? '-' : ' '} ${line}`);
    return [label, ...lines.map((line) => `  ${line}`)];
  });
}
