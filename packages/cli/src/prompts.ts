import type { Context } from './context.ts';
import { badValue, Interrupted } from './failure.ts';
import type { Io, OutputStream } from './io.ts';
import type { Output } from './output.ts';

type Check = (value: string) => string | undefined;

/** Prompts on the terminal. */
export interface Prompts {
  yes: (message: string) => Promise<boolean>;
  text: (message: string, initial: string, check?: Check) => Promise<string>;
  /** The input is not echoed. */
  secret: (message: string, check?: Check) => Promise<string>;
}

const maxInput = 64 * 1024;

/** Undefined without a terminal. Prompts never go to the stream of a machine-readable result. */
export async function promptsOf({ io, t }: Context, output: Output): Promise<Prompts | undefined> {
  const terminal = terminalOf(io, output);
  if (!terminal) return undefined;
  const { confirm, isCancel, password, text } = await import('@clack/prompts');
  const streams = { input: io.stdin, output: terminal };
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (isCancel(answer)) throw new Interrupted();
    return answer as Exclude<T, symbol>;
  };
  const validate = (check: Check | undefined) => (value: string | undefined) => check?.(value ?? '');
  return {
    yes: async (message) => {
      const words = { active: t({ en: 'yes', ru: 'да' }), inactive: t({ en: 'no', ru: 'нет' }) };
      return answered(await confirm({ message, ...words, initialValue: false, ...streams }));
    },
    text: async (message, initial, check) =>
      answered(await text({ message, initialValue: initial, validate: validate(check), ...streams })),
    secret: async (message, check) => answered(await password({ message, validate: validate(check), ...streams })),
  };
}

function terminalOf({ stdin, stdout, stderr }: Io, output: Output): OutputStream | undefined {
  if (stdin.isTTY !== true) return undefined;
  if (output === 'text' && stdout.isTTY === true) return stdout;
  return stderr.isTTY === true ? stderr : undefined;
}

/** Lines of standard input, for secrets: every user on the host could see them as arguments. */
export async function secretLines({ stdin }: Io, names: readonly string[]): Promise<string[]> {
  const lines = stdin.isTTY === true ? [] : (await inputText(stdin)).split(/\r?\n/);
  return names.map((name, index) => {
    const line = lines[index];
    if (line) return line;
    throw badValue(name, {
      en: 'a prompt on a terminal, or pass it as a line of standard input',
      ru: 'в терминале или строкой стандартного ввода',
    });
  });
}

async function inputText(stdin: Io['stdin']): Promise<string> {
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (text.length > maxInput) break;
  }
  return text;
}
