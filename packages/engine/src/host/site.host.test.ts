import { readdir } from 'node:fs/promises';
import { ProblemError } from '@nova-platform/api';
import { createEngineClient, engineClient } from '@nova-platform/contracts/engine/client';
import { createKeyPair } from '@nova-platform/pki';
import { siteOf } from '@nova-platform/plan';
import { run } from '@nova-platform/process';
import { afterAll, expect, test } from 'vitest';
import { clientEndpoint } from '../paths.ts';
import { codesOf, inside, program, running } from '../testing.ts';
import { hostDown } from './down.ts';
import { keptSite } from './site.ts';
import { hostUp } from './up.ts';

const say = () => undefined;
const chosen = {
  externalNetwork: '192.168.64.0/20',
  integrationNetwork: '192.168.80.0/24',
  transitNetwork: '192.168.96.0/24',
  domain: 'cloud.example.com',
};
const site = siteOf(chosen);

async function problemsOf(work: Promise<unknown>) {
  const error: unknown = await work.catch((reason: unknown) => reason);
  return error instanceof ProblemError ? error.problems : [];
}

afterAll(async () => {
  await hostDown(say);
});

test('all conflicting routes and addresses are reported before anything is changed', async () => {
  const before = await running();
  await run('ip', ['link', 'add', 'office', 'type', 'veth', 'peer', 'name', 'office-peer']);
  for (const end of ['office', 'office-peer']) await run('ip', ['link', 'set', end, 'up']);
  await run('ip', ['address', 'add', '192.168.70.5/24', 'dev', 'office']);
  await run('ip', ['route', 'add', '192.168.80.128/25', 'dev', 'office', 'table', '100']);
  try {
    const problems = await problemsOf(hostUp(program, say, { ...chosen, domain: 'nova' }));
    expect(problems.map(({ code, path, params }) => [code, path[0], params.shown])).toEqual([
      ['NOVA2009', 'domain', undefined],
      ['NOVA7090', 'externalNetwork', 'route 192.168.70.0/24 dev office'],
      ['NOVA7090', 'integrationNetwork', 'route 192.168.80.128/25 dev office table 100'],
    ]);
    expect(await readdir('/var/lib/nova')).toEqual([]);
    expect(await running()).toEqual(before);
  } finally {
    await run('ip', ['link', 'delete', 'office']);
  }
});

test('a host works with the chosen networks and keeps them', async () => {
  await hostUp(program, say, chosen);
  expect(await keptSite()).toEqual(site);
  await engineClient.buildImage('node', say);
  await engineClient.createNetwork('lab', '10.62.0.0/24');
  await engineClient.createMachine({ image: 'node', network: 'lab', memoryMebibytes: 128, name: 'm1' });
  const [integration, lab] = await engineClient.networks();
  expect(integration).toMatchObject({
    network: '192.168.80.0/24',
    gateway: '192.168.80.1',
    router: { externalAddress: '192.168.64.2', transitAddress: '192.168.96.1' },
    names: [{ name: 'universe.cloud.example.com', addresses: ['192.168.80.10'] }],
  });
  expect(lab?.router).toMatchObject({ externalAddress: '192.168.79.254', transitAddress: '192.168.96.254' });
  expect(await run('ip', ['-4', '-o', 'address', 'show', 'dev', 'nova-host'])).toContain('192.168.64.1/20');
  // The machine reaches its router, and the engine listens on the chosen address.
  expect(await inside('m1', 'ping -c1 -W2 10.62.0.1 >/dev/null && echo reached')).toBe('reached\n');
  const { privateKey, publicKey } = await createKeyPair();
  const { certificate, authority } = await engineClient.createClient('universe', publicKey);
  const client = createEngineClient({ ...clientEndpoint(site), ca: authority, cert: certificate, key: privateKey });
  expect(await client.machines()).toHaveLength(1);
  expect(await run('ip', ['-4', 'route', 'show', 'table', 'all'])).not.toMatch(/172\.30\.|10\.255\.|100\.64\./);

  // Its own routes are no conflict, and omitted options keep their values.
  await hostUp(program, say);
  await hostUp(program, say, chosen);
  expect(await keptSite()).toEqual(site);
  const other = { domain: 'b.example.com', externalNetwork: '172.29.0.0/16' };
  expect(await codesOf(hostUp(program, say, other))).toEqual(['NOVA7091', 'NOVA7091']);
  expect(await keptSite()).toEqual(site);
});

test('a host can be set up with other networks after its removal', async () => {
  await hostDown(say);
  expect(await run('ip', ['-4', 'route', 'show', 'table', 'all'])).not.toContain('192.168.');
  expect(await readdir('/var/lib/nova')).toEqual([]);
  await hostUp(program, say);
  expect((await keptSite()).external.network).toBe('172.30.0.0/16');
});
