import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildComponent, chooseComponents, readComponents } from '@nova-platform/distro';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { StateServer } from './state-server.ts';
import { serveStates, type TestStates } from './testing.ts';
import { type Configuration, Tofu } from './tofu.ts';

const secret = 'hunter2 is the password';
const token = 'a-token-that-is-used-once';
let program: string;
let folder: string;
let opened: TestStates;
let tofu: Tofu;

beforeAll(async () => {
  const [component] = chooseComponents(await readComponents(), ['opentofu']);
  if (!component) throw new Error('there is no component opentofu');
  program = join((await buildComponent(component)).folder, 'bin', 'tofu');
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-tofu-'));
  opened = await serveStates({ kind: 'sqlite', file: join(folder, 'store.db') });
  tofu = new Tofu({ ...folders(), states: opened.states, server: opened.server });
});
afterEach(async () => {
  await opened[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const folders = () => ({ program, providers: join(folder, 'providers'), folder: join(folder, 'runs') });

/** Machines that need no provider: OpenTofu keeps them only in its state, and runs a command to create each. */
function configurationOf(names: readonly string[], command = 'true'): Configuration {
  return {
    files: {
      'machines.tf.json': {
        variable: {
          scripts: { type: 'map(string)', sensitive: true },
          password: { type: 'string', sensitive: true, ephemeral: true },
        },
        resource: {
          terraform_data: Object.fromEntries(
            names.map((name) => [
              name,
              {
                input: { name, script: `\${lookup(var.scripts, "${name}", "")}` },
                provisioner: { 'local-exec': { command } },
              },
            ]),
          ),
        },
      },
    },
    variables: { scripts: Object.fromEntries(names.map((name) => [name, token])) },
    credentials: { password: secret },
  };
}
const work = (names: readonly string[], command?: string) => ({
  cluster: 'demo',
  configuration: configurationOf(names, command),
});
const existing = async () =>
  (JSON.parse((await opened.states.read('demo')) ?? '{"resources":[]}') as { resources: { name: string }[] }).resources
    .map(({ name }) => name)
    .toSorted();

test('a saved plan shows what changes, and exactly it is applied', async () => {
  const { changes, file } = await tofu.plan(work(['a', 'b']));
  expect(changes.map(({ address, action }) => `${action} ${address}`)).toEqual([
    'create terraform_data.a',
    'create terraform_data.b',
  ]);
  // Planning changes nothing.
  expect(await existing()).toEqual([]);
  const lines: string[] = [];
  // The configuration of today does not matter: the approved plan is applied.
  await tofu.apply({ ...work(['a', 'b', 'c']), log: (line) => lines.push(line) }, file);
  expect(await existing()).toEqual(['a', 'b']);
  expect(lines.filter((line) => line.includes('Creation complete'))).toHaveLength(2);
  expect(lines.at(-1)).toContain('2 added, 0 changed, 0 destroyed');
  expect((await tofu.plan(work(['a', 'b']))).changes).toEqual([]);
  expect((await tofu.plan(work(['b']))).changes).toEqual([
    { address: 'terraform_data.a', action: 'remove', fields: [] },
  ]);
});

test('a plan is refused once another one was applied', async () => {
  const first = await tofu.plan(work(['a']));
  const second = await tofu.plan(work(['b']));
  await tofu.apply(work(['b']), second.file);
  await expect(tofu.apply(work(['a']), first.file)).rejects.toMatchObject({ problems: [{ code: 'NOVA8561' }] });
  expect(await existing()).toEqual(['b']);
});

test('a saved plan survives a restart of Universe', async () => {
  const { file } = await tofu.plan(work(['a']));
  const { states } = opened;
  await opened.server[Symbol.asyncDispose]();
  await using server = await StateServer.start(states);
  tofu = new Tofu({ ...folders(), states, server });
  await tofu.apply(work(['a']), file);
  expect(await existing()).toEqual(['a']);
});

test('nothing secret is on disk, in the process list, in logs, in the shown changes or in an error', async () => {
  const seen: string[] = [];
  const watch = setInterval(() => {
    for (const file of globSync('/proc/[0-9]*/cmdline')) seen.push(existsSync(file) ? readText(file) : '');
  }, 20);
  const lines: string[] = [];
  const said = `echo "$TF_VAR_password"; echo ${secret} >&2; exit 1`;
  try {
    const { changes, file } = await tofu.plan(work(['a']));
    expect(JSON.stringify(changes)).not.toContain(token);
    await tofu.apply({ ...work(['a']), log: (line) => lines.push(line) }, file);
    const failing = await tofu.plan(work(['a', 'b'], said));
    const failure = await tofu
      .apply({ ...work(['a', 'b'], said), log: (line) => lines.push(line) }, failing.file)
      .catch((error: Error) => error.message);
    expect(failure).toContain('NOVA8560');
    expect(failure).not.toContain(secret);
  } finally {
    clearInterval(watch);
  }
  expect(lines.join('\n')).not.toContain(secret);
  expect(seen.some((each) => each.includes('apply'))).toBe(true);
  for (const hidden of [secret, token]) expect(seen.filter((each) => each.includes(hidden))).toEqual([]);
  // What a run needed is gone, and the store is sealed.
  expect(await readdir(join(folder, 'runs'))).toEqual([]);
  const files = globSync(`${folder}/**`).filter((file) => existsSync(file));
  for (const file of files) {
    if ((await stat(file)).isDirectory()) continue;
    const content = await readFile(file, 'latin1');
    expect([file, content.includes(secret), content.includes(token)]).toEqual([file, false, false]);
  }
  // The password is not even in the state: it is ephemeral.
  expect(await opened.states.read('demo')).not.toContain(secret);
});

test('a run that is stopped keeps what it made, and the next one continues', async () => {
  const { file } = await tofu.plan(work(['a']));
  await tofu.apply(work(['a']), file);
  const slow = work(['a', 'b'], `touch ${folder}/started; sleep 600`);
  const planned = await tofu.plan(slow);
  const stopped = new AbortController();
  const running = tofu.apply({ ...slow, signal: stopped.signal }, planned.file).catch((error: Error) => error.name);
  await expect.poll(() => existsSync(join(folder, 'started'))).toBe(true);
  stopped.abort();
  expect(await running).toBe('AbortError');
  expect(await existing()).toContain('a');
  // The lock of the stopped run is no obstacle.
  const next = await tofu.plan(work(['a', 'b']));
  await tofu.apply(work(['a', 'b']), next.file);
  expect(await existing()).toEqual(['a', 'b']);
});

test('the lock of a killed run is taken over', async () => {
  await opened.states.lock('demo', {
    ID: 'gone',
    Operation: 'OperationTypeApply',
    Info: '',
    Who: 'universe',
    Version: '',
    Created: '',
    Path: '',
  });
  expect((await tofu.plan(work(['a']))).changes).toHaveLength(1);
});

test('runs of one cluster take turns', async () => {
  const both = await Promise.all([tofu.plan(work(['a'])), tofu.plan(work(['b']))]);
  expect(both.map(({ changes }) => changes.map(({ address }) => address))).toEqual([
    ['terraform_data.a'],
    ['terraform_data.b'],
  ]);
});

test('a provider that the mirror lacks is an error, and is not downloaded', async () => {
  const { configuration } = work([]);
  const files = { 'p.tf.json': { terraform: { required_providers: { ovirt: { source: 'ovirt/ovirt' } } } } };
  const missing = tofu.plan({ cluster: 'demo', configuration: { ...configuration, files } });
  await expect(missing).rejects.toMatchObject({ problems: [{ code: 'NOVA8560', params: { command: 'init' } }] });
});

test('an existing machine becomes part of the state', async () => {
  await tofu.adopt(work(['a']), [{ address: 'terraform_data.a', id: 'b9d1f8a4-0001' }]);
  expect(await existing()).toEqual(['a']);
});

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended.
    return '';
  }
}
