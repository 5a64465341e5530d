import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BareHost, bootHost, createSite } from './bare-hosts.ts';
import { execute, root, temporaryFolder } from './nova-ctl.ts';
import { platformOf, until } from './platform.ts';

const folder = temporaryFolder();
const { ctl, done } = platformOf(folder.path);
const env = { HOME: folder.path, XDG_CONFIG_HOME: join(folder.path, '.config'), NOVA_CONTEXT: '' };
const key = join(folder.path, 'key');

const manifest = (workers: readonly string[]) => `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: { name: cluster }
spec:
  provider: { type: existing }
  nodeGroups:
    - name: cp
      roles: [control-plane, infra, ingress]
      cpu: 2
      memory: 1Gi
      disk: 4Gi
      hosts: [{ name: rack1-n1, address: 10.130.0.21 }]
    - name: work
      roles: [worker]
      cpu: 2
      memory: 1Gi
      disk: 4Gi
      hosts: [${workers.map((name) => `{ name: ${name}, address: 10.130.0.2${name.at(-1)} }`).join(', ')}]
  clusterConfiguration: { dnsBaseDomain: metal.nova.local, nodeNetwork: 10.130.0.0/24, delivery: none }
`;

/** Everything that joining could leave on a host: files, packages, users, mounts, links, rules, services. */
const everything = `
find / -xdev \\( -path /proc -o -path /sys -o -path /run -o -path /tmp -o -path /var/log -o -path /var/cache -o -path /var/lib/dpkg \\
  -o -path /var/lib/apt -o -path /var/lib/systemd -o -path '/var/tmp/systemd-*' \\) -prune -o ! -name '*-' ! -name '.updated' -print | sort
dpkg-query -W -f '\${binary:Package} \${Status}\\n'
cut -d: -f1 /etc/passwd /etc/group
md5sum /etc/hosts
ip -o link | cut -d: -f2 | cut -d@ -f1
ip route
awk '{ print $2 }' /proc/self/mounts | sort
systemctl list-unit-files --no-legend | awk '{ print $1, $2 }'
cat /proc/sys/net/ipv4/ip_forward
ps -e -o comm= 2>/dev/null | sort -u || true
find /run/netns /run/containerd /run/puppet 2>/dev/null
`;

const hosts = new Map<string, BareHost>();
const before = new Map<string, string>();

function declare(...workers: string[]): string {
  const file = join(folder.path, 'metal.yaml');
  writeFileSync(file, manifest(workers));
  return file;
}

const host = (name: string): BareHost => {
  const found = hosts.get(name);
  if (!found) throw new Error(`no host ${name}`);
  return found;
};
const commandOf = async (name: string) =>
  (JSON.parse(await done('node', 'join-command', name, '-o', 'json')) as { command: string }).command;
const join_ = async (name: string) => {
  const command = await until(`a plan with ${name}`, async () => commandOf(name).catch(() => undefined));
  const { exitCode, stdout, stderr } = await host(name).sh(command);
  expect(exitCode, `${name}:\n${stdout}${stderr}`).toBe(0);
};
const kubeconfig = join(folder.path, 'kubeconfig');
const kubectl = '/var/lib/nova/bare/rack1-n1/rootfs/opt/nova/kubernetes/*/bin/kubectl';
const nodes = async () =>
  // From the network of the hosts: they have no route to this host.
  (
    await execute('sh', ['-c', `ip netns exec site ${kubectl} --kubeconfig ${kubeconfig} get nodes --no-headers`])
  ).stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/).slice(0, 2).join(' '))
    .toSorted();

beforeAll(async () => {
  await done('up', '--no-cluster');
  await done('component', 'build', 'kubernetes', 'etcd', 'pause', 'coredns', 'nettest');
  await done('registry', 'import', 'pause', 'coredns', 'nettest');
  await createSite();
  await execute('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const publicKey = readFileSync(`${key}.pub`, 'utf8').trim();
  for (const [name, release] of [
    ['rack1-n1', 'trixie'],
    ['rack1-n2', 'bookworm'],
    ['rack1-n3', 'trixie'],
  ] as const) {
    const booted = await bootHost(name, `10.130.0.2${name.at(-1)}`, release);
    hosts.set(name, booted);
    await booted.sh(`mkdir -p /root/.ssh && echo '${publicKey}' >/root/.ssh/authorized_keys`);
    before.set(name, (await booted.sh(everything)).stdout);
  }
});

afterAll(async () => {
  for (const each of hosts.values()) await each.remove();
  await ctl('down', '--purge', '--yes');
  folder.remove();
});

test('a cluster is refused until Universe has the packages of hosts', async () => {
  const refused = await ctl('apply', '-f', declare('rack1-n2'), '--yes');
  expect(refused.stderr).toContain('NOVA8502');
  await done('node', 'packages');
});

test('one command on each host makes bare machines of Debian 13 and 12 a cluster', async () => {
  const applying = done('apply', '-f', declare('rack1-n2'), '--yes');
  await Promise.all([applying, join_('rack1-n1'), join_('rack1-n2')]);
  writeFileSync(kubeconfig, await done('kubeconfig', 'metal', '--static'), { mode: 0o600 });
  expect(await nodes()).toEqual(['rack1-n1 Ready', 'rack1-n2 Ready']);
});

test('a host joins over SSH only if its key is known; when it leaves, it is as it was before', async () => {
  const applying = done('apply', '-f', declare('rack1-n2', 'rack1-n3'), '--yes');
  await until('a plan with rack1-n3', async () => commandOf('rack1-n3').catch(() => undefined));
  const knownHosts = join(folder.path, 'hosts.keys');
  // From the network of the hosts: they have no route to this host.
  const overSsh = () => {
    const command = ['node', 'join', 'rack1-n3', '--ssh', 'root', '--known-hosts', knownHosts, '--identity', key];
    return execute('ip', ['netns', 'exec', 'site', join(root, 'nova-ctl'), ...command], { env });
  };
  writeFileSync(knownHosts, '');
  expect((await overSsh()).stderr).toContain('Host key verification failed');
  const hostKey = (await host('rack1-n3').sh('cat /etc/ssh/ssh_host_ed25519_key.pub')).stdout;
  writeFileSync(knownHosts, `10.130.0.23 ${hostKey}`);
  const joined = await overSsh();
  expect(joined.exitCode, joined.stderr).toBe(0);
  await applying;
  expect(await nodes()).toContain('rack1-n3 Ready');
  await done('apply', '-f', declare('rack1-n2'), '--yes');
  const { sh } = host('rack1-n3');
  await until('the host to be clean', async () => (await sh('test -e /var/lib/nova-host')).exitCode !== 0);
  expect((await sh(everything)).stdout).toBe(before.get('rack1-n3'));
  expect(await nodes()).toEqual(['rack1-n1 Ready', 'rack1-n2 Ready']);
});

test('destroying the cluster cleans all hosts', async () => {
  await done('destroy', 'metal', '--yes');
  for (const name of ['rack1-n1', 'rack1-n2']) {
    const { sh } = host(name);
    await until(`${name} to be clean`, async () => (await sh('test -e /var/lib/nova-host')).exitCode !== 0);
    expect((await sh(everything)).stdout, name).toBe(before.get(name));
  }
});
