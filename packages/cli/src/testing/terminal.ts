import { PassThrough, Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Io } from '../io.ts';
import { run } from '../run.ts';

export interface Outcome {
  exitCode: number;
  stdout: string;
  stderr: string;
}

interface Options {
  env?: Record<string, string>;
  cwd?: string;
  /** Content of standard input. */
  input?: string;
  /** Makes standard input a terminal and types these keys when these words appear. */
  dialogue?: [words: string, keys: string][];
  columns?: number;
  rows?: number;
  onOutput?: (text: string) => void;
  untilStopped?: () => Promise<void>;
}

/** Runs nova-ctl in this process, with its own streams. */
export async function novaCtl(argv: readonly string[], options: Options = {}): Promise<Outcome> {
  const {
    env = {},
    cwd = '/',
    input = '',
    dialogue,
    untilStopped = () => new Promise<void>(() => undefined),
  } = options;
  const isTTY = dialogue !== undefined;
  const remaining = [...(dialogue ?? [])];
  const keyboard = Object.assign(new PassThrough(), { isTTY, setRawMode: () => keyboard });
  let unseen = '';
  const screen = (onText: (text: string) => void) =>
    Object.assign(
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          onText(chunk.toString());
          done();
        },
      }),
      { isTTY, columns: options.columns ?? (isTTY ? 120 : undefined), rows: options.rows ?? (isTTY ? 40 : undefined) },
    );
  const outcome = { stdout: '', stderr: '' };
  const stdout = screen((text) => {
    outcome.stdout += text;
    options.onOutput?.(text);
    unseen += stripVTControlCharacters(text);
    const [next] = remaining;
    if (!next || !unseen.includes(next[0])) return;
    unseen = '';
    remaining.shift();
    // The prompt is drawn before it listens for input.
    setTimeout(() => keyboard.write(next[1]), 20);
  });
  const stderr = screen((text) => {
    outcome.stderr += text;
  });
  const stdin = isTTY ? keyboard : Readable.from([Buffer.from(input)]);
  const exitCode = await run(argv, { stdin, stdout, stderr, env, cwd, untilStopped } as Io);
  return { exitCode, ...outcome };
}
