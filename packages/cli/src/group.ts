import type { Text } from '@nova-platform/api';
import { buildCommand, buildRouteMap, type RouteMap } from '@stricli/core';
import type { Result } from './command.ts';
import type { Context } from './context.ts';
import type { Translate } from './language.ts';
import type { Output } from './output.ts';
import { outputFlag } from './parameters.ts';

export interface OutputFlags {
  output: Output;
}

/** A command without options of its own that takes names as arguments. */
export function simpleCommand<Args extends readonly string[]>(
  t: Translate,
  brief: Text,
  placeholders: { [K in keyof Args]: Text },
  run: () => Promise<(this: Context, flags: OutputFlags, ...args: Args) => Promise<Result>>,
  fullDescription: Text = brief,
) {
  return buildCommand<OutputFlags, Args, Context>({
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
    docs: { brief: t(brief), fullDescription: t(fullDescription) },
  });
}

export function group(
  t: Translate,
  brief: Text,
  routes: Parameters<typeof buildRouteMap<string, Context>>[0]['routes'],
): RouteMap<Context> {
  return buildRouteMap<string, Context>({ routes, docs: { brief: t(brief) } });
}

export const nameText: Text = { en: 'name', ru: 'имя' };
