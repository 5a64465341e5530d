import { expect, test } from 'vitest';
import { novaCtl } from './testing/terminal.ts';

test.each([
  [
    'vaildate',
    'NOVA6005\n  There is no command vaildate.\n  → Did you mean validate? List the commands: `nova-ctl --help`.\n',
  ],
  [
    'machine crate',
    'NOVA6005\n  There is no command crate.\n  → Did you mean create? List the commands: `nova-ctl machine --help`.\n',
  ],
  [
    'plan --agianst x',
    'NOVA6006\n  There is no option --agianst.\n  → Did you mean --against? List the options: `nova-ctl plan --help`.\n',
  ],
  ['plan -x', 'NOVA6006\n  There is no option -x.\n  → List the options: `nova-ctl plan --help`.\n'],
  ['plan -o jsn', 'NOVA2009  --output\n  The format of the value is wrong.\n  → Use one of text, json, yaml.\n'],
  [
    'scale',
    'NOVA6007\n  The argument cluster is missing.\n  → Usage: `nova-ctl scale [options] <cluster> <group=count>...`.\n',
  ],
  [
    'scale demo',
    'NOVA6007\n  The argument group=count is missing.\n  → Usage: `nova-ctl scale [options] <cluster> <group=count>...`.\n',
  ],
  [
    'plan cluster.yaml',
    'NOVA6008\n  Unexpected argument cluster.yaml.\n  → Did you mean -f cluster.yaml? Usage: `nova-ctl plan [options]`.\n',
  ],
  [
    'network create lab',
    'NOVA6009\n  The option --cidr needs a value.\n  → Usage: `nova-ctl network create --cidr a.b.c.d/n [options] <name>`.\n',
  ],
  ['apply --cluster a --cluster b', 'NOVA6010\n  The option --cluster is given more than once.\n  → Give it once.\n'],
  ['plan --offline=maybe', 'NOVA2009  --offline\n  The format of the value is wrong.\n  → Use true, false.\n'],
  ['completion tcsh', 'NOVA2009\n  The format of the value is wrong.\n  → Use one of bash, zsh, fish.\n'],
])('usage error of `nova-ctl %s` has a code and a remedy', async (line, stderr) => {
  expect(await novaCtl(line.split(' '))).toEqual({ exitCode: 2, stdout: '', stderr });
});

test('usage errors have the output format of the command', async () => {
  const { exitCode, stderr } = await novaCtl(['vaildate', '-o', 'json']);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({ problems: [{ code: 'NOVA6005' }] });
});

test('usage errors are in Russian in a Russian locale', async () => {
  const { stderr } = await novaCtl(['plan', '--agianst'], { env: { LANG: 'ru_RU.UTF-8' } });
  expect(stderr).toBe(
    'NOVA6006\n  Параметра --agianst нет.\n  → Возможно, имелось в виду --against? Список параметров: `nova-ctl plan --help`.\n',
  );
});

test.each([
  'template create web debian-13.qcow2',
  'machine create web --network lab --image ./debian',
  'machine create web --network lab --image d.raw',
])('`nova-ctl %s` refuses a disk image of a foreign system', async (line) => {
  const { exitCode, stderr } = await novaCtl(line.split(' '));
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^NOVA7142\n {2}A VM cannot start the system in the file .*\n {2}→ .*nova-ctl disk import/);
});
