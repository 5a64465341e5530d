import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportOf, SimulatedAgent } from '@nova-platform/config-manager/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { novaCtl, root, temporaryFolder } from './nova-ctl.ts';

interface Ready {
  listen: string;
  port: number;
  socket: string;
  fingerprint: string;
}

interface Server {
  child: ChildProcess;
  ready: Ready;
  /** The server's log. */
  stderr: () => string;
}

const node = 'demo-main-1';
const example = (name: string) => readFileSync(join(root, 'examples', name), 'utf8');
const single = join(root, 'examples/single.yaml');

let folder: ReturnType<typeof temporaryFolder>;
const children: ChildProcess[] = [];
const agents: SimulatedAgent[] = [];
beforeAll(() => novaCtl(['--version']));
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.close();
  await Promise.all(children.splice(0).map((child) => ended(child, 'SIGKILL')));
  folder.remove();
});

const path = (name: string) => join(folder.path, name);
const listen = ['--listen', '127.0.0.1:0', '--address', '127.0.0.1'];

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
  return child.exitCode;
}

/** Starts the server as an operator does, and waits until it is ready. */
async function serve(...more: string[]): Promise<Server> {
  const args = ['config', 'serve', '--data', path('data'), ...listen, '--socket', path('config.sock'), '-o', 'json'];
  const child = spawn(join(root, 'nova-ctl'), [...args, ...more], { env: { ...process.env, LC_ALL: 'C.UTF-8' } });
  children.push(child);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = once(child, 'exit').then(() => Promise.reject(new Error(`the server ended: ${stderr}`)));
  exited.catch(() => undefined);
  const [line] = (await Promise.race([once(child.stdout, 'data'), exited])) as [Buffer];
  return { child, ready: JSON.parse(line.toString()) as Ready, stderr: () => stderr };
}

/** Runs a command against the server of this test. */
function ctl(args: readonly string[], env: Record<string, string> = {}) {
  return novaCtl(args, { cwd: folder.path, env: { NOVA_CONFIG_SOCKET: path('config.sock'), ...env } });
}

async function json<T>(...args: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await ctl([...args, '-o', 'json']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

async function enrolled(name: string, port: number): Promise<SimulatedAgent> {
  const { token } = await json<{ token: string }>('config', 'token', 'create', '--node', name);
  const agent = new SimulatedAgent(name, port);
  agents.push(agent);
  expect((await agent.enrol(token)).status).toBe(200);
  return agent;
}

describe('serve', () => {
  test('prints its address as one JSON line, and stops gracefully on SIGTERM and SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { child, ready, stderr } = await serve();
      expect(ready).toMatchObject({
        listen: `127.0.0.1:${ready.port}`,
        socket: path('config.sock'),
        fingerprint: expect.stringMatching(/^[\da-f]{64}$/),
      });
      expect(await ended(child, signal)).toBe(0);
      expect(existsSync(path('config.sock'))).toBe(false);
      for (const line of stderr().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
    }
  });

  test("prints its address and next steps as text, in the user's language", async () => {
    for (const [locale, words] of [
      [
        'C.UTF-8',
        /^✓ The Configuration Manager is ready[\s\S]*CA fingerprint {2}[\da-f]{64}\n[\s\S]*nova-ctl config apply/,
      ],
      ['ru_RU.UTF-8', /^✓ Менеджер конфигураций готов[\s\S]*отпечаток CA {2}[\da-f]{64}\n[\s\S]*nova-ctl config apply/],
    ] as const) {
      const args = ['config', 'serve', '--data', path('data'), ...listen, '--socket', path('config.sock')];
      const child = spawn(join(root, 'nova-ctl'), args, { env: { ...process.env, LC_ALL: locale, NOVA_LOG: 'error' } });
      children.push(child);
      const [text] = (await once(child.stdout, 'data')) as [Buffer];
      expect(text.toString()).toMatch(words);
      expect(await ended(child, 'SIGTERM')).toBe(0);
    }
  });

  test('serves metrics on the given address', async () => {
    // A port that was just free.
    const { child, ready } = await serve();
    await ended(child, 'SIGTERM');
    await serve('--metrics', `127.0.0.1:${ready.port}`);
    const answer = await fetch(`http://127.0.0.1:${ready.port}/metrics`);
    expect(await answer.text()).toMatch(/^# HELP/);
  });

  test('refuses a second server on the same socket', async () => {
    await serve();
    const { exitCode, stderr } = await ctl(['config', 'serve', '--data', path('other'), ...listen]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/NOVA8032/);
  });

  test('refuses a port in use', async () => {
    const { ready } = await serve();
    const { exitCode, stderr } = await ctl(
      ['config', 'serve', '--data', path('other'), '--listen', ready.listen, '--socket', path('other.sock')],
      { NOVA_LOG: 'silent' },
    );
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^NOVA8033\n {2}Cannot listen on 127.0.0.1:\d+: EADDRINUSE/);
  });

  test.for([
    ['--listen', ['--listen', '8140']],
    ['--listen', ['--listen', '0.0.0.0:65536']],
    ['--metrics', ['--metrics', ':9140']],
    ['--address', ['--address', 'here']],
    ['--name', ['--name', 'Config_1']],
  ] as const)('rejects a wrong %s: %o', async ([option, args]) => {
    const { exitCode, stderr } = await ctl(['config', 'serve', '--data', path('data'), ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(new RegExp(`^NOVA2009 {2}${option}\n`));
    expect(existsSync(path('data'))).toBe(false);
  });

  test('commands report when no server responds', async () => {
    for (const args of [
      ['node', 'list'],
      ['config', 'apply', '-f', single],
      ['config', 'token', 'create', '--node', node],
    ]) {
      const { exitCode, stdout, stderr } = await ctl(args);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/^NOVA8030/);
    }
  });
});

describe('token create', () => {
  test('shows a token with its expiry, the server and its usage', async () => {
    const { ready } = await serve();
    const { exitCode, stdout } = await ctl(['config', 'token', 'create', '--node', node, '--ttl', '7d']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/token {11}[\w-]{32}\n/);
    expect(stdout).toContain(`config.universe.nova.internal:${ready.port}`);
    expect(stdout).toContain(ready.fingerprint);
    expect(stdout).toContain(`nova-ctl machine create ${node}`);
    expect(stdout).toMatch(/No approved plan contains/);

    await ctl(['config', 'apply', '-f', single, '--yes']);
    const planned = await json<{ expiresAt: string; isPlanned: boolean }>('config', 'token', 'create', '--node', node);
    expect(planned.isPlanned).toBe(true);
    expect(Date.parse(planned.expiresAt) - Date.now()).toBeLessThanOrEqual(3600_000);
    expect((await ctl(['config', 'token', 'create', '--node', node])).stdout).not.toMatch(/No approved plan contains/);
  });

  test('writes a cloud-config that only its owner can read, and never overwrites a file', async () => {
    await serve();
    const create = ['config', 'token', 'create', '--node', node, '--cloud-config', 'node.yaml'];
    const { exitCode, stdout } = await ctl(create);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      `nova-ctl machine create ${node} --image kubernetes-node --network NETWORK --cloud-config node.yaml`,
    );
    expect(statSync(path('node.yaml')).mode & 0o777).toBe(0o600);
    const text = readFileSync(path('node.yaml'), 'utf8');
    expect(text).toMatch(/^#cloud-config\n/);
    expect(parse(text)).toMatchObject({ hostname: node, write_files: expect.any(Array) });

    const refused = await ctl(create);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^NOVA6001/);
    expect(readFileSync(path('node.yaml'), 'utf8')).toBe(text);
  });

  test.for(['1y', '0h', '90', '31d', '-1h'])('rejects an invalid lifetime: %o', async (ttl) => {
    const { exitCode, stderr } = await ctl(['config', 'token', 'create', '--node', node, `--ttl=${ttl}`]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^NOVA2009 {2}--ttl\n/);
  });
});

describe('apply', () => {
  interface Applied {
    isApproved: boolean;
    change: {
      cluster: string;
      machines: object[];
      catalogs: { node: string; isFirst: boolean; changes: { kind: string; resource: string }[] }[];
    };
  }

  test('shows the changes, and approves nothing without confirmation', async () => {
    await serve();
    const shown = await ctl(['config', 'apply', '-f', single]);
    expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
    expect(shown.stdout).toMatch(
      /^demo will be created\n\nNodes\n {2}\+ demo-main-1: first configuration: \d+ resources/,
    );
    expect(shown.stdout).toMatch(/Nothing was approved. Run the command with --yes to approve the changes.\n$/);
    expect(await json('node', 'list')).toEqual([]);
  });

  test('a second apply of the same documents changes nothing', async () => {
    await serve();
    const first = await json<Applied>('config', 'apply', '-f', single, '--yes');
    expect(first).toMatchObject({ isApproved: true, change: { cluster: 'demo', machines: [] } });
    expect(first.change.catalogs).toMatchObject([{ node, isFirst: true }]);
    expect(first.change.catalogs[0]?.changes.every(({ kind }) => kind === 'added')).toBe(true);

    const again = await json<Applied>('config', 'apply', '-f', single);
    expect(again).toMatchObject({ isApproved: false, change: { catalogs: [] } });
    expect((await ctl(['config', 'apply', '-f', single, '--yes'])).stdout).toBe('✓ demo has no changes.\n');
    expect(await json('node', 'list')).toMatchObject([{ name: node, cluster: 'demo', identity: 'none' }]);
  });

  test('plans clusters next to the approved ones, and checks them against their installed plans', async () => {
    await serve();
    expect(await ctl(['config', 'apply', '-f', join(root, 'examples'), '--cluster', 'demo', '--yes'])).toMatchObject({
      exitCode: 0,
    });
    expect(await ctl(['config', 'apply', '-f', join(root, 'examples'), '--cluster', 'ha', '--yes'])).toMatchObject({
      exitCode: 0,
    });
    const again = await json<Applied>('config', 'apply', '-f', join(root, 'examples'), '--cluster', 'ha');
    expect(again.change.catalogs).toEqual([]);

    writeFileSync(path('moved.yaml'), example('single.yaml').replace('10.20.0.0/24', '10.77.0.0/24'));
    const moved = await ctl(['config', 'apply', '-f', 'moved.yaml', '--yes']);
    expect(moved.exitCode).toBe(2);
    expect(moved.stderr).toMatch(/NOVA4001/);

    writeFileSync(path('twin.yaml'), example('single.yaml').replace('demo.nova.local', 'twin.nova.local'));
    const twin = await ctl(['config', 'apply', '-f', 'twin.yaml', '--yes']);
    expect(twin.exitCode).toBe(2);
    expect(twin.stderr).toMatch(/NOVA3002.*\n.*overlaps with 10.20.0.0\/24 of cluster demo/);
  });

  test('reports nodes that are no longer planned', async () => {
    await serve();
    await ctl(['config', 'apply', '-f', single, '--yes']);
    writeFileSync(path('renamed.yaml'), example('single.yaml').replace('name: main', 'name: other'));
    const { exitCode, stdout } = await ctl(['config', 'apply', '-f', 'renamed.yaml', '--yes']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^ {2}\+ demo-other-1: first configuration/m);
    expect(stdout).toMatch(/^ {2}− demo-main-1: no longer configured; its machine is not changed$/m);
    // Machines and networks are outside its scope.
    expect(stdout).not.toMatch(/drain|removed|pods|Network|Modules/);
  });

  test('secrets of a Proxy document appear in no output, log or server file', async () => {
    const { child, ready, stderr } = await serve();
    const agent = await enrolled('prod-worker-1', ready.port);
    const secrets = ['proxy-user-canary', 'hunter2-canary', 'change-me'];
    const manifest = (password: string) =>
      example('zvirt.yaml').replace(
        'port: 3128\n  httpsProxy',
        `port: 3128\n    username: proxy-user-canary\n    password: ${password}\n  httpsProxy`,
      );
    writeFileSync(path('cluster.yaml'), manifest('hunter2-canary'));
    let output = '';
    const say = async (...args: string[]) => {
      const { stdout, stderr: failures } = await ctl(args, { NOVA_DEBUG: '1' });
      output += stdout + failures;
      return stdout;
    };
    await say('config', 'apply');
    await say('config', 'apply', '--yes', '-o', 'json');
    expect((await agent.catalog()).body).toContain('hunter2-canary');
    writeFileSync(path('cluster.yaml'), manifest('hunter2-canary-2'));
    expect(await say('config', 'apply')).toMatch(/content: a different secret/);
    await say('config', 'apply', '--yes', '-o', 'yaml');
    await say('node', 'catalog', 'prod-worker-1');
    await say('node', 'catalog', 'prod-worker-1', '-o', 'json');
    await say('node', 'catalog', 'prod-worker-1', '--diff');
    await say('node', 'catalog', 'prod-worker-1', '--diff', '-o', 'json');
    for (const secret of secrets) {
      expect(output).not.toContain(secret);
      expect(stderr()).not.toContain(secret);
      for (const file of filesOf('data')) expect(readFileSync(file).includes(secret), file).toBe(false);
    }
    expect(await ended(child, 'SIGTERM')).toBe(0);
    for (const file of filesOf('data'))
      for (const secret of secrets) expect(readFileSync(file).includes(secret)).toBe(false);
  });

  function filesOf(name: string): string[] {
    const files = readdirSync(path(name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.length).toBeGreaterThan(0);
    return files;
  }

  /** Runs apply on a terminal and types the keys at the prompt. */
  async function onTerminal(keys: string): Promise<{ exitCode: number | null; screen: string }> {
    const command = `stty cols 120 rows 40; exec '${join(root, 'nova-ctl')}' config apply -f '${single}'`;
    const child = spawn('script', ['-qfec', command, '/dev/null'], {
      env: { ...process.env, LC_ALL: 'C.UTF-8', TERM: 'xterm', NO_COLOR: '1', NOVA_CONFIG_SOCKET: path('config.sock') },
    });
    children.push(child);
    let screen = '';
    let isAsked = false;
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString();
      if (isAsked || !screen.includes('Approve these changes of demo?')) return;
      isAsked = true;
      // The prompt is drawn; give it a moment to listen.
      setTimeout(() => child.stdin.write(keys), 100);
    });
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    return { exitCode, screen };
  }

  test('asks on a terminal: an interrupt or a no approves nothing, a yes approves', async () => {
    await serve();
    expect((await onTerminal('\u0003')).exitCode).toBe(130);
    expect(await onTerminal('n')).toMatchObject({
      exitCode: 0,
      screen: expect.stringMatching(/first configuration[\s\S]*Nothing was approved/),
    });
    expect(await json('node', 'list')).toEqual([]);
    expect(await onTerminal('y')).toMatchObject({
      exitCode: 0,
      screen: expect.stringMatching(/configuration of demo is approved\./),
    });
    expect(await json('node', 'list')).toMatchObject([{ name: node }]);
  });
});

describe('node', () => {
  test('an empty list explains how to add nodes', async () => {
    await serve();
    expect((await ctl(['node', 'list'])).stdout).toMatch(
      /^No nodes are planned or enrolled yet[\s\S]*nova-ctl config apply/,
    );
    expect((await ctl(['node', 'list'], { LC_ALL: 'ru_RU.UTF-8' })).stdout).toMatch(/^Узлов ещё нет/);
  });

  test('an unknown node is rejected', async () => {
    await serve();
    for (const args of [
      ['facts'],
      ['reports'],
      ['reports', '--last'],
      ['catalog'],
      ['catalog', '--diff'],
      ['run'],
      ['revoke'],
    ]) {
      const { exitCode, stdout, stderr } = await ctl(['node', ...args, 'nobody']);
      expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/^NOVA8010/);
    }
  });

  test.for(['0', '501', 'all'])('rejects a wrong number of reports: %o', async (limit) => {
    const { exitCode, stderr } = await ctl(['node', 'reports', node, '--limit', limit]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^NOVA2009 {2}--limit\n/);
  });

  test('a node before its first run is listed, has no facts or reports, and cannot be run or revoked', async () => {
    await serve();
    await ctl(['config', 'apply', '-f', single, '--yes']);
    expect((await ctl(['node', 'list'])).stdout).toBe(
      'NODE         CLUSTER  STATUS        LAST RUN  CHANGES  DRIFT  PENDING  AGENT\n' +
        'demo-main-1  demo     not enrolled  —         —        —      0        —\n',
    );
    expect((await ctl(['node', 'facts', node])).stderr).toMatch(/^NOVA8016/);
    expect((await ctl(['node', 'reports', node])).stdout).toMatch(/^demo-main-1 has sent no report yet/);
    expect((await ctl(['node', 'run', node])).stderr).toMatch(/^NOVA8015/);
    expect((await ctl(['node', 'revoke', node])).stderr).toMatch(/^NOVA8015/);
  });

  test('a node is tracked from its first run to its revocation', async () => {
    const { ready } = await serve();
    await ctl(['config', 'apply', '-f', single, '--yes']);
    const agent = await enrolled(node, ready.port);
    expect((await ctl(['node', 'list'])).stdout).toMatch(/demo-main-1 {2}demo {5}never ran/);

    const { version } = JSON.parse(
      (await agent.catalog({ os: { family: 'Debian' }, disks: [{ name: 'sda' }], evil: 'a\u001b[2Jb' })).body,
    );
    await expect
      .poll(async () => (await ctl(['node', 'facts', node])).stdout)
      .toBe('disks:\n  - name: sda\nevil: ab\nos:\n  family: Debian\n');
    expect((await ctl(['node', 'catalog', node])).stdout).toMatch(
      /\n\nagent \(\d+\)\n[\s\S]* {2}Service\[nova-agent\] +ensure running\n/,
    );
    expect((await ctl(['node', 'catalog', node, '--diff'])).stdout).toMatch(
      /Catalog changes since the last run: \d+ added\n {2}\+ (File|Exec)\[[\s\S]*\n\nNot approved yet: none\n$/,
    );

    await agent.report(reportOf(node, { catalog: version, changed: 1 }));
    expect((await ctl(['node', 'list'])).stdout).toMatch(
      /demo-main-1 {2}demo {5}changed {2}\d+ sec ago {2}1 {8}0 {6}0 {8}8\.10\.0\n/,
    );
    expect((await ctl(['node', 'catalog', node, '--diff'])).stdout).toMatch(
      /since the last run: none\n\nNot approved yet: none\n$/,
    );
    expect((await ctl(['node', 'reports', node, '--last'])).stdout).toMatch(
      /\nChanged \(1\)\n {2}test\n {4}File\[\/etc\/file-0\]\n {6}content: a → b\n$/,
    );
    expect(await json('node', 'reports', node, '--limit', '1')).toMatchObject([
      { status: 'changed', catalog: version },
    ]);

    expect((await ctl(['node', 'revoke', node])).stdout).toContain(`nova-ctl config token create --node ${node}`);
    expect((await ctl(['node', 'list'])).stdout).toMatch(/demo-main-1 {2}demo {5}revoked/);
  });

  test("run shows the agent's log, and fails when the agent does", async () => {
    const { ready } = await serve();
    await ctl(['config', 'apply', '-f', single, '--yes']);
    const agent = await enrolled(node, ready.port);
    const takeOrder = async (status: 'unchanged' | 'failed') => {
      const { kind, id } = await agent.order(30);
      const log = agent.openLog(id);
      log.write('Info: begins\nError: \u001b[31mno disk\n');
      // Each agent has one connection, so the report needs another agent.
      const reporter = new SimulatedAgent(node, ready.port, agent.identity);
      await reporter.report(reportOf(node, { status }));
      reporter.close();
      log.write('exit 0\n');
      await log.end();
      return kind;
    };

    const [failed, kind] = await Promise.all([ctl(['node', 'run', node]), takeOrder('failed')]);
    expect(kind).toBe('run');
    expect(failed.exitCode).toBe(1);
    expect(failed.stdout).toMatch(
      /^Info: begins\nError: no disk\n✗ .*the run failed\.\n {2}nova-ctl node reports demo-main-1 --last\n$/,
    );

    const [tried, kindOfTried] = await Promise.all([
      ctl(['node', 'run', node, '--noop', '-o', 'json']),
      takeOrder('unchanged'),
    ]);
    expect(kindOfTried).toBe('noop');
    expect(tried.exitCode).toBe(0);
    expect(JSON.parse(tried.stdout)).toMatchObject({
      node,
      isNoop: true,
      lines: ['Info: begins', 'Error: no disk'],
      report: { status: 'unchanged' },
    });
  });
});
