import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startTestServer, type TestServer } from '../packages/ovirt/src/testing/server.ts';

const clients = join(homedir(), '.cache/nova/ovirt-clients');
const folder = join(import.meta.dirname, 'ovirt');

// The SDK is compiled when it is installed.
describe.skipIf(!existsSync('/usr/include/libxml2/libxml/xmlreader.h'))('clients of oVirt', () => {
  let server: TestServer;
  let access: { url: string; authority: string };

  beforeAll(async () => {
    await run('sh', join(folder, 'prepare.sh'), clients);
    server = await startTestServer();
    server.engine.addNetwork('lab', '10.30.0.0/24');
    const authority = join(server.folder, 'authority.pem');
    await writeFile(authority, server.authority);
    access = { url: `${server.url}/ovirt-engine/api`, authority };
  });

  afterAll(() => server.close());

  const python = (script: string, secret: string) =>
    run(join(clients, 'bin/python'), join(folder, script), access.url, access.authority, secret);

  test('the Python SDK creates, starts, snapshots, restores and deletes a VM', async () => {
    expect(await python('scenario.py', password)).toContain('done');
    expect([...server.engine.machines.keys(), ...server.engine.disks.keys()]).toEqual([]);
  });

  test('the Python SDK reports a wrong password', async () => {
    await expect(python('scenario.py', 'wrong')).rejects.toThrow('AuthError');
  });

  test('an Ansible playbook creates a VM, and its second run changes nothing', { timeout: 400_000 }, async () => {
    const play = (state: string) =>
      run(
        join(clients, 'bin/ansible-playbook'),
        '--inventory=localhost,',
        `--extra-vars=${JSON.stringify({ ...access, password, state, ansible_python_interpreter: join(clients, 'bin/python') })}`,
        join(folder, 'playbook.yaml'),
      );
    expect(await play('present')).toMatch(/changed=4 .*failed=0/);
    expect(server.engine.machines.get('ansible1')).toMatchObject({ state: 'running', network: 'lab', cpu: 2 });
    expect(await play('present')).toMatch(/changed=0 .*failed=0/);
    expect(await play('absent')).toMatch(/changed=4 .*failed=0/);
    expect([...server.engine.machines.keys(), ...server.engine.disks.keys()]).toEqual([]);
  });
});

/** Runs a program and returns its output. */
async function run(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', ANSIBLE_COLLECTIONS_PATH: join(clients, 'collections') };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${output}${errors}`);
  return output;
}
