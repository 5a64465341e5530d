import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandHelp } from '../../index.ts';
import { answering } from '../../testing/answers.ts';
import { novaCtl } from '../../testing/terminal.ts';
import { completedPaths } from './values.ts';

const title = { en: 'Create demo', ru: 'Создать demo' };
const answers = {
  'GET /v1/clusters': {
    clusters: ['demo', 'shop'].map((name) => ({ name, kubernetesVersion: '1.36.0' })),
  },
  'GET /v1/clusters/demo': { plan: { nodes: [{ group: 'work' }, { group: 'main' }, { group: 'work' }] } },
  'GET /v1/clusters/demo/modules': {
    release: '1',
    modules: ['traefik', 'metrics-server'].map((name) => ({ name, description: title })),
  },
  'GET /v1/operations': { operations: [{ id: 17, title, lock: 'demo' }] },
  'GET /v1/users': { users: [{ name: 'anna' }, { name: 'ci' }] },
  'GET /v1/access-tokens': { tokens: [{ id: 'abc', name: 'monitoring', user: 'ci' }] },
  'GET /v1/nodes': { nodes: [{ name: 'demo-main-1' }] },
};

test.for([
  [
    ['kubeconfig', ''],
    ['demo', 'shop'],
  ],
  [['kubeconfig', '--merge', 's'], ['shop']],
  [['kubeconfig', '-o', 'json', 'd'], ['demo']],
  [['scale', 'demo', 'w'], ['work=2']],
  [['module', 'enable', 'demo', 'traefik', ''], ['metrics-server']],
  [['operation', 'show', ''], ['17']],
  [
    ['operation', 'list', '--cluster', ''],
    ['demo', 'shop'],
  ],
  [['user', 'remove', 'a'], ['anna']],
  [['token', 'remove', ''], ['abc']],
  [['node', 'run', ''], ['demo-main-1']],
  [['audit', '--action', 'createU'], ['createUser']],
  [['audit', '--object', 'd'], ['demo']],
  [['kubeconfig', 'demo', ''], []],
] as const)('completion of %j proposes %j', async ([words, expected]) => {
  await using universe = await answering(answers);
  const { stdout, stderr, exitCode } = await universe.ctl(['__complete', ...words]);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  const values = stdout.split('\n').map((line) => line.split('\t')[0] ?? '');
  expect(values.filter((value) => value !== '' && !value.startsWith('-'))).toEqual(expected);
});

test('completion shows what an operation does, in the language of the user', async () => {
  await using universe = await answering(answers);
  const { stdout } = await universe.ctl(['__complete', 'operation', 'show', ''], { LANG: 'ru_RU.UTF-8' });
  expect(stdout).toContain('17\tdemo Создать demo\n');
});

test('completion without a login, and with a server that refuses, is silent', async () => {
  const nowhere = { XDG_CONFIG_HOME: '/nonexistent', NOVA_CONTEXT: 'none' };
  expect(await novaCtl(['__complete', 'status', ''], { env: nowhere })).toMatchObject({ exitCode: 0, stderr: '' });
  await using universe = await answering({});
  expect(await universe.ctl(['__complete', 'user', 'remove', ''])).toMatchObject({ exitCode: 0, stderr: '' });
});

test('completion gives up on a server that accepts connections and never responds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nova-silent-'));
  const socket = join(folder, 'universe.sock');
  const server = createServer().listen(socket);
  const started = performance.now();
  const outcome = await novaCtl(['__complete', 'status', ''], { env: { NOVA_UNIVERSE_SOCKET: socket } });
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  // Ten times the limit: the machine may be busy.
  expect(performance.now() - started).toBeLessThan(10_000);
  server.close();
  await rm(folder, { recursive: true });
});

test('every command and option with completed values exists', () => {
  const help = new Map(commandHelp('en').map(([route, text]) => [route.replace(/^nova-ctl /, ''), text]));
  for (const each of completedPaths) {
    const [command = '', option = ''] = each.split(' --');
    expect(help.get(command), each).toContain(option === '' ? '' : `--${option}`);
  }
});
