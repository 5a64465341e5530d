import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { unitOf } from '@nova-platform/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute, novaCtl } from './nova-ctl.ts';

const host = '172.30.0.1';
const port = 8443;
const folder = '/var/lib/nova/ovirt';
const secret = 'a long password';
const machines = {
  universe: ['--network', 'integration', '--address', '10.255.0.10'],
  m1: ['--network', 'lab', '--address', '10.43.0.11'],
};

async function done(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await novaCtl(args);
  expect(exitCode, `${args.join(' ')}: ${stderr}`).toBe(0);
  return stdout;
}

const json = async <T>(...args: string[]) => JSON.parse(await done(...args, '-o', 'json')) as T;

/** The processes of the API: they are the only ones that run its program. */
function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/programs/ovirt/nova-ovirt.js');
      } catch {
        return false;
      }
    })
    .map(Number);
}

function pidOf(service: string): number {
  return (JSON.parse(readFileSync(`/run/nova/services/${service}.json`, 'utf8')) as { pid: number }).pid;
}

function ask(path: string, { token = '', body }: { token?: string | undefined; body?: string } = {}) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const headers = {
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    const options = { host, port, path, method, headers, rejectUnauthorized: false, agent: false, timeout: 10_000 };
    const outgoing = request(options, async (response) =>
      resolve({ status: response.statusCode ?? 0, body: await text(response) }),
    );
    outgoing.on('error', reject).on('timeout', () => outgoing.destroy(new Error('timed out')));
    outgoing.end(body);
  });
}

async function login(name: string): Promise<string | undefined> {
  const body = new URLSearchParams({ grant_type: 'password', username: name, password: secret }).toString();
  const answer = await ask('/ovirt-engine/sso/oauth/token', { body });
  return (JSON.parse(answer.body) as { access_token?: string }).access_token;
}

const statusOf = (path: string, token?: string) =>
  ask(path, { token }).then(
    ({ status }) => status,
    () => undefined,
  );
const networks = '/networking/v2.0/networks';

async function reaches(machine: keyof typeof machines): Promise<boolean> {
  const probe = `timeout 3 bash -c 'exec 3<>/dev/tcp/${host}/${port}'`;
  return (await novaCtl(['machine', 'exec', machine, '--', 'sh', '-c', probe])).exitCode === 0;
}

let admin: string | undefined;

beforeAll(async () => {
  await done('host', 'up');
  await done('image', 'build', 'node');
  await done('network', 'create', 'lab', '--cidr', '10.43.0.0/24');
  for (const [name, card] of Object.entries(machines))
    await done('machine', 'create', name, ...card, '--memory', '128Mi');
});

afterAll(async () => {
  await novaCtl(['host', 'down']);
});

test('the API is off until it is switched on', async () => {
  expect(await json('host', 'ovirt', 'status')).toEqual({ isOn: false });
  expect(processes()).toEqual([]);
  expect((await novaCtl(['host', 'ovirt', 'user', 'list'])).stderr).toContain('NOVA7660');
  expect(await json('host', 'ovirt', 'enable')).toMatchObject({ isOn: true, isServed: true, users: 0 });
  expect(await json('host', 'ovirt', 'status')).toMatchObject({ isOn: true, url: `https://${host}:${port}` });
});

test('the process has its own user, and no privileges, groups, secrets or files of root', async () => {
  const [pid = 0, ...others] = processes();
  expect(others).toEqual([]);
  const uid = Number((await execute('id', ['-u', 'nova-ovirt'])).stdout);
  expect(uid).toBeGreaterThan(0);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)?.[1]?.trim();
  expect(field('Uid')?.split('\t').map(Number)).toEqual([uid, uid, uid, uid]);
  expect(field('Groups')).toBe('');
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) expect(field(set), set).toMatch(/^0+$/);
  expect(field('NoNewPrivs')).toBe('1');
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean).toSorted()).toEqual([
    `HOME=${folder}`,
    'PATH=/usr/bin:/bin',
  ]);
  expect(statSync(folder)).toMatchObject({ uid, mode: 0o40700 });
  expect(statSync(join(folder, 'admin.sock'))).toMatchObject({ uid, mode: 0o140600 });
  const asUser = (script: string) =>
    execute('setpriv', ['--reuid', 'nova-ovirt', '--clear-groups', 'sh', '-c', script]);
  expect((await asUser(`test -r ${folder}/ovirt.db`)).exitCode).toBe(0);
  for (const file of ['engine/authority.json', 'ovirt.json', 'programs/ovirt/nova-ovirt.js'])
    expect((await asUser(`test -w /var/lib/nova/${file}`)).exitCode, file).not.toBe(0);
  for (const file of ['/var/lib/nova/engine/authority.json', '/run/nova/engine.sock'])
    expect((await asUser(`test -r ${file}`)).exitCode, file).not.toBe(0);
});

test('it listens only at the address of the host in the external network', async () => {
  const [pid] = processes();
  const { stdout } = await execute('ss', ['-Hltnup']);
  const own = stdout.split('\n').filter((line) => line.includes(`pid=${pid},`));
  expect(own.map((line) => line.split(/\s+/)[4])).toEqual([`${host}:${port}`]);
});

test('a systemd unit confines a service in the same way', async () => {
  const report = `{ id -un; grep -hE "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status; touch /var/lib/probe || echo read-only; } >/srv/own/report 2>/dev/null`;
  const unit = unitOf({
    name: 'nova-confined',
    command: '/bin/sh',
    args: ['-c', `${report}; exec sleep 1000`],
    user: { name: 'probe', folder: '/srv/own' },
  });
  const script = `echo 'u probe' | systemd-sysusers - && install -d -o probe /srv/own
    cat >/run/systemd/system/nova-confined.service && systemctl daemon-reload && systemctl start nova-confined
    for try in $(seq 100); do [ "$(wc -l </srv/own/report)" = 5 ] && break; sleep 0.1; done; cat /srv/own/report`;
  const { stdout } = await novaCtl(['machine', 'exec', 'm1', '--', 'sh', '-c', script], { input: unit });
  const none = '0'.repeat(16);
  expect(stdout).toBe(`probe\nCapEff:\t${none}\nCapBnd:\t${none}\nNoNewPrivs:\t1\nread-only\n`);
});

test('only users with a password or a valid token have access', async () => {
  const add = (name: string, role: string) =>
    novaCtl(['host', 'ovirt', 'user', 'add', name, '--role', role], { input: `${secret}\n` });
  expect(await add('admin@internal', 'SuperUser')).toMatchObject({ exitCode: 0 });
  expect(await add('reader@internal', 'ReadOnlyAdmin')).toMatchObject({ exitCode: 0 });
  expect((await add('admin@internal', 'SuperUser')).stderr).toContain('NOVA7655');
  expect((await json<{ users: object[] }>('host', 'ovirt', 'user', 'list')).users).toHaveLength(2);

  admin = await login('admin@internal');
  expect(await login('nobody@internal')).toBeUndefined();
  for (const path of [networks, '/ovirt-engine/api']) {
    expect(await statusOf(path)).toBe(401);
    expect(await statusOf(path, 'wrong')).toBe(401);
    expect(await statusOf(path, admin)).toBe(200);
  }
  expect((await ask(networks, { token: admin })).body).toContain('"name":"lab"');
  const fresh = { input: 'another password\n' };
  expect(await novaCtl(['host', 'ovirt', 'user', 'password', 'reader@internal'], fresh)).toMatchObject({ exitCode: 0 });
  expect(await login('reader@internal')).toBeUndefined();
  await done('host', 'ovirt', 'user', 'remove', 'reader@internal');
});

test('Universe reaches it, other machines do not', async () => {
  expect(await reaches('universe')).toBe(true);
  expect(await reaches('m1')).toBe(false);
});

test('it survives kill -9 and restarts of the engine, with its tokens', async () => {
  const [pid = 0] = processes();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => statusOf(networks, admin)).toBe(200);
  expect(processes()).not.toContain(pid);

  const again = processes();
  process.kill(pidOf('nova-engine'), 'SIGKILL');
  await expect.poll(() => statusOf(networks, admin)).toBe(200);
  expect(processes()).toEqual(again);
  expect(await reaches('universe')).toBe(true);
});

test('a stop of the platform stops it, and a start starts it', async () => {
  await done('down');
  expect(processes()).toEqual([]);
  await done('host', 'up');
  await expect.poll(() => statusOf(networks, admin)).toBe(200);
  expect(await json('host', 'ovirt', 'status')).toMatchObject({ isOn: true, isServed: true, users: 1 });
});

test('switched off, it leaves nothing open and keeps its users', async () => {
  expect((await json<{ name: string }[]>('host', 'clients', 'list')).map(({ name }) => name)).toContain('ovirt');
  await done('host', 'ovirt', 'disable');
  expect(processes()).toEqual([]);
  expect(await statusOf(networks, admin)).toBeUndefined();
  expect((await json<{ name: string }[]>('host', 'clients', 'list')).map(({ name }) => name)).not.toContain('ovirt');
  expect(existsSync('/var/lib/nova/programs/ovirt')).toBe(false);
  await done('host', 'up');
  expect(processes()).toEqual([]);

  expect(await json('host', 'ovirt', 'enable')).toMatchObject({ isServed: true, users: 1 });
  expect(await statusOf(networks, admin)).toBe(200);
});

/** Kills a command at a point. */
async function killedAt(point: string, ...args: string[]): Promise<void> {
  writeFileSync('/run/nova/fault', point);
  expect((await novaCtl(args)).exitCode).not.toBe(0);
  expect(existsSync('/run/nova/fault'), `${point} was reached`).toBe(false);
}

/** The state of the API and of what supervises it. */
async function apiState(): Promise<object> {
  const clients = (await json<{ name: string }[]>('host', 'clients', 'list')).filter(({ name }) => name === 'ovirt');
  return {
    ...(await json<{ isOn: boolean }>('host', 'ovirt', 'status')),
    processes: processes().length,
    clients: clients.length,
    isInstalled: existsSync('/var/lib/nova/programs/ovirt'),
    isSupervised: existsSync(`/proc/${pidOf('nova-supervisor')}`),
  };
}
const on = { isOn: true, isServed: true, processes: 1, clients: 1, isInstalled: true, isSupervised: true };
const off = { isOn: false, processes: 0, clients: 0, isInstalled: false, isSupervised: true };
const disable = ['host', 'ovirt', 'disable'];
const enable = ['host', 'ovirt', 'enable'];
const up = ['host', 'up'];

test.for([
  ['ovirt.on', enable],
  ['ovirt.copied', up],
  ['ovirt.installed', enable],
  ['service.unsupervised', up],
  ['ovirt.certified', enable],
])('switching on, killed at %s, is completed by another command', async ([point, completing]) => {
  await done(...disable);
  expect(await apiState()).toEqual(off);
  await killedAt(point as string, ...enable);
  await done(...(completing as string[]));
  expect(await apiState()).toMatchObject(on);
});

test('a new program runs although the command that installed it was killed', async () => {
  const [pid] = processes();
  writeFileSync('/var/lib/nova/programs/ovirt/version', 'an older one');
  await killedAt('ovirt.installed', ...enable);
  await done(...enable);
  expect(processes()).not.toContain(pid);
  expect(await apiState()).toMatchObject(on);
});

test('switching off after a killed copy of the program leaves none of it', async () => {
  await done(...disable);
  await killedAt('ovirt.copied', ...enable);
  await done(...disable);
  expect(await apiState()).toEqual(off);
  expect(readdirSync('/var/lib/nova/programs')).toEqual([]);
});

test.for([
  ['ovirt.off', up],
  ['service.unsupervised', disable],
  ['service.unsupervised', up],
  ['ovirt.revoked', up],
])('switching off, killed at %s, is completed by another command', async ([point, completing]) => {
  await done(...enable);
  await killedAt(point as string, ...disable);
  await done(...(completing as string[]));
  expect(await apiState()).toEqual(off);
});

test('with --purge nothing of it stays', async () => {
  await done(...enable);
  expect(await json('host', 'ovirt', 'disable', '--purge')).toEqual({ isOn: true });
  await killedAt('ovirt.purged', ...disable, '--purge', '--yes');
  expect(await json('host', 'ovirt', 'disable', '--purge', '--yes')).toEqual({ isOn: false, purged: true });
  expect(existsSync(folder)).toBe(false);
  expect((await execute('getent', ['passwd', 'nova-ovirt'])).exitCode).not.toBe(0);

  await done('host', 'ovirt', 'enable');
  await done('host', 'down');
  expect(processes()).toEqual([]);
  expect((await execute('getent', ['passwd', 'nova-ovirt'])).exitCode).not.toBe(0);
});
