import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildComponent, chooseComponents, readComponents } from '@nova-platform/distro';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { resolverCorefile } from './resolver.ts';

const ours = { port: 15353, healthPort: 18053 };
const company = { port: 15354, healthPort: 18063 };
const names = [
  { name: 'universe.nova.internal', addresses: ['10.255.0.10'] },
  { name: 'api.demo.nova.internal', addresses: ['10.1.0.1', '10.1.0.2', '10.1.0.3'] },
  { name: 'nova.mycompany.local', addresses: ['172.30.0.10'] },
];
const companyNames = [
  { name: 'git.mycompany.local', addresses: ['192.168.7.7'] },
  { name: 'x.nova.mycompany.local', addresses: ['192.168.7.8'] },
  // Must never be queried.
  { name: 'stranger.nova.internal', addresses: ['192.168.7.9'] },
];

let folder: string;
let program: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-dns-'));
  const [component] = chooseComponents(await readComponents(), ['coredns']);
  if (!component) throw new Error('there is no coredns');
  program = join((await buildComponent(component)).folder, 'bin', 'coredns');
});
afterEach(async () => {
  for (const child of running.splice(0)) await stop(child);
});
afterAll(() => rm(folder, { recursive: true }));

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function write(name: string, corefile: string): Promise<string> {
  const file = join(folder, name);
  // The company's servers use port 53, which this host may need itself.
  await writeFile(`${file}.new`, corefile.replace(/(?<=forward .*)127\.0\.0\.\d/g, `$&:${company.port}`));
  await rename(`${file}.new`, file);
  return file;
}

async function start(name: 'ours' | 'company', corefile: string): Promise<ChildProcess> {
  const { healthPort } = name === 'ours' ? ours : company;
  const child = spawn(program, ['-conf', await write(name, corefile)], { stdio: ['ignore', 'inherit', 'inherit'] });
  running.push(child);
  await expect.poll(() => httpStatus(healthPort + 1, '/ready'), { timeout: 10_000 }).toBe(200);
  return child;
}

const corefileWith = (servers: string[]) =>
  resolverCorefile({ domain: 'nova.internal', names, servers, listen: '127.0.0.1', ...ours });
const startOurs = (servers: string[]) => start('ours', corefileWith(servers));
const startCompany = () =>
  start(
    'company',
    resolverCorefile({ domain: 'nova.internal', names: companyNames, servers: [], listen: '127.0.0.1', ...company }),
  );

function httpStatus(port: number, path: string): Promise<number> {
  return fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status,
    () => 0,
  );
}

function resolver(): Resolver {
  const client = new Resolver({ timeout: 8000, tries: 1 });
  client.setServers([`127.0.0.1:${ours.port}`]);
  return client;
}

/** The sorted addresses, or the error code. */
async function ask(name: string, type: 'A' | 'AAAA' | 'PTR' | 'TXT' = 'A'): Promise<unknown> {
  try {
    return ((await resolver().resolve(name, type)) as string[]).toSorted();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

async function quickly<T>(work: Promise<T>): Promise<T> {
  const before = performance.now();
  const answer = await work;
  expect(performance.now() - before).toBeLessThan(1000);
  return answer;
}

test('without company servers, only our names resolve', async () => {
  await startOurs([]);
  expect(await ask('universe.nova.internal')).toEqual(['10.255.0.10']);
  expect(await ask('UNIVERSE.Nova.Internal')).toEqual(['10.255.0.10']);
  expect(await ask('api.demo.nova.internal')).toEqual(['10.1.0.1', '10.1.0.2', '10.1.0.3']);
  expect(await ask('nova.mycompany.local')).toEqual(['172.30.0.10']);
  for (const { name } of names) {
    expect(await ask(name, 'AAAA')).toBe('ENODATA');
    expect(await ask(name, 'TXT')).toBe('ENODATA');
  }
  const others = [
    'other.nova.internal',
    'x.universe.nova.internal',
    'nova.internal',
    'git.mycompany.local',
    'localhost',
  ];
  for (const name of others) {
    expect(await quickly(ask(name))).toBe('ENOTFOUND');
    expect(await quickly(ask(name, 'AAAA'))).toBe('ENOTFOUND');
  }
  expect(await quickly(ask('10.0.255.10.in-addr.arpa', 'PTR'))).toBe('ENOTFOUND');
  expect(await quickly(ask('1.0.0.127.in-addr.arpa', 'PTR'))).toBe('ENOTFOUND');
});

test('with a company server, it answers everything except our zone and names', async () => {
  await startCompany();
  await startOurs(['127.0.0.1']);
  expect(await ask('universe.nova.internal')).toEqual(['10.255.0.10']);
  expect(await ask('nova.mycompany.local')).toEqual(['172.30.0.10']);
  expect(await ask('nova.mycompany.local', 'AAAA')).toBe('ENODATA');
  expect(await ask('git.mycompany.local')).toEqual(['192.168.7.7']);
  expect(await ask('x.nova.mycompany.local')).toEqual(['192.168.7.8']);
  expect(await ask('git.mycompany.local', 'AAAA')).toBe('ENODATA');
  expect(await ask('other.mycompany.local')).toBe('ENOTFOUND');
  expect(await ask('stranger.nova.internal')).toBe('ENOTFOUND');
  expect(await httpStatus(ours.healthPort, '/health')).toBe(200);
  const metrics = await (await fetch(`http://127.0.0.1:${ours.healthPort + 2}/metrics`)).text();
  expect(metrics).toMatch(/coredns_dns_responses_total\{.*rcode="NXDOMAIN".*zone="nova\.internal\."\} 1/);
});

test('while the company server is down, its names fail fast and ours resolve; it is used again once it is back', async () => {
  const companyServer = await startCompany();
  await startOurs(['127.0.0.1']);
  expect(await ask('git.mycompany.local')).toEqual(['192.168.7.7']);
  await stop(companyServer);
  expect(await quickly(ask('other.mycompany.local'))).toBe('ESERVFAIL');
  // Earlier answers are cached.
  expect(await quickly(ask('git.mycompany.local'))).toEqual(['192.168.7.7']);
  for (const { name, addresses } of names) expect(await quickly(ask(name))).toEqual(addresses);
  expect(await quickly(ask('other.nova.internal'))).toBe('ENOTFOUND');
  await startCompany();
  await expect.poll(() => ask('x.nova.mycompany.local'), { timeout: 5000 }).toEqual(['192.168.7.8']);
});

test('a company server that does not respond delays only the first queries', async () => {
  const silent: Socket = createSocket('udp4').bind(company.port, '127.0.0.2');
  await once(silent, 'listening');
  try {
    await startOurs(['127.0.0.2']);
    expect(await ask('first.mycompany.local')).toBe('ESERVFAIL');
    expect(await ask('second.mycompany.local')).toBe('ESERVFAIL');
    expect(await quickly(ask('third.mycompany.local'))).toBe('ESERVFAIL');
    expect(await quickly(ask('universe.nova.internal'))).toEqual(['10.255.0.10']);

    await startCompany();
    await write('ours', corefileWith(['127.0.0.2', '127.0.0.1']));
    await expect.poll(() => ask('git.mycompany.local'), { timeout: 10_000 }).toEqual(['192.168.7.7']);
    await expect.poll(() => quickly(ask('x.nova.mycompany.local')), { timeout: 10_000 }).toEqual(['192.168.7.8']);
  } finally {
    silent.close();
  }
});

test('a changed Corefile is loaded without a lost query; a broken one is ignored', async () => {
  await startOurs([]);
  const changed = [...names, { name: 'api.new.nova.internal', addresses: ['10.2.0.1'] }];
  await write(
    'ours',
    resolverCorefile({ domain: 'nova.internal', names: changed, servers: [], listen: '127.0.0.1', ...ours }),
  );
  const deadline = Date.now() + 10_000;
  while ((await ask('api.new.nova.internal')) === 'ENOTFOUND' && Date.now() < deadline)
    expect(await quickly(ask('universe.nova.internal'))).toEqual(['10.255.0.10']);
  expect(await ask('api.new.nova.internal')).toEqual(['10.2.0.1']);
  await write('ours', '. {');
  await new Promise((resolve) => setTimeout(resolve, 5000));
  expect(await ask('api.new.nova.internal')).toEqual(['10.2.0.1']);
  expect(await httpStatus(ours.healthPort, '/health')).toBe(200);
});

test('five thousand queries are all answered', async () => {
  await startCompany();
  await startOurs(['127.0.0.1']);
  const queries = ['universe.nova.internal', 'git.mycompany.local', 'other.nova.internal', 'nova.mycompany.local'];
  const client = resolver();
  let unanswered = 0;
  const work = async (name: string) => {
    for (let count = 0; count < 125; count += 1)
      await client.resolve4(name).catch(({ code }: NodeJS.ErrnoException) => {
        if (code !== 'ENOTFOUND') unanswered += 1;
      });
  };
  await Promise.all(Array.from({ length: 10 }, () => queries.map(work)).flat());
  expect(unanswered).toBe(0);
});
