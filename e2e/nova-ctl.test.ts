import { existsSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRead } from '@nova-platform/api/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { execute, novaCtl, root, temporaryFolder } from './nova-ctl.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => novaCtl(['--version']));
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const here = () => ({ cwd: folder.path });
const write = (name: string, text: string | Buffer) => writeFileSync(join(folder.path, name), text);
const example = (name: string) => readFileSync(join(root, 'examples', name), 'utf8');

describe('init', () => {
  for (const template of ['single', 'ha']) {
    for (const locale of ['C.UTF-8', 'ru_RU.UTF-8']) {
      test(`writes a valid manifest that can be planned: ${template}, ${locale}`, async () => {
        const env = { LC_ALL: locale };
        const made = await novaCtl(['init', '--template', template, '--yes'], { ...here(), env });
        expect(made).toMatchObject({ exitCode: 0, stderr: '' });
        expect(await novaCtl(['validate'], here())).toMatchObject({ exitCode: 0, stderr: '' });
        expect(await novaCtl(['plan'], here())).toMatchObject({ exitCode: 0, stderr: '' });
      });
    }
  }

  test('keeps an existing file unless --force is given', async () => {
    write('cluster.yaml', 'mine');
    const refused = await novaCtl(['init', '--yes'], here());
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^NOVA6001\n {2}cluster.yaml already exists/);
    expect(readFileSync(join(folder.path, 'cluster.yaml'), 'utf8')).toBe('mine');
    expect(await novaCtl(['init', '--yes', '--force'], here())).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(folder.path, 'cluster.yaml'), 'utf8')).toMatch(/kind: Infrastructure/);
    expect(readdirSync(folder.path)).toEqual(['cluster.yaml']);
  });

  test('requires --yes without a terminal', async () => {
    const { exitCode, stderr } = await novaCtl(['init'], here());
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/NOVA6004/);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('names a folder that is not writable', async () => {
    const { exitCode, stderr } = await novaCtl(['init', '--yes', '-f', 'missing/cluster.yaml'], here());
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/NOVA6003\n {2}Cannot write missing\/cluster.yaml: it does not exist/);
  });
});

describe('validate', () => {
  test('accepts all examples', async () => {
    expect(await novaCtl(['validate', '-f', 'examples/'])).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('accepts a document as kubectl prints it, with the same plan', async () => {
    write('cluster.yaml', asRead(example('single.yaml')));
    expect(await novaCtl(['validate'], here())).toMatchObject({ exitCode: 0, stderr: '' });
    const declared = await novaCtl(['plan', '-f', 'examples/single.yaml', '-o', 'json']);
    expect(await novaCtl(['plan', '-o', 'json'], here())).toEqual(declared);
  });

  test('reads standard input, several documents, files and folders together', async () => {
    write('proxy.yaml', example('zvirt.yaml').split('---\n')[1] ?? '');
    const { exitCode, stdout } = await novaCtl(['validate', '-f', '-', '-f', folder.path, '--output', 'json'], {
      input: example('single.yaml'),
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, documents: 2, clusters: ['demo'] });
  });

  test('shows all problems of all files at once, each with its place', async () => {
    write(
      'a.yaml',
      example('single.yaml').replace('type: local', 'type: locl').replace('dnsBaseDomain', 'dnsBaseDomian'),
    );
    write('b.yaml', 'kind: Proxy\n\tx: 1\n');
    const { exitCode, stdout } = await novaCtl(['validate', '-f', '.', '-o', 'json'], here());
    expect(exitCode).toBe(2);
    const { problems } = JSON.parse(stdout) as { problems: { file: string; line: number; code: string }[] };
    expect(problems.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
      'a.yaml:8 NOVA2007',
      'a.yaml:15 NOVA2005',
      'a.yaml:16 NOVA2004',
      'b.yaml:2 NOVA1102',
    ]);
  });

  test('shows a problem with place, field, code, snippet, caret and remedy', async () => {
    write('cluster.yaml', example('single.yaml').replace('4Gi', '4GB'));
    const { stdout } = await novaCtl(['validate'], here());
    expect(stdout).toBe(`cluster.yaml:13:15  NOVA2009  spec.nodeGroups[0].memory
  The format of the value is wrong.
  13 |       memory: 4GB
     |               ^^^
  → Use a Kubernetes quantity, such as 512Mi or 8Gi.

✗ 1 problem in 1 file.
`);
  });

  test.for([
    ['a file over 5 MiB, unread', 'NOVA1001', () => truncateSync(join(folder.path, 'cluster.yaml'), 6 * 1024 * 1024)],
    ['a binary file', 'NOVA1002', () => write('cluster.yaml', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0xff]))],
    ['UTF-16', 'NOVA1002', () => write('cluster.yaml', Buffer.from('kind: x', 'utf16le'))],
    ['an empty file', 'NOVA1004', () => write('cluster.yaml', '')],
    ['only comments', 'NOVA1004', () => write('cluster.yaml', '# nothing\n---\n')],
    ['an unknown kind', 'NOVA2002', () => write('cluster.yaml', 'apiVersion: v1\nkind: Pod\n')],
  ] as const)('reports the place of an error: %s', async ([, code, prepare]) => {
    write('cluster.yaml', '');
    prepare();
    const { exitCode, stdout, stderr } = await novaCtl(['validate'], here());
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^cluster.yaml:\\d+:\\d+ {2}${code}`));
  });

  test('reports unreadable input: a missing file, a dead link, an empty folder', async () => {
    symlinkSync('nowhere', join(folder.path, 'dead.yaml'));
    const { exitCode, stdout } = await novaCtl(
      ['validate', '-f', 'missing.yaml', '-f', 'dead.yaml', '-o', 'json'],
      here(),
    );
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout).problems.map((each: { code: string }) => each.code)).toEqual(['NOVA1003', 'NOVA1003']);
  });

  test('rejects too much standard input', async () => {
    const { exitCode, stdout } = await novaCtl(['validate', '-f', '-'], { input: 'x'.repeat(6 * 1024 * 1024) });
    expect(exitCode).toBe(2);
    expect(stdout).toMatch(/^<stdin>:1:1 {2}NOVA1001/);
  });

  test('prints Russian texts in a Russian locale', async () => {
    write('cluster.yaml', 'kind: Pod\napiVersion: v1\n');
    const { stdout } = await novaCtl(['validate'], { ...here(), env: { LC_ALL: 'ru_RU.UTF-8' } });
    expect(stdout).toMatch(/Неизвестный вид документа Pod/);
  });

  test('prints no colours without a terminal', async () => {
    write('cluster.yaml', 'kind: Pod\n');
    const { stdout } = await novaCtl(['validate'], here());
    expect(stdout).not.toContain('\u001b');
  });
});

describe('plan', () => {
  const plan = async (manifest: string, ...args: string[]) => {
    write('cluster.yaml', manifest);
    return novaCtl(['plan', ...args], here());
  };

  test('is deterministic', async () => {
    const [first, second] = [
      await plan(example('ha.yaml'), '-o', 'json'),
      await plan(example('ha.yaml'), '-o', 'json'),
    ];
    expect(first).toEqual(second);
  });

  test('shows the changes against an earlier plan, and refuses impossible ones', async () => {
    const { stdout } = await plan(example('ha.yaml'), '-o', 'json');
    write('plan.json', stdout);
    expect((await plan(example('ha.yaml'), '--against', 'plan.json')).stdout).toBe('✓ ha has no changes.\n');

    const grown = example('ha.yaml').replace('count: 2\n      labels', 'count: 3\n      labels');
    expect((await plan(grown, '--against', 'plan.json')).stdout).toBe(`+ node ha-worker-3 with 4 certificates

5 to add, 0 to change, 0 to remove; 0 disruptive changes. Nothing was changed.
`);
    // The JSON output with changes can itself serve as an earlier plan.
    write('grown.json', (await plan(grown, '--against', 'plan.json', '-o', 'json')).stdout);
    const shrunk = await plan(example('ha.yaml'), '--against', 'grown.json');
    expect(shrunk.stdout).toMatch(/^- node ha-worker-3 with 4 certificates {2}! its pods move to other nodes/);

    const moved = await plan(example('ha.yaml').replace('10.20.1.0/24', '10.20.2.0/24'), '--against', 'plan.json');
    expect(moved).toMatchObject({ exitCode: 2, stdout: '' });
    expect(moved.stderr).toMatch(/NOVA4001 {2}spec.clusterConfiguration.nodeNetwork/);
  });

  test('uses other addresses beside another cluster, and refuses the same network and base domain', async () => {
    write('demo.json', (await plan(example('single.yaml'), '-o', 'json')).stdout);
    const beside = JSON.parse((await plan(example('ha.yaml'), '--beside', 'demo.json', '-o', 'json')).stdout);
    expect(beside.network.router).toMatchObject({ externalAddress: '172.30.0.19', transitAddress: '100.64.0.3' });
    const clash = await plan(example('ha.yaml').replace('10.20.1.0/24', '10.20.0.0/24'), '--beside', 'demo.json');
    expect(clash.stderr).toMatch(/NOVA3002.*\n.*overlaps with 10.20.0.0\/24 of cluster demo/);
    const twin = await plan(example('ha.yaml').replace('apps.nova.local', 'demo.nova.local'), '--beside', 'demo.json');
    expect(twin.stderr).toMatch(/NOVA3031 {2}spec.clusterConfiguration.dnsBaseDomain.*\n.*Cluster demo already has/);
    expect(twin.exitCode).toBe(2);
  });

  test('requires a choice between several clusters', async () => {
    const several = await novaCtl(['plan', '-f', 'examples/']);
    expect(several.exitCode).toBe(2);
    expect(several.stderr).toMatch(/NOVA5003/);
    expect((await novaCtl(['plan', '-f', 'examples/', '--cluster', 'prod'])).stdout).toMatch(/^prod · Kubernetes/);
  });

  test('reports an exhausted address pool with its place', async () => {
    const { exitCode, stderr } = await plan(example('single.yaml').replace('10.20.0.0/24', '10.20.0.0/28'));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const workers = example('ha.yaml').replace('count: 2\n      labels', 'count: 300\n      labels');
    const full = await plan(workers);
    expect(full.exitCode).toBe(2);
    expect(full.stderr).toMatch(/NOVA5001.*\n {2}The pool of node addresses \(10.20.1.0\/24\)/);
  });

  test('names a file that is not a plan', async () => {
    write('plan.json', '{}');
    const { exitCode, stderr } = await plan(example('single.yaml'), '--against', 'plan.json');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^plan.json:1:1 {2}NOVA5002/);
  });

  test('contains no passwords', async () => {
    const { stdout } = await plan(example('zvirt.yaml').replace('change-me', 'hunter2'), '-o', 'yaml');
    expect(stdout).not.toMatch(/hunter2/);
  });
});

describe('explain', () => {
  test('shows a field with everything below it', async () => {
    const { stdout } = await novaCtl(['explain', 'Infrastructure.spec.clusterConfiguration.extraOptions.dns']);
    expect(stdout).toBe(`Infrastructure.spec.clusterConfiguration.extraOptions.dns  a mapping

  Name resolution.

Fields
  customerDns               Your own DNS servers.
    enable        [false]   Whether your own DNS servers are used.
    forwardZones            Zones that CoreDNS forwards to your servers. If the base domain is one of them (external mode), Nova DNS is not installed.
      name        required  The zone.
      server      required  The DNS server of the zone.
    servers                 DNS servers for all other names, instead of those in /etc/resolv.conf of the nodes.
`);
  });

  test.for([
    'Infrastructure',
    'infrastructure.spec.nodeGroups[0].roles',
    'metrics-server',
    'nova3005',
    'Proxy.spec.trustedCA',
  ])('explains %s', async (topic) => {
    expect(await novaCtl(['explain', topic])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse((await novaCtl(['explain', topic, '-o', 'json'])).stdout)).toBeTypeOf('object');
  });

  test('suggests similar names for an unknown one', async () => {
    const { exitCode, stderr } = await novaCtl(['explain', 'Infrastructure.spec.nodeGroup']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/Did you mean Infrastructure.spec.nodeGroups\?/);
  });
});

describe('command line', () => {
  test('a mistyped command gets a suggestion and exit code 2', async () => {
    const { exitCode, stderr } = await novaCtl(['vaildate']);
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'NOVA6005\n  There is no command vaildate.\n  → Did you mean validate? List the commands: `nova-ctl --help`.\n',
    );
  });

  test('a mistyped option or value gets exit code 2', async () => {
    expect(await novaCtl(['plan', '--agianst', 'x'])).toMatchObject({ exitCode: 2, stdout: '' });
    expect((await novaCtl(['plan', '-o', 'jsn'])).exitCode).toBe(2);
    expect((await novaCtl(['plan', '-o', 'jsn'], { env: { LC_ALL: 'ru_RU.UTF-8' } })).stderr).toMatch(
      /Укажите: одно из: text, json, yaml/,
    );
  });

  test('completes commands, options, values and fields', async () => {
    const complete = async (...words: string[]) =>
      (await novaCtl(['__complete', ...words])).stdout.split('\n').map((line) => line.split('\t')[0]);
    expect(await complete('va')).toEqual(['validate', '']);
    expect(await complete('plan', '--out')).toEqual(['--output', '']);
    expect(await complete('plan', '--output', '')).toEqual(['text', 'json', 'yaml', '']);
    expect(await complete('explain', 'Infrastructure.spec.nodeG')).toEqual(['Infrastructure.spec.nodeGroups', '']);
  });

  test('the completion script works in bash', async () => {
    const words = 'COMP_WORDS=(./nova-ctl plan --output ""); COMP_CWORD=3; _nova_ctl; declare -p COMPREPLY';
    const { stdout } = await execute('bash', ['-c', `source <(./nova-ctl completion bash); ${words}`]);
    expect(stdout).toBe('declare -a COMPREPLY=([0]="text" [1]="json" [2]="yaml")\n');
  });

  test('a closed pipe is not a failure', async () => {
    const { stdout, stderr } = await execute('bash', [
      '-c',
      'set -o pipefail; ./nova-ctl plan -f examples/ha.yaml | head -n 1',
    ]);
    expect({ stdout, stderr }).toEqual({ stdout: 'ha · Kubernetes 1.36.3 · local · highly available\n', stderr: '' });
  });

  test('nova-ctl works from any folder, through a link, and from a path with spaces', async () => {
    const link = join(folder.path, 'my nova ctl');
    symlinkSync(join(root, 'nova-ctl'), link);
    expect(await execute(link, ['--version'], here())).toMatchObject({ exitCode: 0, stderr: '' });
    expect(existsSync(join(folder.path, 'node_modules'))).toBe(false);
  });
});
