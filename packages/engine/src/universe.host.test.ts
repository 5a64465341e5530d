import { createServer } from 'node:net';
import { createEngineClient, engineClient } from '@nova-platform/contracts/engine/client';
import { createKeyPair } from '@nova-platform/pki';
import { defaultSite } from '@nova-platform/plan';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostDown } from './host/down.ts';
import { hostUp } from './host/up.ts';
import { clientEndpoint } from './paths.ts';
import { inside, program } from './testing.ts';

const { address } = defaultSite.universe;
const say = () => undefined;
const services = ['nova-universe', 'nova-registry', 'nova-git', 'nova-resolver'] as const;

/** Replaces Universe: reports its permissions and keeps running. */
const standIn = `
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
const able = (work) => { try { work(); return true; } catch (error) { return error.code; } };
const status = readFileSync('/proc/self/status', 'utf8');
const facts = {
  user: [process.getuid(), process.getgid()],
  capabilities: ['CapEff', 'CapBnd', 'CapAmb'].map((name) => Number('0x' + new RegExp(name + ':\\\\s*(\\\\w+)').exec(status)[1])),
  noNewPrivileges: /NoNewPrivs:\\s*1/.test(status),
  state: able(() => writeFileSync('/var/lib/nova/universe/probe', '')),
  volume: able(() => writeFileSync('/var/lib/nova/probe', '')),
  registry: able(() => readdirSync('/var/lib/nova/registry')),
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
  expect.poll(() => inside('universe', command), { timeout: 120_000, interval: 200 }).toBe(expected);

const create = () =>
  engineClient.createMachine({
    name: 'universe',
    image: 'universe',
    network: 'integration',
    address,
    memoryMebibytes: 1024,
    volumes: [{ name: 'universe', path: '/var/lib/nova' }],
  });

beforeAll(async () => {
  await hostUp(program, say);
  await engineClient.buildImage('universe', say);
  await create();
});

afterAll(() => hostDown(say));

/** Waits until every service runs and Universe serves requests. */
const ready = async () => {
  await until(
    'curl -sf --unix-socket /run/nova/universe.sock http://universe/api/v1/ready >/dev/null && echo ok',
    'ok\n',
  );
  for (const service of services) await until(`systemctl is-active ${service}`, 'active\n');
  await until('curl -so /dev/null --max-time 2 http://127.0.0.1:5001/v2/ && echo ok', 'ok\n');
};

test.for(services)('%s has an exposure level below 2.5', async (service) => {
  await ready();
  const output = await inside('universe', `systemd-analyze security --no-pager ${service}.service | tail -1`);
  expect(Number(/exposure level for .*: ([\d.]+)/.exec(output)?.[1]), output).toBeLessThan(2.5);
});

test.for(['nova-registry', 'nova-git', 'nova-resolver'])(
  'the user of %s cannot read files of Universe or connect to sockets of administrators',
  async (service) => {
    await ready();
    const user = (await inside('universe', `systemctl show --property=User --value ${service}`)).trim();
    const attempt = (command: string) =>
      inside('universe', `setpriv --reuid=${user} --regid=${user} --init-groups ${command} >/dev/null 2>&1; echo $?`);
    expect(await attempt('true')).toBe('0\n');
    const listed = await inside(
      'universe',
      'find /var/lib/nova -name master.key -o -name "universe.db*" -o -name keys.json -o -name import.password',
    );
    const files = listed.trim().split('\n');
    expect(files.map((file) => file.split('/').at(-1))).toEqual(
      expect.arrayContaining(['master.key', 'universe.db', 'keys.json', 'import.password']),
    );
    const others = files.filter((file) => service !== 'nova-registry' || !file.includes('/registry/'));
    for (const file of others) expect(await attempt(`cat ${file}`), file).not.toBe('0\n');
    for (const socket of ['universe', 'config']) {
      const path = `/run/nova/${socket}.sock`;
      expect(await inside('universe', `test -S ${path} && echo there`)).toBe('there\n');
      expect(await attempt(`curl -s --max-time 2 --unix-socket ${path} http://localhost/`), path).not.toBe('0\n');
    }
  },
);

test('a service can access only what it needs of the others', async () => {
  await ready();
  const as = (user: string, socket: string) =>
    inside(
      'universe',
      `setpriv --reuid=${user} --regid=${user} --init-groups curl -so /dev/null --max-time 2 --unix-socket ${socket} http://localhost/; echo $?`,
    );
  const denied = '7\n';
  expect(await as('nova-registry', '/run/nova-config/registry.sock')).toBe('0\n');
  expect(await as('nova-git', '/run/nova-config/registry.sock')).toBe(denied);
  expect(await as('nova-resolver', '/run/nova-config/registry.sock')).toBe(denied);
  expect(await as('nova-git', '/run/nova-registry/registry.sock')).toBe(denied);
  expect(await as('nova-registry', '/run/nova-git/git.sock')).toBe(denied);
  const write = (user: string, path: string) =>
    inside('universe', `setpriv --reuid=${user} --regid=${user} --init-groups touch ${path} 2>/dev/null; echo $?`);
  expect(await write('nova-git', '/var/lib/nova/git/release.git/HEAD')).toBe('1\n');
  expect(await write('nova-resolver', '/var/lib/nova/resolver/Corefile')).toBe('1\n');
});

test("services use each other's data", async () => {
  await ready();
  expect(JSON.parse(await inside('universe', 'nova-ctl status -o json'))).toMatchObject({
    services: expect.arrayContaining([
      { name: 'registry', isReady: true },
      { name: 'resolver', isReady: true },
      { name: 'git', isReady: true, version: expect.any(String) as string },
    ]) as object[],
  });
  expect(JSON.parse(await inside('universe', 'nova-ctl registry list -o json'))).toEqual({ images: [] });
  const url = 'http://universe/git/release.git/info/refs?service=git-upload-pack';
  expect(await inside('universe', `curl -sf --unix-socket /run/nova/universe.sock '${url}' | head -c 30`)).toBe(
    '001e# service=git-upload-pack\n',
  );
});

test('a killed service is restarted', async () => {
  await ready();
  await inside('universe', `systemctl kill -s KILL ${services.join(' ')}`);
  await until('systemctl show --property=NRestarts --value nova-git', '1\n');
  await ready();
  await until('nova-ctl status >/dev/null 2>&1; nova-ctl status -o json | grep -c \'"isReady": *false\'', '1\n');
});

test('a volume of an earlier release is migrated with all its data', async () => {
  await ready();
  const users = 'nova-ctl user list -o json';
  await inside('universe', "echo 'correct horse battery' | nova-ctl user create ann --role viewer");
  const fingerprint = 'curl -s --unix-socket /run/nova/universe.sock http://universe/api/v1/authority';
  const [before, known] = [await inside('universe', fingerprint), await inside('universe', users)];
  expect(known).toContain('ann');
  // The layout of earlier releases: all files at the top level, owned by and readable for one user.
  await inside(
    'universe',
    `systemctl stop nova-resolver.path ${services.join(' ')}
     cd /var/lib/nova
     printf '{ "logLevel": "warn" }' > universe/settings.json
     mkdir -p registry/storage/kept && echo layer > registry/storage/kept/data
     mv universe/* . && rmdir universe
     chown -R nova:nova . && find . -type d -exec chmod 0700 {} +
     find . -type f -exec chmod go= {} +`,
  );
  await engineClient.deleteMachine('universe');
  await create();
  await ready();
  expect(await inside('universe', fingerprint)).toBe(before);
  expect(await inside('universe', users)).toBe(known);
  expect(
    await inside('universe', 'cat /var/lib/nova/universe/settings.json /var/lib/nova/registry/storage/kept/data'),
  ).toBe('{ "logLevel": "warn" }layer\n');
  expect(await inside('universe', 'cd /var/lib/nova; stat -c "%a %U %G %n" . *')).toBe(
    [
      '755 root root .',
      '2750 nova nova-git git',
      '700 nova-registry nova-registry registry',
      '2750 nova nova-resolver resolver',
      '700 nova nova universe',
      '',
    ].join('\n'),
  );
  expect(await inside('universe', 'find /var/lib/nova/registry ! -user nova-registry')).toBe('');
  expect(await inside('universe', 'find /var/lib/nova/git ! -group nova-git')).toBe('');
});

test('a killed migration of a volume is completed at the next start', async () => {
  const script = '/usr/local/libexec/nova-volume';
  const tree = 'cd /tmp/volume && find . -printf "%P %m %u %g\\n" | sort';
  const old = `rm -rf /tmp/volume; mkdir -p /tmp/volume/engine /tmp/volume/git/release.git/refs /tmp/volume/registry /tmp/volume/resolver
    cd /tmp/volume; touch master.key universe.db universe.db-wal engine/keys.json git/release.git/HEAD resolver/Corefile
    chown -R nova:nova .; chmod -R go= .`;
  const whole = await inside('universe', `${old}; ${script} /tmp/volume; ${tree}`);
  expect(whole).toContain('universe/universe.db-wal 600 nova nova\n');
  expect(whole).toContain('git/release.git/HEAD 640 nova nova-git\n');
  expect(whole).toContain('git/release.git/refs 2750 nova nova-git\n');
  // Kills itself before one of its commands.
  await put(
    '/tmp/killed',
    `limit=$1; n=0; set -T
trap 'n=$((n+1)); [ $n -lt $limit ] || kill -9 $$' DEBUG
. ${script} /tmp/volume
echo $n
`,
  );
  const commands = Number(await inside('universe', `${old}; bash /tmp/killed 1000`));
  expect(commands).toBeGreaterThan(20);
  const ends = await inside(
    'universe',
    `for count in $(seq 2 ${commands}); do
      ${old}
      bash /tmp/killed $count >/dev/null 2>&1
      ${script} /tmp/volume
      (${tree}) | cksum
    done 2>/dev/null | sort -u`,
  );
  expect(ends).toBe(await inside('universe', `(${tree}) | cksum`));
  expect(await inside('universe', tree)).toBe(whole);
});

test('Universe runs as its own user with few permissions', async () => {
  // The real Universe does not report its permissions.
  await inside(
    'universe',
    `systemctl stop nova-resolver.path ${services.join(' ')}; rm -f /var/lib/nova/resolver/Corefile`,
  );
  await put('/opt/nova/platform/nova-universe.js', standIn);
  await inside('universe', 'systemctl start --no-block nova-universe nova-resolver.path');
  await until('cat /run/nova/facts.json >/dev/null 2>&1 && echo there', 'there\n');
  const onlyBinding = 2 ** 10;
  expect(JSON.parse(await inside('universe', 'cat /run/nova/facts.json'))).toEqual({
    user: [900, 900],
    capabilities: [onlyBinding, onlyBinding, onlyBinding],
    noNewPrivileges: true,
    state: true,
    volume: 'EROFS',
    registry: 'EACCES',
    runtime: true,
    temporary: true,
    system: 'EROFS',
    program: 'EROFS',
    home: 'EACCES',
    memory: '2',
  });
  expect(await inside('universe', 'stat -c "%a %U %n" /var/lib/nova/universe /run/nova; ls /tmp/probe 2>&1')).toBe(
    "700 nova /var/lib/nova/universe\n700 nova /run/nova\nls: cannot access '/tmp/probe': No such file or directory\n",
  );
});

test('a service that exits is restarted, and its runtime files stay', async () => {
  await inside('universe', 'rm /run/nova/facts.json; touch /run/nova/kept; systemctl kill -s KILL nova-universe');
  await until('cat /run/nova/facts.json >/dev/null 2>&1 && ls /run/nova/kept', '/run/nova/kept\n');
});

test('the resolver starts once it has a configuration', async () => {
  expect(await inside('universe', 'systemctl is-active nova-resolver.service')).toBe('inactive\n');
  await put('/var/lib/nova/resolver/Corefile', '.:53 {\n  hosts {\n    192.0.2.1 probe.example\n  }\n}\n');
  await inside(
    'universe',
    'chown nova:nova-resolver /var/lib/nova/resolver/Corefile; chmod 640 /var/lib/nova/resolver/Corefile',
  );
  await until('systemctl is-active nova-resolver.service', 'active\n');
  await until('ss -lun sport = :53 | grep -c :53', '1\n');
});

test('our own and third-party programs are installed', async () => {
  const missing = `for each in $(grep -ho '/opt/nova/[^ ]*' /etc/systemd/system/nova-*.service); do [ -e $each ] || echo $each; done`;
  expect(await inside('universe', missing)).toBe('');
  expect(
    await inside('universe', 'nova-ctl version | grep -c Kubernetes; git --version | cut -d" " -f1; ls /opt/nova'),
  ).toBe('1\ngit\ncoredns\ndistribution\nnode\nopentofu\nplatform\n');
});

test("the engine accepts clients in Universe's machine only with a certificate", async () => {
  const { privateKey, publicKey } = await createKeyPair();
  const { certificate, authority } = await engineClient.createClient('universe', publicKey);
  for (const [name, content] of Object.entries({ key: privateKey, cert: certificate, ca: authority }))
    await put(`/root/${name}.pem`, content);
  const url = `https://${clientEndpoint(defaultSite).host}:${clientEndpoint(defaultSite).port}/v1`;
  const curl = 'curl -sS --max-time 5 --cacert /root/ca.pem';
  const own = '--cert /root/cert.pem --key /root/key.pem';
  expect(JSON.parse(await inside('universe', `${curl} ${own} ${url}/health`))).toMatchObject({ status: 'ok' });
  expect(await inside('universe', `${curl} ${own} -X POST ${url}/images/prune`)).toContain('NOVA7040');
  // A client that is still writing when it is refused may not read the reason.
  expect(await inside('universe', `${curl} ${url}/health`)).toMatch(/certificate required|Connection reset/);

  const client = createEngineClient({
    ...clientEndpoint(defaultSite),
    ca: authority,
    cert: certificate,
    key: privateKey,
  });
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
  await new Promise<void>((listening) => void server.listen(7100, clientEndpoint(defaultSite).host, listening));
  const tryConnect = () =>
    inside('universe', `curl -s --max-time 3 telnet://${clientEndpoint(defaultSite).host}:7100 </dev/null`);
  expect(await tryConnect()).toBe('');
  expect(await engineClient.changeOpenPorts(['7100/tcp'])).toEqual(['7100/tcp']);
  expect(await tryConnect()).toBe('host\n');
  expect(await engineClient.changeOpenPorts([])).toEqual([]);
  expect(await tryConnect()).toBe('');
  server.close();
  // Outbound connections have the address of the router.
  expect(seen).toEqual([defaultSite.integration.externalAddress]);
});

test("a recreated machine has the data of its predecessor's volume", async () => {
  const file = '/var/lib/nova/universe/file';
  await inside('universe', `echo kept > ${file}; chown nova: ${file}`);
  const has = (machine?: string) => [
    { name: 'universe', ...(machine && { machine }), bytes: expect.any(Number) as number },
  ];
  expect(await engineClient.volumes()).toEqual(has('universe'));
  await engineClient.deleteMachine('universe');
  expect(await engineClient.volumes()).toEqual(has());
  await create();
  expect(await inside('universe', `cat ${file}; stat -c %U ${file}`)).toBe('kept\nnova\n');
});
