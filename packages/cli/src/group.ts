import type { Text } from '@nova-platform/api';
import type { RouteMap } from '@stricli/core';
import { buildCommand, buildRouteMap } from './build-command.ts';
import type { Result } from './command.ts';
import type { Context } from './context.ts';
import type { Translate } from './language.ts';
import type { Output } from './output.ts';
import { outputFlag } from './parameters.ts';

export interface OutputFlags {
  output: Output;
}

interface SimpleDocs {
  description?: Text;
  examples?: readonly (readonly [input: string, brief: Text])[];
}

/** A command without options of its own that takes names as arguments. */
export function simpleCommand<Args extends readonly string[]>(
  t: Translate,
  brief: Text,
  placeholders: { [K in keyof Args]: Text },
  run: () => Promise<(this: Context, flags: OutputFlags, ...args: Args) => Promise<Result>>,
  { description, examples = [] }: SimpleDocs = {},
) {
  return buildCommand<OutputFlags, Args>({
    loader: async () => {
      const [{ command }, implementation] = await Promise.all([import('./command.ts'), run()]);
      return command<OutputFlags, Args>(implementation);
    },
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: {
        kind: 'tuple',
        parameters: placeholders.map((each) => ({ parse: String, placeholder: t(each), brief: t(each) })),
      },
      // The library's types do not support a mapped tuple.
    } as never,
    docs: {
      brief: t(brief),
      ...(description && { fullDescription: t(description) }),
      customUsage: examples.map(([input, meaning]) => ({ input, brief: t(meaning) })),
    },
  });
}

export function group(
  t: Translate,
  brief: Text,
  routes: Parameters<typeof buildRouteMap>[0]['routes'],
): RouteMap<Context> {
  return buildRouteMap({ routes, docs: { brief: t(brief) } });
}

export const nameText: Text = { en: 'name', ru: 'имя' };
