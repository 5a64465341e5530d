import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startTestServer, type TestServer } from '../packages/ovirt/src/testing/server.ts';
import { ovirtClients, run } from './ovirt/clients.ts';

const folder = join(import.meta.dirname, 'ovirt');

// The SDK is compiled when it is installed.
describe.skipIf(!existsSync('/usr/include/libxml2/libxml/xmlreader.h'))('clients of oVirt', () => {
  let server: TestServer;
  let access: { url: string; authority: string };

  beforeAll(async () => {
    await run('sh', join(folder, 'prepare.sh'), ovirtClients);
    server = await startTestServer();
    server.engine.addNetwork('lab', '10.30.0.0/24');
    const authority = join(server.folder, 'authority.pem');
    await writeFile(authority, server.authority);
    access = { url: `${server.url}/ovirt-engine/api`, authority };
  });

  afterAll(() => server.close());

  const python = (script: string, secret: string) =>
    run(join(ovirtClients, 'bin/python'), join(folder, script), access.url, access.authority, secret, 'node', '60');

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
        join(ovirtClients, 'bin/ansible-playbook'),
        '--inventory=localhost,',
        `--extra-vars=${JSON.stringify({ ...access, password, state, ansible_python_interpreter: join(ovirtClients, 'bin/python') })}`,
        join(folder, 'playbook.yaml'),
      );
    expect(await play('present')).toMatch(/changed=4 .*failed=0/);
    expect(server.engine.machines.get('ansible1')).toMatchObject({ state: 'running', network: 'lab', cpu: 2 });
    expect(await play('present')).toMatch(/changed=0 .*failed=0/);
    expect(await play('absent')).toMatch(/changed=4 .*failed=0/);
    expect([...server.engine.machines.keys(), ...server.engine.disks.keys()]).toEqual([]);
  });
});
