import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { bootArchive } from './boot.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import { compileCatalog } from './compile.ts';
import { exec, file, type Resource, reference, service, user } from './resource.ts';
import { sensitive } from './sensitive.ts';
import { contentOf, existing, highlyAvailable, nodeInput } from './testing.ts';

const root = mkdtempSync(join(tmpdir(), 'nova-boot-'));
afterAll(() => rmSync(root, { recursive: true }));
const container = { virtual: 'container_other' };

/** Extracts the archive into a new folder, as the machine does. */
async function unpacked(catalog: Catalog): Promise<string> {
  const archive = await bootArchive(catalog, '7');
  if (!archive) throw new Error('there is no archive');
  const folder = mkdtempSync(join(root, 'machine-'));
  const { status, stderr } = spawnSync('tar', ['--extract', '--touch', '--directory', folder], { input: archive });
  expect([status, String(stderr).replace(/^tar: Removing leading.*\n/, '')]).toEqual([0, '']);
  return folder;
}

const scriptIn = (folder: string) => readFileSync(join(folder, 'run/nova-boot/script'), 'utf8');

test.for([
  ['a node with every role', compileCatalog(nodeInput({}, { facts: container }))],
  ['a control plane of three', compileCatalog(nodeInput(highlyAvailable, { facts: container }))],
  ['a worker', compileCatalog(nodeInput(highlyAvailable, { node: 'demo-worker-1', facts: container }))],
  ['an existing host', compileCatalog(nodeInput(existing, { facts: { virtual: 'physical' } }))],
] as const)('%s boots from an archive with every file of its catalog', async ([, catalog]) => {
  const folder = await unpacked(catalog);
  expect(readFileSync(join(folder, 'run/nova-boot/catalog'), 'utf8')).toBe('7');
  const files = catalog.resources.filter(({ type, parameters }) => type === 'file' && 'content' in parameters);
  for (const { title, parameters } of files) {
    expect(readFileSync(join(folder, title), 'utf8')).toBe(contentOf(catalog, title));
    expect(`0${(statSync(join(folder, title)).mode & 0o777).toString(8)}`).toBe(parameters.mode ?? '0644');
  }
  expect(files.length).toBeGreaterThan(20);
  expect(spawnSync('sh', ['-n', join(folder, 'run/nova-boot/script')]).status).toBe(0);
});

test('the script applies the other resources in the order of their relations', async () => {
  const catalog = compileCatalog(nodeInput({}, { facts: container }));
  const script = scriptIn(await unpacked(catalog));
  const placeOf = (name: string) => script.indexOf(name);
  const others = catalog.resources.filter(({ type }) => type !== 'file');
  for (const resource of others) {
    const { require = [], subscribe = [] } = resource.relations;
    for (const earlier of [...require, ...subscribe].filter((name) => !name.startsWith('File[')))
      expect([earlier, placeOf(earlier) < placeOf(reference(resource))]).toEqual([earlier, true]);
  }
  expect(others.every((resource) => placeOf(reference(resource)) >= 0)).toBe(true);
});

test('secrets are only in their files', async () => {
  const folder = await unpacked(
    createCatalog('n', [file('/etc/secret', { content: sensitive('s3cr3t'), mode: '0600' })]),
  );
  expect(readFileSync(join(folder, 'etc/secret'), 'utf8')).toBe('s3cr3t');
  expect(scriptIn(folder)).not.toContain('s3cr3t');
});

test.for<[string, Resource]>([
  ['a user', user('ops', { ensure: 'present' })],
  ['a file that is never replaced', file('/etc/once', { content: '', replace: false })],
  ['a file of another user', file('/etc/theirs', { content: '', owner: 'ops' })],
  ['a stopped service', service('rpcbind', { ensure: 'stopped' })],
  ['a command outside the search path', exec('own', { command: 'own', path: ['/opt/own'] })],
])('%s is left to the agent', async ([, resource]) => {
  expect(await bootArchive(createCatalog('n', [resource]), '1')).toBeUndefined();
});

describe('boot script', () => {
  const path = ['/usr/bin', '/bin'];
  /** Runs the script of the resources. A fake systemctl records its arguments. */
  async function run(...resources: Resource[]) {
    const folder = await unpacked(createCatalog('n', resources));
    const noted = join(folder, 'systemctl');
    const script = scriptIn(folder).replace('say()', `systemctl() { echo "$*" >>${noted}; }\nsay()`);
    writeFileSync(join(folder, 'script'), script);
    const { status, stdout } = spawnSync('sh', [join(folder, 'script')], { encoding: 'utf8' });
    return { status, log: stdout, started: existsSync(noted) ? readFileSync(noted, 'utf8') : '' };
  }

  test('a command runs unless its condition is already met', async () => {
    const log = join(root, 'conditions');
    await run(
      exec('one', { command: `sh -c "echo one >>${log}"`, path }),
      exec('two', { command: `sh -c "echo two >>${log}"`, unless: 'true', path }),
      exec('three', { command: `sh -c "echo three >>${log}"`, onlyif: 'false', path }),
      exec('four', { command: `sh -c "echo four >>${log}"`, unless: 'false', onlyif: 'true', path }),
    );
    expect(readFileSync(log, 'utf8')).toBe('one\nfour\n');
  });

  test('a command is retried as often as declared, and its failure ends the script', async () => {
    const log = join(root, 'retries');
    const { status, log: said } = await run(
      exec('fails', { command: `sh -c "echo try >>${log}; false"`, path, tries: 3 }),
      exec('later', { command: 'true', path }),
    );
    expect(status).not.toBe(0);
    expect(readFileSync(log, 'utf8')).toBe('try\ntry\ntry\n');
    expect(said).toBe('Exec[fails]\n');
  });

  test('services start together; those with files are restarted, because the image may have started them', async () => {
    const config = file('/etc/a.conf', { content: 'a' });
    const { started } = await run(
      service('agent', { ensure: 'running' }),
      config,
      service('a', { ensure: 'running' }, { subscribe: [config] }),
      service('b', { ensure: 'running' }, { subscribe: [config] }),
      exec('between', { command: 'true', path }),
      service('c', { ensure: 'running' }, { subscribe: [config] }),
    );
    expect(started).toBe('start agent\nrestart a b\nrestart c\n');
  });

  test('any title survives quoting', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[ -~]{1,20}$/), async (title) => {
        const { status, log } = await run(exec(title, { command: 'true', path }));
        expect([status, log]).toEqual([0, `Exec[${title}]\n`]);
      }),
      { numRuns: 20 },
    );
  });
});
