import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password, startTestServer, type TestServer } from '../packages/ovirt/src/testing/server.ts';
import { execute } from './nova-ctl.ts';

const cache = join(homedir(), '.cache/nova');
const ovirtClients = join(cache, 'ovirt-clients');
const openstackVersion = '4.22.0';
const openstackClients = join(cache, `openstacksdk-${openstackVersion}`);
const folder = join(import.meta.dirname, 'ovirt');
const user = 'admin@internal';

let server: TestServer;
let ca: string;

beforeAll(async () => {
  server = await startTestServer();
  ca = join(server.folder, 'ca.pem');
  await writeFile(ca, server.authority);
});

afterAll(() => server.close());

async function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const { exitCode, stdout, stderr } = await execute(program, args, { env });
  expect(exitCode, stderr).toBe(0);
  return stdout.trim().split('\n');
}

// The SDK is compiled when it is installed.
test.skipIf(!existsSync('/usr/include/libxml2/libxml/xmlreader.h'))(
  'the Python SDK of oVirt verifies the certificate, logs in and logs out',
  async () => {
    await run('sh', [join(folder, 'prepare.sh'), ovirtClients]);
    const script = [join(folder, 'access.py'), `${server.url}/ovirt-engine/api`, ca, user, password];
    expect(await run(join(ovirtClients, 'bin/python'), script)).toEqual([
      'version 4',
      `Error during SSO authentication access_denied : Cannot authenticate user ${user}: the user name or password is incorrect.`,
    ]);
    expect((await server.admin.listUsers({})).find(({ name }) => name === user)?.tokens).toBe(0);
  },
);

test('openstacksdk creates, finds and deletes networks', async () => {
  if (!existsSync(join(openstackClients, 'bin/openstack-inventory'))) {
    await run('python3', ['-m', 'venv', openstackClients]);
    await run(join(openstackClients, 'bin/pip'), ['install', '-q', `openstacksdk==${openstackVersion}`]);
  }
  const env = {
    OS_AUTH_URL: `${server.url}/identity/v2.0`,
    OS_CACERT: ca,
    OS_USERNAME: user,
    OS_PASSWORD: password,
  };
  expect(await run(join(openstackClients, 'bin/python'), [join(folder, 'networking.py')], env)).toEqual([
    'created sdk-net sdk-subnet 10.69.0.0/24',
    'router sdk-net-router connects sdk-subnet',
    'conflict: The network sdk-net already has a subnet. A network has exactly one subnet. Create another network.',
    'deleted',
  ]);
});
