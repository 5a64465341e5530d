import { expect, test } from 'vitest';
import { createApp } from './app.ts';
import { commandHelp } from './index.ts';
import { novaCtl } from './testing/terminal.ts';

const helpOf = async (...argv: string[]) => (await novaCtl(argv)).stdout;

test('--help lists every command in exactly one group', async () => {
  const lines = (await helpOf('--help')).split('\n');
  const listed = lines.flatMap((line) => /^ {2}([a-z]+) {2,}\S/.exec(line)?.[1] ?? []);
  const root = createApp('en', false).root;
  const all = 'getAllEntries' in root ? root.getAllEntries().map(({ name }) => name.original) : [];
  expect(listed.toSorted()).toEqual(all.toSorted());
});

test('--help has the usage last', async () => {
  for (const argv of [['--help'], ['plan', '--help'], ['machine', '--help']])
    expect((await helpOf(...argv)).split('\n\n').at(-1)).toMatch(/^Usage\n/);
});

test('help COMMAND is COMMAND --help, and help alone is --help', async () => {
  expect(await helpOf('help', 'machine', 'create')).toBe(await helpOf('machine', 'create', '--help'));
  expect(await helpOf('help')).toBe(await helpOf('--help'));
});

test('a group without a command shows its help', async () => {
  const { exitCode, stdout } = await novaCtl(['machine']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Create and boot a machine');
});

test.each(['en', 'ru'] as const)('no description is wider than 80 columns (%s)', (language) => {
  const lines = commandHelp(language).flatMap(([, help]) => help.split('\n'));
  // A command is never broken, so that it can be copied.
  expect(lines.filter((line) => line.length > 80 && !line.startsWith('  nova-ctl '))).toEqual([]);
});

test('examples use only options of their command', () => {
  const unknown = commandHelp('en').flatMap(([route, help]) => {
    const [options = '', examples = ''] = help.split('\nExamples\n');
    const lines = examples.split('\n').filter((line) => line.startsWith(`  ${route}`));
    return lines.flatMap((line) =>
      [...(line.trim().split(/ {2,}|>/, 1)[0] ?? '').matchAll(/ (--?[a-z][a-z-]*)/g)]
        .map(([, option = '']) => option)
        .filter((option) => !new RegExp(` ${option}\\b`).test(options))
        .map((option) => `${route} ${option}`),
    );
  });
  expect(unknown).toEqual([]);
});

test('a required option is part of the usage', async () => {
  expect(await helpOf('network', 'create', '--help')).toContain(
    'Usage\n  nova-ctl network create --cidr a.b.c.d/n [options] <name>\n',
  );
});
