import type { Command, RouteMap } from '@stricli/core';
import type { Context } from './context.ts';
import type { FrameTexts } from './texts.ts';
import { wrapped } from './tree.ts';

/** Help has the same width everywhere, so that the reference shows what a terminal shows. */
const width = 80;
/** A longer label has its description below it. */
const longestLabel = 33;
const indent = '  ';

type Target = Command<Context> | RouteMap<Context>;
export type HelpArguments = Parameters<Target['formatHelp']>[0];
type Declared = Command<Context>['parameters'];
type Flag = NonNullable<Declared['flags']>[string];

/** An example: what follows the command, and what it does. */
interface Example {
  input: string;
  brief: string;
}

export interface CommandDocs {
  brief: string;
  /** Paragraphs. Lines that begin with a space keep their form. */
  fullDescription?: string;
  customUsage?: readonly Example[];
  /** Arguments and their meanings, where the declared parameters do not show them. */
  arguments?: readonly (readonly [name: string, brief: string])[];
  /** The arguments in the usage line, where their order or form is special. */
  usage?: string;
}

interface CommandGroup {
  title: string;
  commands: readonly string[];
}

export interface RouteMapDocs {
  brief: string;
  fullDescription?: string;
  /** Sections of the list of commands; by default there is only one. */
  groups?: readonly CommandGroup[];
}

export function commandHelp(parameters: Declared, docs: CommandDocs, args: HelpArguments): string {
  const { headers } = textsOf(args);
  const name = args.prefix.join(' ');
  const positionals = positionalRows(parameters, docs);
  return document(args, docs, [
    // A name that says everything needs no line.
    [
      headers.arguments,
      rows(
        positionals.filter(([label, meaning]) => label !== meaning),
        args,
      ),
    ],
    [headers.flags, rows([...flagRows(parameters), ...additionalRows(args)], args)],
    [headers.examples, exampleLines(name, docs, args)],
    [headers.usage, [`${indent}${commandUsage(parameters, docs, args)}`]],
  ]);
}

export function routeMapHelp(routes: Record<string, Target>, docs: RouteMapDocs, args: HelpArguments): string {
  const { headers, commandWord, moreHelp } = textsOf(args);
  const name = args.prefix.join(' ');
  const all = { title: headers.commands, commands: Object.keys(routes) };
  const groups = (docs.groups ?? [all]).map(({ title, commands }): [string, string[]] => [
    title,
    rows(
      commands.map((each) => [kebab(each), routes[each]?.brief ?? '']),
      args,
      Math.max(...Object.keys(routes).map(({ length }) => length)),
      true,
    ),
  ]);
  return document(args, docs, [
    ...groups,
    [headers.flags, rows(additionalRows(args), args)],
    [headers.usage, [`${indent}${name} <${commandWord}>`, `${indent}${name} <${commandWord}> --help   ${moreHelp}`]],
  ]);
}

/** `nova-ctl scale [options] <cluster> <group=count>...` */
export function commandUsage(parameters: Declared, docs: CommandDocs, { prefix, text }: HelpArguments): string {
  const required = Object.entries(parameters.flags ?? {})
    .filter(([, flag]) => isRequired(flag))
    .map(([name, flag]) => flagLabel(name, flag));
  const { optionsWord } = text as FrameTexts;
  return [
    ...prefix,
    ...required,
    `[${optionsWord}]`,
    ...(docs.usage === undefined ? positionalNames(parameters, docs) : [docs.usage]),
  ].join(' ');
}

function document(
  args: HelpArguments,
  { brief, fullDescription }: Pick<CommandDocs, 'brief' | 'fullDescription'>,
  sections: readonly (readonly [title: string, lines: readonly string[]])[],
): string {
  const lines = [
    ...wrapped(brief, width).map((line) => bold(line, args)),
    ...(fullDescription === undefined || fullDescription === brief ? [] : ['', ...paragraphs(fullDescription)]),
    ...sections.flatMap(([title, content]) => (content.length === 0 ? [] : ['', bold(title, args), ...content])),
  ];
  return `${lines.join('\n')}\n`;
}

function paragraphs(text: string): string[] {
  return text
    .split('\n\n')
    .flatMap((each, index) => [
      ...(index === 0 ? [] : ['']),
      ...(each.startsWith(' ') ? each.split('\n') : wrapped(each.replaceAll('\n', ' '), width)),
    ]);
}

/** Commands are shown in one piece. If one does not fit beside its description, all descriptions are below. */
function exampleLines(name: string, { customUsage = [] }: CommandDocs, args: HelpArguments): string[] {
  const examples = customUsage.map(({ input, brief }) => [`${name} ${input}`.trimEnd(), brief] as const);
  const column = Math.max(0, ...examples.map(([line]) => line.length));
  const fits = examples.every(([, brief]) => 2 * indent.length + column + brief.length <= width);
  return rows(examples, args, fits ? column : 0);
}

/** Labels and their descriptions in two columns. */
function rows(
  pairs: readonly (readonly [label: string, text: string])[],
  args: HelpArguments,
  longest = longestLabel,
  isFixed = false,
): string[] {
  const fitting = pairs.map(([label]) => label.length).filter((length) => length <= longest);
  const column = isFixed ? longest : Math.max(0, ...fitting);
  const room = width - indent.length - column - indent.length;
  return pairs.flatMap(([label, text]) => {
    // A narrow column is harder to read than a line of its own.
    const isBelow = label.length > column || room < width / 4;
    const lines = isBelow ? wrapped(text, width - 2 * indent.length - 2) : wrapped(text, room);
    const padding = ' '.repeat(isBelow ? 2 * indent.length + 2 : column + 2 * indent.length);
    const [first = '', ...more] = isBelow ? ['', ...lines] : lines;
    return [
      `${indent}${bold(label, args)}${first === '' ? '' : `${' '.repeat(column - label.length)}${indent}${first}`}`,
      ...more.filter((line) => line !== '').map((line) => `${padding}${line}`),
    ];
  });
}

function positionalRows(parameters: Declared, docs: CommandDocs): (readonly [string, string])[] {
  if (docs.arguments) return [...docs.arguments];
  const { positional } = parameters;
  if (!positional) return [];
  if (positional.kind === 'array') return [[`${positional.parameter.placeholder}...`, positional.parameter.brief]];
  return positional.parameters.map(({ placeholder = '', brief }) => [placeholder, brief]);
}

function positionalNames(parameters: Declared, docs: CommandDocs): string[] {
  if (docs.arguments) return docs.arguments.map(([name]) => name.replace(/^(.*?)(\.\.\.)?$/, '<$1>$2'));
  const { positional } = parameters;
  if (!positional) return [];
  if (positional.kind === 'array') {
    const name = positional.parameter.placeholder;
    return [positional.minimum ? `<${name}>...` : `[${name}...]`];
  }
  return positional.parameters.map(({ placeholder, optional }) => (optional ? `[${placeholder}]` : `<${placeholder}>`));
}

function flagRows({ flags = {}, aliases = {} }: Declared): [string, string][] {
  return Object.entries(flags)
    .filter(([, { hidden }]) => !hidden)
    .map(([name, flag]) => {
      const alias = Object.entries(aliases).find(([, target]) => target === name)?.[0];
      return [`${aliasText(alias)}${flagLabel(name, flag)}`, `${flag.brief}${defaultText(flag)}`];
    });
}

function additionalRows({ additionalFlags }: HelpArguments): [string, string][] {
  return additionalFlags.map(({ name, aliases = [], brief }) => [`${aliasText(aliases[0])}--${kebab(name)}`, brief]);
}

/** Options without a short form are aligned with the others. */
function aliasText(alias: string | undefined): string {
  return alias === undefined ? '    ' : `-${alias}, `;
}

function flagLabel(name: string, flag: Flag): string {
  // The negated form is the only one that changes something.
  if (flag.kind === 'boolean') return flag.default === true ? `--no-${kebab(name)}` : `--${kebab(name)}`;
  if (flag.kind === 'counter') return `--${kebab(name)}`;
  if (flag.kind === 'enum') return `--${kebab(name)} ${flag.values.join('|')}`;
  return `--${kebab(name)} ${flag.placeholder ?? ''}`.trimEnd();
}

function isRequired(flag: Flag): boolean {
  const isOptional = 'optional' in flag && flag.optional === true;
  return flag.kind !== 'boolean' && flag.kind !== 'counter' && !isOptional && flag.default === undefined;
}

function defaultText(flag: Flag): string {
  if (flag.kind === 'boolean' || flag.kind === 'counter' || flag.default === undefined) return '';
  return ` [${String(flag.default)}]`;
}

function bold(text: string, { ansiColor }: HelpArguments): string {
  return ansiColor ? `\u001b[1m${text}\u001b[22m` : text;
}

function textsOf({ text }: HelpArguments): FrameTexts {
  return text as FrameTexts;
}

export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
