import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { novaCtl, root, temporaryFolder } from './nova-ctl.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => novaCtl(['--version']));
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const enter = '\r';
const down = '\u001b[B';
const controlC = '\u0003';

/** Runs nova-ctl on its own terminal and types at the prompts. */
function onTerminal(
  command: string,
  dialogue: [prompt: string, keys: string][],
  env: Record<string, string> = {},
): Promise<{ exitCode: number | null; screen: string }> {
  return new Promise((resolve) => {
    const child = spawn(
      'script',
      ['-qfec', `stty cols 120 rows 40; exec '${join(root, 'nova-ctl')}' ${command}`, '/dev/null'],
      {
        cwd: folder.path,
        env: { ...process.env, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', NO_COLOR: '', ...env },
      },
    );
    const remaining = [...dialogue];
    let screen = '';
    let unseen = '';
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString();
      unseen += chunk.toString();
      const [next] = remaining;
      if (next && unseen.includes(next[0])) {
        unseen = '';
        remaining.shift();
        // The prompt is drawn; give it a moment to listen.
        setTimeout(() => child.stdin.write(next[1]), 50);
      }
    });
    const deadline = setTimeout(() => child.kill(), 20_000);
    child.on('close', (exitCode) => {
      clearTimeout(deadline);
      resolve({ exitCode, screen });
    });
  });
}

test('init prompts, and writes the answers', async () => {
  const { exitCode, screen } = await onTerminal('init', [
    ['Size of the cluster', down + enter],
    ['Base domain', `${'\u007f'.repeat(20)}lab.example.org${enter}`],
  ]);
  expect(exitCode, screen).toBe(0);
  const manifest = readFileSync(join(folder.path, 'cluster.yaml'), 'utf8');
  expect(manifest).toMatch(/dnsBaseDomain: lab.example.org/);
  expect(manifest).toMatch(/count: 3/);
});

test('init rejects a wrong answer at once and shows what it expects', async () => {
  const { exitCode, screen } = await onTerminal('init --provider local --template single', [
    ['Base domain', `_${enter}`],
    ['a DNS name, such as', `\u007f${enter}`],
  ]);
  expect(exitCode, screen).toBe(0);
  expect(readFileSync(join(folder.path, 'cluster.yaml'), 'utf8')).toMatch(/dnsBaseDomain: demo.nova.local/);
});

test('Ctrl-C leaves nothing behind', async () => {
  const { exitCode } = await onTerminal('init', [['Size of the cluster', controlC]]);
  expect(exitCode).toBe(130);
  expect(readdirSync(folder.path)).toEqual([]);
});

test('init overwrites an existing file only after confirmation', async () => {
  writeFileSync(join(folder.path, 'cluster.yaml'), 'mine');
  const refused = await onTerminal('init --provider local --template single --domain demo.nova.local', [
    ['Overwrite it?', enter],
  ]);
  expect(refused.exitCode, refused.screen).toBe(2);
  expect(readFileSync(join(folder.path, 'cluster.yaml'), 'utf8')).toBe('mine');
  const agreed = await onTerminal('init --provider local --template single --domain demo.nova.local', [
    ['Overwrite it?', `y`],
  ]);
  expect(agreed.exitCode, agreed.screen).toBe(0);
  expect(readFileSync(join(folder.path, 'cluster.yaml'), 'utf8')).toMatch(/kind: Infrastructure/);
});

test('output has colours on a terminal, and none with NO_COLOR', async () => {
  writeFileSync(join(folder.path, 'cluster.yaml'), 'kind: Pod\n');
  expect((await onTerminal('validate', [])).screen).toContain('\u001b[');
  expect((await onTerminal('validate', [], { NO_COLOR: '1' })).screen).not.toContain('\u001b[');
  expect((await onTerminal('--help', [], { NO_COLOR: '1' })).screen).not.toContain('\u001b[');
});
