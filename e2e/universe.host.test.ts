import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredReport } from '@nova-platform/contracts/config-manager/client';
import type { Operation } from '@nova-platform/contracts/universe/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, novaCtl, type Outcome, root, temporaryFolder } from './nova-ctl.ts';
import { until } from './platform.ts';
import { victims } from './victims.ts';

const folder = temporaryFolder();
/** A fresh account without any login. */
const env = { HOME: folder.path, XDG_CONFIG_HOME: join(folder.path, '.config'), NOVA_CONTEXT: '' };
const contexts = join(folder.path, '.config', 'nova', 'contexts.json');
const universe = 'https://172.30.0.10';
const node = { name: 'demo-main-1' };

const manifest = `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: { name: cluster }
spec:
  provider: { type: local, machineKind: container }
  nodeGroups:
    - { name: main, roles: [control-plane, infra, ingress, worker] }
  clusterConfiguration: { dnsBaseDomain: demo.nova.local, nodeNetwork: 10.44.0.0/24, delivery: none }
`;

interface Ready {
  server: string;
  fingerprint: string;
  changed: string[];
  user: string;
  password?: string;
}

const ctl = (args: readonly string[], input?: string): Promise<Outcome> =>
  novaCtl(args, { env, ...(input !== undefined && { input }) });

async function ask<T>(...args: string[]): Promise<T> {
  const outcome = await ctl([...args, '-o', 'json']);
  expect(outcome, args.join(' ')).toMatchObject({ exitCode: 0 });
  return JSON.parse(outcome.stdout) as T;
}

const inside = (machine: string, command: string): Promise<Outcome> =>
  ctl(['machine', 'exec', machine, '--', 'sh', '-c', command]);

const reports = () => ask<StoredReport[]>('node', 'reports', node.name);
const bootOf = async (machine: string) =>
  (
    await inside(
      machine,
      'systemctl show --property=UserspaceTimestampMonotonic; cat /proc/sys/kernel/random/boot_id; cut -d" " -f22 /proc/1/stat',
    )
  ).stdout;
const up = () => ask<Ready>('up', '--no-cluster');

let first: Ready;

beforeAll(async () => {
  // An interrupted `up` loses nothing: the next one continues.
  for (const seconds of [0.5, 2, 4]) {
    const started = spawn(join(root, 'nova-ctl'), ['up', '--no-cluster'], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    await sleep(seconds * 1000);
    started.kill('SIGKILL');
    await new Promise((gone) =>
      started.exitCode === null && started.signalCode === null ? started.once('exit', gone) : gone(0),
    );
  }
  first = await up();
});

afterAll(async () => {
  await ctl(['down', '--purge', '--yes']);
  folder.remove();
});

describe('up', () => {
  test('ends with an address, a login and the next steps', async () => {
    expect(first).toMatchObject({ server: universe, user: 'admin' });
    expect(statSync(contexts).mode & 0o777).toBe(0o600);
    await until('everything to be ready', async () => (await ctl(['status'])).exitCode === 0);
  });

  test('changes nothing on a running system', async () => {
    const before = await bootOf('universe');
    expect((await up()).changed).toEqual([]);
    expect(await bootOf('universe')).toBe(before);
  });
});

describe('login', () => {
  test('a remote user logs in with the right fingerprint, and not with a wrong one', async () => {
    const elsewhere = { ...env, XDG_CONFIG_HOME: join(folder.path, 'elsewhere') };
    const created = await ctl(['user', 'create', 'ann', '--role', 'viewer'], 'correct horse battery\n');
    expect(created).toMatchObject({ exitCode: 0 });
    const login = (fingerprint: string) =>
      novaCtl(['login', universe, '--fingerprint', fingerprint, '--user', 'ann'], {
        env: elsewhere,
        input: 'correct horse battery\n',
      });
    expect((await login('00'.repeat(32))).stderr).toContain('NOVA8333');
    expect(await login(first.fingerprint)).toMatchObject({ exitCode: 0 });
    expect((await novaCtl(['status'], { env: elsewhere })).exitCode).toBe(0);
    expect((await novaCtl(['user', 'list'], { env: elsewhere })).stderr).toContain('NOVA8311');
    expect((await ctl(['audit'])).stdout).toMatch(/ann .*\blogin\b.* 200/);
  });
});

describe('a node', () => {
  beforeAll(async () => {
    for (const args of [
      ['component', 'build', 'kubernetes', 'etcd', 'pause', 'coredns'],
      ['image', 'build', 'kubernetes-node'],
      ['registry', 'import', 'pause', 'coredns'],
    ]) {
      expect(await ctl(args), args.join(' ')).toMatchObject({ exitCode: 0 });
    }
    writeFileSync(join(folder.path, 'cluster.yaml'), manifest);
    await ask('apply', '-f', join(folder.path, 'cluster.yaml'), '--yes');
  });

  test('enrols over the transit network and converges', async () => {
    expect((await reports())[0]).toMatchObject({ status: 'changed', resources: { failed: 0 } });
  });

  test("is configured by an operation, whose log contains the agent's output", async () => {
    // A changed declaration: one file on the node changes.
    writeFileSync(
      join(folder.path, 'cluster.yaml'),
      `${manifest}---
apiVersion: config.nova-platform.io/v1alpha1
kind: Proxy
metadata: { name: cluster }
spec: { httpProxy: { server: 'http://10.9.9.9', port: 3128, username: nova, password: 'pa55w0rd' } }
`,
    );
    const outcome = await ctl(['apply', '-f', join(folder.path, 'cluster.yaml'), '--yes']);
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome.stdout).toContain(`control-plane/${node.name} │`);
    expect(outcome.stdout).toContain('Applied catalog');
    expect(outcome.stdout).not.toContain('pa55w0rd');
    const [operation] = (await ask<{ operations: Operation[] }>('operation', 'list')).operations;
    expect(operation).toMatchObject({ state: 'done', lock: 'demo', requestedBy: 'admin' });
  });

  test('resolves platform names at Universe, and no others', async () => {
    const { stdout } = await inside(
      node.name,
      'dig +short config.universe.nova.internal; dig example.com | grep -o "status: [A-Z]*"; dig +short @10.255.0.10 -x 10.255.0.10',
    );
    expect(stdout).toBe('10.255.0.10\nstatus: NXDOMAIN\n');
  });

  test('clones the release with its certificate, and not without it', async () => {
    const ssl = '/var/lib/puppet/ssl';
    const url = 'https://git.universe.nova.internal/git/release.git/info/refs?service=git-upload-pack';
    const curl = `curl --silent --output /dev/null --write-out %{http_code} --cacert ${ssl}/certs/ca.pem`;
    const own = `--cert ${ssl}/certs/${node.name}.pem --key ${ssl}/private_keys/${node.name}.pem`;
    const { stdout } = await inside(
      node.name,
      `${curl} ${own} '${url}'; ${curl} '${url}'; ${curl} ${own} https://universe.nova.internal/api/v1/users`,
    );
    expect(stdout).toBe('200401403');
  });

  test('pulls an image that was pushed with a token', async () => {
    const pushed = await ctl(['registry', 'import', 'pause']);
    expect(pushed).toMatchObject({ exitCode: 0 });
    const image = 'hub.universe.nova.internal:5000/nova/pause:1.0.0';
    expect(await inside(node.name, `ctr images pull --hosts-dir /etc/containerd/certs.d ${image}`)).toMatchObject({
      exitCode: 0,
    });
  });

  test('cannot access the engine; neither can Universe without its certificate', async () => {
    const knock = 'curl --silent --insecure --max-time 3 https://172.30.0.1:7443/v1/machines';
    expect((await inside(node.name, knock)).exitCode).not.toBe(0);
    expect((await inside('universe', knock)).exitCode).not.toBe(0);
  });
});

describe('a killed Universe', () => {
  const kill = async () => {
    const before = await bootOf('universe');
    victims.machine('universe');
    return before;
  };

  test('returns with the same state and addresses, and agents and commands continue', async () => {
    const users = await ask('user', 'list');
    const seen = (await reports()).length;
    const before = await kill();
    // The engine restarts it without intervention.
    await until('Universe to boot again', async () => ![before, ''].includes(await bootOf('universe')));
    expect((await up()).fingerprint).toBe(first.fingerprint);
    expect(await ask('user', 'list')).toEqual(users);
    expect(await ask('node', 'run', node.name)).toBeDefined();
    expect((await reports()).length).toBeGreaterThan(seen);
  });

  test('restarts each killed service by itself', async () => {
    await inside('universe', 'systemctl kill --signal=KILL nova-universe nova-registry nova-git nova-resolver');
    await until('everything to be back', async () => (await ctl(['status'])).exitCode === 0);
    expect((await up()).changed).toEqual([]);
  });
});

describe('down', () => {
  test('stops everything, and up restores it', async () => {
    expect(await ctl(['down'])).toMatchObject({ exitCode: 0 });
    expect(existsSync('/run/nova/engine.sock')).toBe(false);
    // The folders themselves may be mount points.
    expect(readFileSync('/proc/mounts', 'utf8')).not.toMatch(/ \/(run|var\/lib|var\/log)\/nova\//);
    const back = await up();
    expect(back.fingerprint).toBe(first.fingerprint);
    expect(back.password).toBeUndefined();
    await until('the node to ask again', async () => {
      const nodes = await ask<{ name: string; isAsking: boolean }[]>('node', 'list');
      return nodes.some(({ isAsking }) => isAsking);
    });
  });

  test('with --purge leaves nothing behind', async () => {
    expect(await ctl(['down', '--purge', '--yes'])).toMatchObject({ exitCode: 0 });
    for (const path of ['/var/lib/nova', '/run/nova', '/var/log/nova'])
      expect(existsSync(path) ? readdirSync(path) : [], path).toEqual([]);
    const { stdout: links } = await execute('ip', ['-o', 'link']);
    expect(links).not.toMatch(/nova/);
    const { stdout: namespaces } = await execute('ip', ['netns']);
    expect(namespaces).not.toMatch(/nova/);
    const processes = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        } catch {
          return '';
        }
      });
    expect(
      processes.filter((command) => /nova-(engine|universe)\.js|ovn-controller|ovs-vswitchd/.test(command)),
    ).toEqual([]);
    expect(readFileSync(contexts, 'utf8')).not.toContain(universe);
  });
});
