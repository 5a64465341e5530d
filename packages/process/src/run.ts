import { spawn } from 'node:child_process';

export class CommandError extends Error {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;

  constructor(command: string, exitCode: number | null, stdout: string, stderr: string) {
    super(`${command} failed: ${stderr.trim().split('\n').at(-1) ?? exitCode}`);
    this.exitCode = exitCode;
    this.stdout = stdout;
    this.stderr = stderr;
  }
}

export interface RunOptions {
  input?: string | Buffer;
  cwd?: string;
  /** Added to the environment of this process. */
  env?: Record<string, string>;
  /** Called with every line that the command prints, as it is printed. */
  onLine?: (line: string) => void;
  /** Kills the command. */
  signal?: AbortSignal;
}

/** Runs a program to completion without a shell and returns its standard output. */
export function run(
  command: string,
  args: readonly string[],
  { input = '', cwd, env, onLine, signal }: RunOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...(cwd && { cwd }),
      ...(signal && { signal }),
      env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
    });
    let stdout = '';
    let stderr = '';
    const listen = (stream: NodeJS.ReadableStream, collect: (text: string) => void): void => {
      let rest = '';
      stream.on('data', (chunk: Buffer) => {
        const text = chunk.toString();
        collect(text);
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onLine?.(line);
      });
    };
    listen(child.stdout, (text) => {
      stdout += text;
    });
    listen(child.stderr, (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(stdout) : reject(new CommandError(command, code, stdout, stderr)),
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** Runs a command that may fail, for example because its target is already deleted. Returns whether it succeeded. */
export async function attempt(command: string, args: readonly string[]): Promise<boolean> {
  try {
    await run(command, args);
    return true;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}
