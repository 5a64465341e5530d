import {
  type BaseArgs,
  type Command,
  type CommandFunctionLoader,
  type RouteMap,
  buildCommand as stricliCommand,
  buildRouteMap as stricliRouteMap,
  type TypedCommandParameters,
} from '@stricli/core';
import type { Context } from './context.ts';
import {
  type CommandDocs,
  commandHelp,
  commandUsage,
  type HelpArguments,
  type RouteMapDocs,
  routeMapHelp,
} from './help.ts';

// Commands of the framework, with our own form of help.

interface CommandArguments<Flags extends Readonly<Partial<Record<keyof Flags, unknown>>>, Args extends BaseArgs> {
  /** Loads the code of the command when it is called. */
  loader: CommandFunctionLoader<Flags, Args, Context>;
  parameters: NoInfer<TypedCommandParameters<Flags, Args, Context>>;
  docs: CommandDocs;
}

export function buildCommand<
  const Flags extends Readonly<Partial<Record<keyof Flags, unknown>>> = NonNullable<unknown>,
  const Args extends BaseArgs = [],
>(given: CommandArguments<Flags, Args>): Command<Context> {
  const command = stricliCommand<Flags, Args, Context>(given);
  const { parameters } = command;
  return Object.assign(command, {
    formatHelp: (args: HelpArguments) => commandHelp(parameters, given.docs, args),
    formatUsageLine: (args: unknown) => commandUsage(parameters, given.docs, args as HelpArguments),
  });
}

interface RouteMapArguments {
  routes: Record<string, Command<Context> | RouteMap<Context>>;
  defaultCommand?: string;
  docs: RouteMapDocs;
}

export function buildRouteMap({ routes, defaultCommand, docs }: RouteMapArguments): RouteMap<Context> {
  const map = stricliRouteMap<string, Context>({
    routes,
    docs,
    ...(defaultCommand !== undefined && { defaultCommand }),
  });
  return Object.assign(map, { formatHelp: (args: HelpArguments) => routeMapHelp(routes, docs, args) });
}
