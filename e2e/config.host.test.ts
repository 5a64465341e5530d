import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CatalogChange } from '@nova-platform/catalog';
import type { ListedNode, StoredReport, Token } from '@nova-platform/contracts/config-manager/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configSite } from './config-site.ts';
import { execute, novaCtl, type Outcome, temporaryFolder } from './nova-ctl.ts';
import { until } from './platform.ts';

const folder = temporaryFolder();
const manager = 'config.universe.nova.internal';
const master = { name: 'demo-main-1', address: '10.43.0.10' };
const worker = { name: 'demo-work-1', address: '10.43.0.11' };
const password = 'pa$$"w%rd';

const manifest = `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: { name: cluster }
spec:
  provider: { type: local, machineKind: container }
  nodeGroups:
    - { name: main, roles: [control-plane, infra, ingress] }
    - { name: work, roles: [worker] }
  clusterConfiguration: { dnsBaseDomain: demo.nova.local, nodeNetwork: 10.43.0.0/24 }
`;
const proxy = `---
apiVersion: config.nova-platform.io/v1alpha1
kind: Proxy
metadata: { name: cluster }
spec:
  httpProxy: { server: 'http://10.9.9.9', port: 3128, username: nova, password: '${password}' }
`;

const { env, data, config, reportsOf, lastReport, prepare, startServer, stopServer, createMachine } = configSite(
  folder.path,
);

const inside = (machine: string, command: string): Promise<Outcome> =>
  novaCtl(['machine', 'exec', machine, '--', 'sh', '-c', command]);

const listed = async (node: string) => (await config<ListedNode[]>('node', 'list')).find(({ name }) => name === node);

/** Runs the agent now and returns its report. */
async function runNow(node: string, ...flags: string[]): Promise<StoredReport> {
  await config('node', 'run', node, ...flags);
  const report = await lastReport(node);
  if (!report) throw new Error('no report');
  return report;
}

/** There is no Kubernetes API here, so its services keep restarting. */
const ofOurs = (changes: StoredReport['changes']) =>
  changes.filter(({ resource }) => !resource.startsWith('Service[kube'));

/** Each enrolment has its own group name in its client certificates. */
const enrolmentsHidden = (text: string) => text.replaceAll(/O=nova:enrolment:[0-9a-f]{32}/g, 'O=enrolment');

beforeAll(async () => {
  await prepare();
  for (const args of [
    ['component', 'build', 'kubernetes', 'etcd'],
    ['image', 'build', 'node'],
  ])
    expect(await novaCtl(args), args.join(' ')).toMatchObject({ exitCode: 0 });
  // Rebuild the image twice in parallel: the builds must not interfere.
  const images = await config<{ name: string; layers: string[] }[]>('image', 'list');
  rmSync(images.find(({ name }) => name === 'kubernetes-node')?.layers[0] ?? '', { recursive: true, force: true });
  const build = () => novaCtl(['image', 'build', 'kubernetes-node']);
  for (const built of await Promise.all([build(), build()])) expect(built).toMatchObject({ exitCode: 0 });
  await startServer();
  writeFileSync(join(folder.path, 'cluster.yaml'), manifest);
  await config('config', 'apply', '-f', join(folder.path, 'cluster.yaml'), '--yes');
  await Promise.all([createMachine(master), createMachine(worker)]);
});

afterAll(async () => {
  await stopServer();
  await novaCtl(['host', 'down']);
  folder.remove();
});

test('new machines enrol and apply their approved catalog at first boot', async () => {
  for (const { name } of [master, worker]) {
    const report = await until(`the first report of ${name}`, () => lastReport(name));
    expect(report).toMatchObject({ status: 'changed', resources: { failed: 0, skipped: 0 } });
  }
  const { stdout } = await inside(
    master.name,
    'systemctl is-active containerd nova-agent; cat /proc/sys/net/ipv4/ip_forward; crictl --version >/dev/null 2>&1; ctr version >/dev/null && echo answers',
  );
  expect(stdout).toBe('active\nactive\n1\nanswers\n');
  expect(await listed(master.name)).toMatchObject({
    identity: 'valid',
    cluster: 'demo',
    pending: 0,
    agentVersion: 'boot',
  });
});

test('certificates are signed for keys generated on the node, and only control planes get the shared keys', async () => {
  const { stdout } = await inside(
    master.name,
    `cd /etc/nova/pki && for each in kube-apiserver kubelet-client; do openssl verify -CAfile kubernetes-ca.crt $each.crt; stat -c %a $each.key; done
     openssl x509 -in kubelet-client.crt -noout -subject; ls *.new 2>/dev/null; ls *.key | wc -l; head -1 service-account.key`,
  );
  expect(enrolmentsHidden(stdout)).toBe(
    'kube-apiserver.crt: OK\n600\nkubelet-client.crt: OK\n600\nsubject=O=system:nodes, O=enrolment, CN=system:node:demo-main-1\n13\n-----BEGIN PRIVATE KEY-----\n',
  );
  expect((await inside(worker.name, 'ls /etc/nova/pki/*.key')).stdout).toBe(
    ['kube-proxy', 'kubelet-client', 'kubelet-server'].map((name) => `/etc/nova/pki/${name}.key\n`).join(''),
  );
});

test('the first agent run after the boot changes nothing, and its report is stored', async () => {
  const before = (await reportsOf(worker.name)).length;
  const report = await runNow(worker.name);
  expect(report).toMatchObject({ status: 'unchanged', resources: { changed: 0, failed: 0 }, changes: [] });
  expect(report.agentVersion).toBe('8.10.0');
  expect((await reportsOf(worker.name)).length).toBe(before + 1);
});

test('a run repairs drift, and reports the changes as corrective', async () => {
  await inside(
    worker.name,
    'echo "10.1.1.1 evil" >> /etc/hosts; systemctl stop containerd; rm /etc/sysctl.d/99-nova.conf; chmod 600 /etc/containerd/config.toml; rm /usr/local/lib/nova/certificate',
  );
  const { changes, resources } = await runNow(worker.name);
  expect(
    ofOurs(changes)
      .filter(({ isCorrective }) => isCorrective)
      .map(({ resource, property }) => `${resource} ${property}`)
      .sort(),
  ).toEqual([
    'File[/etc/containerd/config.toml] mode',
    'File[/etc/hosts] content',
    'File[/etc/sysctl.d/99-nova.conf] ensure',
    // Too long for the catalog: fetched by checksum.
    'File[/usr/local/lib/nova/certificate] ensure',
    'Service[containerd] ensure',
  ]);
  expect((await inside(worker.name, 'grep -c evil /etc/hosts; systemctl is-active containerd')).stdout).toBe(
    '0\nactive\n',
  );
  expect(await listed(worker.name)).toMatchObject({ lastRun: { status: 'changed', corrective: resources.corrective } });
});

test('a run performs the restarts that a killed run missed', async () => {
  const states = () =>
    inside(worker.name, 'systemctl show -P ExecMainStartTimestampMonotonic containerd nova-pod-routes nova-agent');
  const [before, routes, agent] = (await states()).stdout.split('\n\n');
  // The state after a killed run: the file is updated, but its service has not reloaded it.
  await inside(worker.name, 'touch /etc/containerd/config.toml');
  const { changes } = await runNow(worker.name);
  expect(ofOurs(changes).map(({ resource }) => resource)).toEqual(['Exec[restart what runs with older files]']);
  const after = (await states()).stdout.split('\n\n');
  expect(after[0]).not.toBe(before);
  expect(after.slice(1)).toEqual([routes, agent]);
  expect(ofOurs((await runNow(worker.name)).changes)).toEqual([]);
});

test('the regular run repairs drift without a request', async () => {
  const before = (await reportsOf(worker.name))[0]?.id;
  await inside(
    worker.name,
    'sed -i s/^interval=.*/interval=1/ /etc/nova/agent.conf; echo "# drift" >> /etc/hosts; systemctl restart nova-agent',
  );
  await until('a run without a request', async () => (await lastReport(worker.name))?.id !== before);
  expect((await inside(worker.name, 'grep -c drift /etc/hosts; grep ^interval /etc/nova/agent.conf')).stdout).toBe(
    '0\ninterval=1800\n',
  );
});

test('an expiring certificate is renewed with the same key', async () => {
  const { stdout: key } = await inside(worker.name, 'sha256sum /etc/nova/pki/kube-proxy.key');
  // The node's own timer renews too: it checks within a minute after boot, then every hour.
  await until('the first look of the timer', async () => {
    const show = 'systemctl show nova-certificates.service --property ActiveState,ExecMainExitTimestampMonotonic';
    const { stdout } = await inside(worker.name, show);
    return stdout.includes('ActiveState=inactive') && !stdout.includes('ExecMainExitTimestampMonotonic=0\n');
  });
  expect(
    await inside(
      worker.name,
      'cd /etc/nova/pki && openssl req -x509 -key kube-proxy.key -subj /CN=old -days 3 -out kube-proxy.crt',
    ),
  ).toMatchObject({ exitCode: 0 });
  const { changes } = await runNow(worker.name);
  expect(ofOurs(changes).map(({ resource }) => resource)).toEqual(['Exec[obtain certificates]']);
  const { stdout } = await inside(
    worker.name,
    'openssl x509 -in /etc/nova/pki/kube-proxy.crt -noout -subject; sha256sum /etc/nova/pki/kube-proxy.key',
  );
  expect(enrolmentsHidden(stdout)).toBe(`subject=O=enrolment, CN=system:kube-proxy\n${key}`);
});

test('the agent uses its cached catalog without the server, and reconnects when the server is back', async () => {
  await stopServer('SIGKILL');
  await inside(worker.name, 'echo "# drift" >> /etc/hosts');
  const { stdout } = await inside(
    worker.name,
    'puppet agent --onetime --no-daemonize --waitforlock 60 --verbose --logdest console --color=false 2>&1; grep -c drift /etc/hosts',
  );
  expect(stdout).toMatch(/[Uu]sing cached catalog/);
  expect(stdout).toMatch(/\n0\n$/);
  await startServer();
  expect(await runNow(worker.name)).toMatchObject({ status: 'unchanged' });
});

test('the preview lists exactly the changes that the agent makes', async () => {
  writeFileSync(join(folder.path, 'cluster.yaml'), manifest + proxy);
  const file = join(folder.path, 'cluster.yaml');
  const preview = await novaCtl(['config', 'apply', '-f', file], { env });
  expect(preview.exitCode).toBe(0);
  // Shown, but not approved.
  expect(await runNow(worker.name)).toMatchObject({ status: 'unchanged' });

  await config('config', 'apply', '-f', file, '--yes');
  const { sinceLastRun } = await config<{ sinceLastRun: CatalogChange[] }>('node', 'catalog', worker.name, '--diff');
  const noop = await runNow(worker.name, '--noop');
  expect(noop.isNoop).toBe(true);
  const predicted = new Set(sinceLastRun.map(({ resource }) => resource));
  expect(predicted.size).toBeGreaterThan(3);
  expect(new Set(noop.changes.map(({ resource }) => resource))).toEqual(predicted);

  const { changes } = await runNow(worker.name);
  expect(new Set(changes.map(({ resource }) => resource))).toEqual(predicted);
  expect(await config('node', 'catalog', worker.name, '--diff')).toMatchObject({ sinceLastRun: [], pending: [] });
});

test('a password appears only on its node', async () => {
  const drop = '/etc/systemd/system/containerd.service.d/nova-proxy.conf';
  const { stdout } = await inside(worker.name, `stat -c %a ${drop}; systemctl show containerd -p Environment`);
  expect(stdout).toContain(`600\n`);
  expect(decodeURIComponent(stdout)).toContain(`http://nova:${password}@10.9.9.9:3128`);
  // Also when the agent repairs the file and reports the change.
  await inside(worker.name, `echo x >> ${drop}`);
  const changed = (await runNow(worker.name)).changes.map(({ resource }) => resource);
  // The run may make further changes, for example restart a service whose certificate was renewed meanwhile.
  expect(changed).toEqual(expect.arrayContaining([`File[${drop}]`, 'Exec[read units]', 'Service[containerd]']));
  const shown = await Promise.all(
    [
      ['node', 'catalog', worker.name],
      ['node', 'reports', worker.name],
      ['node', 'reports', worker.name, '--last'],
    ].map((args) => novaCtl(args, { env })),
  );
  const { stdout: logged } = await inside(worker.name, 'journalctl -u nova-agent -o cat');
  const stored = await execute('sh', ['-c', `cat ${data}/*`]);
  for (const text of [
    ...shown.map(({ stdout: each }) => each),
    logged,
    stored.stdout,
    JSON.stringify(await reportsOf(worker.name)),
  ]) {
    for (const form of [password, encodeURIComponent(password), Buffer.from(password).toString('base64')])
      expect(text).not.toContain(form);
  }
});

describe('a refused request stores nothing', () => {
  const stranger = { name: 'stranger', address: '10.43.0.99' };

  beforeAll(async () => {
    expect(
      await novaCtl(['machine', 'create', stranger.name, '--network', 'config', '--address', stranger.address]),
    ).toMatchObject({ exitCode: 0 });
    await inside(stranger.name, `echo '172.30.0.1 ${manager}' >> /etc/hosts`);
  });

  /** The stock agent in an unplanned machine, with a given name and given attributes. */
  const enrolAs = (name: string, attributes: string) => {
    const settings = `--certname ${name} --server ${manager} --ssldir /tmp/ssl-$$ --keylength 2048 --waitforcert 0`;
    return inside(
      stranger.name,
      `printf '${attributes}' > /etc/puppet/csr_attributes.yaml; puppet agent --onetime --no-daemonize --waitforlock 60 --logdest console --color=false ${settings} 2>&1`,
    );
  };
  const token = (value: string) => `custom_attributes:\\n  1.2.840.113549.1.9.7: ${value}\\n`;
  const createToken = async (node: string, ttl = '10m') =>
    (await config<Token>('config', 'token', 'create', '--node', node, '--ttl', ttl)).token;

  test('a used, expired or unknown token, or one for another name, is refused', async () => {
    const [, used = ''] =
      /1\.2\.840\.113549\.1\.9\.7: (\S+)/.exec(readFileSync(join(folder.path, `${master.name}.yaml`), 'utf8')) ?? [];
    const expired = await createToken('late', '1s');
    await sleep(1100);
    for (const [name, value] of [
      [master.name, used],
      ['late', expired],
      ['mallory', await createToken('alice')],
      ['mallory', 'guessed'],
    ] as const) {
      const { stdout } = await enrolAs(name, token(value));
      expect(stdout, name).toMatch(/NOVA8022|HTTP response was 403/);
    }
    expect((await config<ListedNode[]>('node', 'list')).map(({ name }) => name)).toEqual([master.name, worker.name]);
    expect((await runNow(master.name)).resources.failed).toBe(0);
  });

  test('extensions that would grant rights are refused', async () => {
    const value = await createToken('forger');
    const { stdout } = await enrolAs(
      'forger',
      `${token(value)}extension_requests:\\n  pp_role: master\\n  pp_auth_role: admin\\n`,
    );
    expect(stdout).toMatch(/403/);
    expect(await listed('forger')).toBeUndefined();
    // The refused request did not consume the token.
    expect((await enrolAs('forger', token(value))).stdout).toMatch(/NOVA8011/);
    await config('node', 'revoke', 'forger');
  });

  test("another node's catalog, certificates and keys are refused", async () => {
    const ask = (path: string, ...more: string[]) =>
      `curl -s -o /dev/null -w '%{http_code} ' --cacert $ssl/certs/ca.pem --cert $ssl/certs/$name.pem --key $ssl/private_keys/$name.pem ${more.join(' ')} $server${path};`;
    const { stdout } = await inside(
      worker.name,
      `. /etc/nova/agent.conf; ${ask(`/puppet/v3/node/${worker.name}`)} ${ask(`/puppet/v3/node/${master.name}`)} ${ask(`/puppet/v3/catalog/${master.name}`, '-d', 'facts=%7B%7D')}
       ${ask(`/puppet/v3/report/${master.name}`, '-X PUT -d {}')} ${ask(`/nova/v1/nodes/${worker.name}/keys/service-account`)} ${ask(`/nova/v1/nodes/${master.name}/keys/service-account`)}
       ${ask(`/nova/v1/nodes/${worker.name}/certificates/kube-apiserver`, '-X POST -d x')}`,
    );
    expect(stdout).toBe('200 403 403 403 404 403 404 ');
  });

  test('a revoked node is refused from its next request on', async () => {
    const before = (await reportsOf(worker.name)).length;
    await config('node', 'revoke', worker.name);
    const { stdout } = await inside(
      worker.name,
      'puppet agent --onetime --no-daemonize --waitforlock 60 --logdest console --color=false --no-usecacheonfailure 2>&1',
    );
    expect(stdout).toMatch(/NOVA8020/);
    expect((await reportsOf(worker.name)).length).toBe(before);
    expect(await listed(worker.name)).toMatchObject({ identity: 'revoked' });
    expect(await novaCtl(['node', 'run', worker.name], { env })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^NOVA8015/) as string,
    });
  });
});
