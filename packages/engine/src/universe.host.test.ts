import { createServer } from 'node:net';
import { createKeyPair } from '@nova-platform/pki';
import { defaultSite } from '@nova-platform/plan';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEngineClient, engineClient } from './client.ts';
import { hostDown } from './host/down.ts';
import { hostUp } from './host/up.ts';
import { clientEndpoint } from './paths.ts';
import { inside, program } from './testing.ts';

const { address } = defaultSite.universe;
const say = () => undefined;
const services = 'nova-resolver.path nova-resolver nova-registry nova-universe';

/** Stands in for Universe: tells what it may do, and stays. */
const standIn = `
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
const able = (work) => { try { work(); return true; } catch (error) { return error.code; } };
const status = readFileSync('/proc/self/status', 'utf8');
const facts = {
  user: [process.getuid(), process.getgid()],
  capabilities: ['CapEff', 'CapBnd', 'CapAmb'].map((name) => Number('0x' + new RegExp(name + ':\\\\s*(\\\\w+)').exec(status)[1])),
  noNewPrivileges: /NoNewPrivs:\\s*1/.test(status),
  state: able(() => writeFileSync('/var/lib/nova/probe', '')),
  runtime: able(() => writeFileSync('/run/nova/probe', '')),
  temporary: able(() => writeFileSync('/tmp/probe', '')),
  system: able(() => writeFileSync('/etc/probe', '')),
  program: able(() => writeFileSync('/opt/nova/platform/probe', '')),
  home: able(() => readFileSync('/root/.bashrc')),
  memory: process.env.MALLOC_ARENA_MAX,
};
createServer().listen(443, () => writeFileSync('/run/nova/facts.json', JSON.stringify(facts)));
execFile('systemd-notify', ['--ready']);
`;

const put = (path: string, content: string) =>
  inside(
    'universe',
    `mkdir -p $(dirname ${path}); echo ${Buffer.from(content).toString('base64')} | base64 -d > ${path}`,
  );

const until = (command: string, expected: string) =>
  expect.poll(() => inside('universe', command), { timeout: 20_000, interval: 200 }).toBe(expected);

const create = () =>
  engineClient.createMachine({
    name: 'universe',
    image: 'universe',
    network: 'integration',
    address,
    memoryMebibytes: 512,
    volumes: [{ name: 'universe', path: '/var/lib/nova' }],
  });

beforeAll(async () => {
  await hostUp(program, say);
  await engineClient.buildImage('universe', say);
  await create();
});

afterAll(() => hostDown(say));

test('Universe runs as a user of its own that may do little', async () => {
  // The real one does not tell what it may do.
  await inside('universe', `systemctl stop ${services}; rm -rf /var/lib/nova/resolver`);
  await put('/opt/nova/platform/nova-universe.js', standIn);
  await inside('universe', 'systemctl start --no-block nova-universe nova-resolver.path');
  await until('cat /run/nova/facts.json >/dev/null 2>&1 && echo there', 'there\n');
  const onlyBinding = 2 ** 10;
  expect(JSON.parse(await inside('universe', 'cat /run/nova/facts.json'))).toEqual({
    user: [900, 900],
    capabilities: [onlyBinding, onlyBinding, onlyBinding],
    noNewPrivileges: true,
    state: true,
    runtime: true,
    temporary: true,
    system: 'EROFS',
    program: 'EROFS',
    home: 'EACCES',
    memory: '2',
  });
  expect(await inside('universe', 'stat -c "%a %U %n" /var/lib/nova /run/nova; ls /tmp/probe 2>&1')).toBe(
    "700 nova /var/lib/nova\n700 nova /run/nova\nls: cannot access '/tmp/probe': No such file or directory\n",
  );
});

test('a service that ends comes back, and what it had at run time stays', async () => {
  await inside('universe', 'rm /run/nova/facts.json; touch /run/nova/kept; systemctl kill -s KILL nova-universe');
  await until('cat /run/nova/facts.json >/dev/null 2>&1 && ls /run/nova/kept', '/run/nova/kept\n');
});

test('the resolver answers once it is told what', async () => {
  expect(await inside('universe', 'systemctl is-active nova-resolver.service')).toBe('inactive\n');
  await put('/var/lib/nova/resolver/Corefile', '.:53 {\n  hosts {\n    192.0.2.1 probe.example\n  }\n}\n');
  await inside('universe', 'chown -R nova: /var/lib/nova/resolver');
  await until('systemctl is-active nova-resolver.service', 'active\n');
  await until('ss -lun sport = :53 | grep -c :53', '1\n');
});

test('our programs and those of others are there', async () => {
  const missing = `for each in $(grep -ho '/opt/nova/[^ ]*' /etc/systemd/system/nova-*.service); do [ -e $each ] || echo $each; done`;
  expect(await inside('universe', missing)).toBe('');
  expect(
    await inside('universe', 'nova-ctl version | grep -c Kubernetes; git --version | cut -d" " -f1; ls /opt/nova'),
  ).toBe('1\ngit\ncoredns\ndistribution\nnode\nplatform\n');
});

test("from Universe's machine the engine is reached with a certificate, and only with one", async () => {
  const { privateKey, publicKey } = await createKeyPair();
  const { certificate, authority } = await engineClient.createClient('universe', publicKey);
  for (const [name, content] of Object.entries({ key: privateKey, cert: certificate, ca: authority }))
    await put(`/root/${name}.pem`, content);
  const url = `https://${clientEndpoint.host}:${clientEndpoint.port}/v1`;
  const curl = 'curl -sS --max-time 5 --cacert /root/ca.pem';
  const own = '--cert /root/cert.pem --key /root/key.pem';
  expect(JSON.parse(await inside('universe', `${curl} ${own} ${url}/health`))).toMatchObject({ status: 'ok' });
  expect(await inside('universe', `${curl} ${own} -X POST ${url}/images/prune`)).toContain('NOVA7040');
  // Whoever still writes when he is refused may not come to read why.
  expect(await inside('universe', `${curl} ${url}/health`)).toMatch(/certificate required|Connection reset/);

  const client = createEngineClient({ ...clientEndpoint, ca: authority, cert: certificate, key: privateKey });
  await client.createNetwork('tenant', '10.61.0.0/24');
  await engineClient.buildImage('node', say);
  await client.createMachine({ name: 't1', image: 'node', network: 'tenant', memoryMebibytes: 128 });
  await client.restartMachine('t1');
  await client.stopMachine('t1');
  expect((await client.machines()).map(({ name, state }) => `${name} ${state}`)).toEqual([
    't1 stopped',
    'universe running',
  ]);
  await client.deleteMachine('t1');
  await client.deleteNetwork('tenant');
});

test('Universe reaches other ports of the host only while they are open', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((socket) => {
    seen.push(socket.remoteAddress);
    socket.end('host\n');
  });
  await new Promise<void>((listening) => void server.listen(7100, clientEndpoint.host, listening));
  const knock = () => inside('universe', `curl -s --max-time 3 telnet://${clientEndpoint.host}:7100 </dev/null`);
  expect(await knock()).toBe('');
  expect(await engineClient.changeOpenPorts(['7100/tcp'])).toEqual(['7100/tcp']);
  expect(await knock()).toBe('host\n');
  expect(await engineClient.changeOpenPorts([])).toEqual([]);
  expect(await knock()).toBe('');
  server.close();
  // Outbound connections have the address of the router.
  expect(seen).toEqual([defaultSite.integration.externalAddress]);
});

test('a machine made anew finds what the one before it kept', async () => {
  await inside('universe', 'echo kept > /var/lib/nova/file; chown nova: /var/lib/nova/file');
  const has = (machine?: string) => [
    { name: 'universe', ...(machine && { machine }), bytes: expect.any(Number) as number },
  ];
  expect(await engineClient.volumes()).toEqual(has('universe'));
  await engineClient.deleteMachine('universe');
  expect(await engineClient.volumes()).toEqual(has());
  await create();
  expect(await inside('universe', 'cat /var/lib/nova/file; stat -c %U /var/lib/nova/file')).toBe('kept\nnova\n');
});
