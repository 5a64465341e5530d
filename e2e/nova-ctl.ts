import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

export interface Outcome {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** English, and no Universe of the user who runs the tests. */
const isolated = { LC_ALL: 'C.UTF-8', XDG_CONFIG_HOME: join(tmpdir(), 'nova-e2e-without-contexts') };

interface Options {
  cwd?: string;
  input?: string;
  env?: Record<string, string>;
}

/** Runs a program and collects its output. */
export function execute(
  program: string,
  args: readonly string[],
  { cwd = root, input = '', env = {} }: Options = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...isolated, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
    // A program may exit before it has read all input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** The real nova-ctl, as a user starts it. */
export function novaCtl(args: readonly string[], options?: Options): Promise<Outcome> {
  return execute(join(root, 'nova-ctl'), args, options);
}

export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'nova-e2e-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
