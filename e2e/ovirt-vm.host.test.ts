import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { novaCtl, temporaryFolder } from './nova-ctl.ts';
import { ovirtClients, run } from './ovirt/clients.ts';

const folder = temporaryFolder();
const secret = 'a long password';

beforeAll(async () => {
  for (const args of [
    ['host', 'up'],
    ['network', 'create', 'lab', '--cidr', '10.30.0.0/24'],
    ['host', 'ovirt', 'enable'],
    ['host', 'ovirt', 'user', 'add', 'admin@internal', '--role', 'SuperUser'],
  ])
    expect(await novaCtl(args, { input: `${secret}\n` }), args.join(' ')).toMatchObject({ exitCode: 0 });
});

afterAll(async () => {
  await novaCtl(['host', 'down']);
  folder.remove();
});

test('the Python SDK creates, starts, snapshots, restores, hot-plugs and deletes a real VM', {
  timeout: 1_800_000,
}, async () => {
  const authority = join(folder.path, 'authority.pem');
  const url = 'https://172.30.0.1:8443';
  const served = '/ovirt-engine/services/pki-resource?resource=ca-certificate&format=X509-PEM-CA';
  await run('curl', '--silent', '--fail', '--insecure', '--output', authority, `${url}${served}`);
  expect(readFileSync(authority, 'utf8')).toContain('BEGIN CERTIFICATE');
  const script = join(import.meta.dirname, 'ovirt/scenario.py');
  const args = [`${url}/ovirt-engine/api`, authority, secret, 'vm', '900'];
  expect(await run(join(ovirtClients, 'bin/python'), script, ...args)).toContain('done');
  expect([...(await engineClient.machines()), ...(await engineClient.disks())]).toEqual([]);
});
