import { type Problem, problem, type Text } from '@nova-platform/api';
import {
  AliasNotFoundError,
  type Application,
  ArgumentParseError,
  type Command,
  EnumValidationError,
  FlagNotFoundError,
  InvalidNegatedFlagSyntaxError,
  type RouteMap,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
} from '@stricli/core';
import type { Context } from './context.ts';
import { kebab } from './help.ts';
import { type Output, outputs } from './output.ts';
import type { FrameFailure } from './texts.ts';

type Target = Command<Context> | RouteMap<Context>;

/** A failure of the framework, in the form of all other problems. */
export function usageProblem(app: Application<Context>, argv: readonly string[], failure: FrameFailure): Problem {
  const { words, target } = targetOf(app.root, argv);
  const prefix = ['nova-ctl', ...words];
  const help = `${prefix.join(' ')} --help`;
  if ('command' in failure)
    return problem('NOVA6005', { command: failure.command, nearest: didYouMean(failure.corrections), help });
  const { error } = failure;
  if (error instanceof FlagNotFoundError) {
    const nearest = didYouMean(error.corrections.map((each) => `--${each}`));
    return problem('NOVA6006', { option: `--${error.input}`, nearest, help });
  }
  if (error instanceof AliasNotFoundError)
    return problem('NOVA6006', { option: `-${error.input}`, nearest: didYouMean([]), help });
  const usage = target.formatUsageLine({ prefix, text: app.defaultText } as never);
  if (error instanceof UnsatisfiedPositionalError) {
    const [, given = 0] = error.limit ?? [];
    // A list of arguments is declared as one: `cluster, module`.
    const argument = error.placeholder.split(', ')[given] ?? error.placeholder;
    return problem('NOVA6007', { argument, usage });
  }
  if (error instanceof UnexpectedPositionalError) {
    const isFile = hasFlag(target, 'file') && /\.(ya?ml|json)$/.test(error.input);
    return problem('NOVA6008', {
      argument: error.input,
      usage,
      nearest: didYouMean(isFile ? [`-f ${error.input}`] : []),
    });
  }
  if (error instanceof UnsatisfiedFlagError)
    return problem('NOVA6009', { option: `--${error.externalFlagName}`, usage });
  if (error instanceof UnexpectedFlagError) return problem('NOVA6010', { option: `--${error.externalFlagName}` });
  if (error instanceof InvalidNegatedFlagSyntaxError)
    return problem('NOVA6011', { option: `--${error.externalFlagName}` });
  if (error instanceof EnumValidationError) {
    const values = error.values.join(', ');
    const expected = { en: `one of ${values}`, ru: `одно из: ${values}` };
    return problem('NOVA2009', { expected }, [`--${error.externalFlagName}`]);
  }
  if (error instanceof ArgumentParseError) {
    const { externalFlagNameOrPlaceholder: name, exception } = error;
    // The framework itself parses only booleans.
    const expected = exception instanceof SyntaxError ? 'true, false' : messageOf(exception);
    return problem(
      'NOVA2009',
      { expected: { en: expected, ru: expected } },
      hasFlag(target, name) ? [`--${name}`] : [],
    );
  }
  return problem('NOVA9001', { reason: messageOf(error) });
}

/** The output format that the arguments ask for, even if they are invalid otherwise. */
export function outputOf(argv: readonly string[]): Output {
  const asked = argv.flatMap((each, index) => {
    if (each === '-o' || each === '--output') return argv[index + 1] ?? [];
    return /^(?:-o|--output)=(.*)$/.exec(each)?.[1] ?? [];
  });
  return outputs.find((each) => each === asked.at(-1)) ?? 'text';
}

/** The deepest command or group that the arguments name. */
function targetOf(root: Target, argv: readonly string[]): { words: string[]; target: Target } {
  const words: string[] = [];
  let target = root;
  for (const word of argv) {
    const below: Target | undefined =
      'getRoutingTargetForInput' in target ? target.getRoutingTargetForInput(word) : undefined;
    if (!below) break;
    words.push(word);
    target = below;
  }
  if ('getDefaultCommand' in target) target = target.getDefaultCommand() ?? target;
  return { words, target };
}

function hasFlag(target: Target, name: string): boolean {
  return 'parameters' in target && Object.keys(target.parameters.flags ?? {}).some((each) => kebab(each) === name);
}

function didYouMean(names: readonly string[]): Text {
  if (names.length === 0) return { en: '', ru: '' };
  return {
    en: `Did you mean ${names.join(' or ')}? `,
    ru: `Возможно, имелось в виду ${names.join(' или ')}? `,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
