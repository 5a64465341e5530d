import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { unitOf } from '@nova-platform/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, novaCtl, root, temporaryFolder } from './nova-ctl.ts';

const machines = {
  universe: { network: 'integration', address: '10.255.0.10' },
  a1: { network: 'a', address: '10.41.0.11' },
  a2: { network: 'a', address: '10.41.0.12' },
  b1: { network: 'b', address: '10.42.0.11' },
  b2: { network: 'b', address: '10.42.0.12' },
};
type Name = keyof typeof machines;
const names = Object.keys(machines) as Name[];

/** Our resources on this host, for comparison before and after a test. */
async function traces(): Promise<string[]> {
  const shell = async (script: string) =>
    (await execute('bash', ['-c', script])).stdout.split('\n').filter((line) => line !== '');
  return (
    await Promise.all([
      shell('ip netns list | cut -d" " -f1 | grep ^nova'),
      shell('grep nova /proc/mounts | grep -v /var/cache'),
      shell('ip -o link show | cut -d: -f2 | grep -E "nova|ovs"'),
      shell('ip -4 route show table all | grep -E "172\\.30\\.|10\\.255\\.|100\\.64\\.|nova"'),
      shell('find /sys/fs/cgroup -type d -name "nova*"'),
      shell(
        'ps -eo args | grep -E "nova-engine|ovs-vswitchd|ovn-|ovsdb-server|conmon|lxcfs" | grep -vE "grep|defunct"',
      ),
      shell('ls -d /var/lib/nova /run/nova /var/log/nova 2>/dev/null'),
    ])
  ).flat();
}

async function inside(machine: Name, command: string): Promise<{ exitCode: number | null; stdout: string }> {
  return novaCtl(['machine', 'exec', machine, '--', 'sh', '-c', command]);
}

let before: string[] = [];

beforeAll(async () => {
  before = await traces();
  for (const args of [
    ['host', 'up'],
    ['image', 'build', 'node'],
    ['network', 'create', 'a', '--cidr', '10.41.0.0/24'],
    ['network', 'create', 'b', '--cidr', '10.42.0.0/24'],
  ]) {
    expect(await novaCtl(args), args.join(' ')).toMatchObject({ exitCode: 0 });
  }
  const created = await Promise.all(
    names.map((name) =>
      novaCtl([
        'machine',
        'create',
        name,
        '--network',
        machines[name].network,
        '--address',
        machines[name].address,
        '--memory',
        '256Mi',
      ]),
    ),
  );
  for (const { exitCode, stderr } of created) expect(exitCode, stderr).toBe(0);
  await Promise.all(
    names.map(async (name) => {
      await inside(name, `systemd-run --unit=tcp socat -t5 TCP-LISTEN:7000,fork,reuseaddr "EXEC:/bin/echo ${name}"`);
      // It reads the datagram: socat loses the response of a program that ends before.
      await inside(name, `systemd-run --unit=udp socat -t5 UDP-RECVFROM:7000,fork "SYSTEM:read line; echo ${name}"`);
    }),
  );
});

afterAll(async () => {
  await novaCtl(['host', 'down']);
});

test('machines boot systemd with the requested settings', async () => {
  expect((await inside('a1', 'systemctl is-system-running')).stdout).toBe('running\n');
  expect((await inside('a1', 'hostname; nproc; cat /etc/machine-id | wc -c')).stdout).toMatch(/^a1\n\d+\n33\n$/);
  const ids = await Promise.all(names.map(async (name) => (await inside(name, 'cat /etc/machine-id')).stdout));
  expect(new Set(ids).size).toBe(names.length);
});

test('a machine starts no login manager and no package updates of its own', async () => {
  const units = 'systemd-logind.service apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer';
  expect((await inside('a1', `systemctl is-active ${units} || true`)).stdout).toBe('inactive\n'.repeat(4));
});

describe('reachability', () => {
  const mayReach = (from: Name, to: Name) =>
    machines[from].network === machines[to].network ||
    machines[from].network === 'integration' ||
    machines[to].network === 'integration';

  const probes: Record<string, (address: string) => string> = {
    ICMP: (address) => `ping -c1 -W2 ${address} >/dev/null && echo yes`,
    TCP: (address) =>
      `timeout 8 socat -t5 -T5 - TCP:${address}:7000,connect-timeout=2 </dev/null | grep -q . && echo yes`,
    // Under load, datagrams may be lost, and the peer may start its program late.
    UDP: (address) =>
      `for wait in 1 2 5; do echo x | timeout 12 socat -t$wait - UDP:${address}:7000 | grep -q . && echo yes && break; done`,
  };

  for (const [protocol, probe] of Object.entries(probes)) {
    test(`${protocol} reaches exactly the specified pairs`, async () => {
      // In rounds, so that each machine serves one peer at a time.
      const pairs: { from: Name; to: Name }[] = [];
      const found: string[] = [];
      for (const round of [1, 2, 3, 4]) {
        const now = names.map((from, index) => ({ from, to: names[(index + round) % names.length] ?? from }));
        const probed = now.map(async ({ from, to }) => {
          const { stdout } = await inside(from, probe(machines[to].address));
          return `${from} → ${to}: ${stdout.trim() || 'no'}`;
        });
        pairs.push(...now);
        found.push(...(await Promise.all(probed)));
      }
      expect(found).toEqual(pairs.map(({ from, to }) => `${from} → ${to}: ${mayReach(from, to) ? 'yes' : 'no'}`));
    });
  }

  test('packets with a forged source address are dropped', async () => {
    const forged = ['10.255.0.99', machines.b2.address, machines.a2.address];
    for (const source of forged) {
      const { stdout } = await inside(
        'a1',
        `ip address add ${source}/32 dev lo; ping -c1 -W1 -I ${source} ${machines.b1.address} >/dev/null && echo yes; ip address delete ${source}/32 dev lo`,
      );
      expect(stdout, source).toBe('');
    }
  });

  test('custom routes do not let a machine leave its network', async () => {
    const { stdout } = await inside(
      'a1',
      `ip route add ${machines.b1.address} via 10.41.0.1; ping -c1 -W1 ${machines.b1.address} >/dev/null && echo yes; ip route replace ${machines.b1.address} dev eth0; ping -c1 -W1 ${machines.b1.address} >/dev/null && echo yes; ip route delete ${machines.b1.address}`,
    );
    expect(stdout).toBe('');
  });
});

describe('external access', () => {
  let server: Server;
  const seen: string[] = [];
  beforeAll(async () => {
    server = createServer((socket) => {
      seen.push(socket.remoteAddress ?? '');
      socket.on('error', () => undefined);
      socket.end('host\n');
    });
    await new Promise<void>((listening) => server.listen(7100, '172.30.0.1', listening));
  });
  afterAll(() => server.close());

  test('SNAT hides internal addresses, and the host responds only on open ports', async () => {
    const knock = async () =>
      (await inside('a1', 'timeout 8 socat -t5 -T5 - TCP:172.30.0.1:7100,connect-timeout=2 </dev/null')).stdout;
    expect(await knock()).toBe('');
    expect(await novaCtl(['host', 'open', '7100'])).toMatchObject({ exitCode: 2 });
    expect(await novaCtl(['host', 'open', '7100/tcp'])).toMatchObject({ exitCode: 0 });
    expect(await knock()).toBe('host\n');
    expect(await novaCtl(['host', 'close', '7100/tcp'])).toMatchObject({ exitCode: 0 });
    expect(await knock()).toBe('');
    const [a] = (await engineClient.networks()).filter(({ name }) => name === 'a');
    expect(seen).toEqual([a?.router.externalAddress]);
  });

  test('a published machine is reachable only on its published ports, from the host and from another network', async () => {
    const listening = [22, 80, 443, 2379, 2380, 10250, 30080];
    for (const name of ['universe', 'a1'] as const)
      for (const port of listening)
        await inside(
          name,
          `systemd-run --unit=tcp${port} socat TCP-LISTEN:${port},fork,reuseaddr EXEC:"/bin/echo ${name}"`,
        );
    const published = (...ports: string[]) => ({
      published: [{ externalAddress: '172.30.0.100', address: machines.a1.address, ports }],
    });
    const open = async (address: string) => {
      const probe = (port: number) => `timeout 2 bash -c "exec 3<>/dev/tcp/${address}/${port} && cat <&3"`;
      const script = listening.map((port) => `${probe(port)} | grep -q . && echo ${port} &`).join('\n');
      const seen = [await execute('bash', ['-c', `${script}\nwait`]), await inside('b1', `${script}\nwait`)];
      return seen.map(({ stdout }) =>
        stdout
          .trim()
          .split('\n')
          .map(Number)
          .toSorted((one, other) => one - other),
      );
    };
    await engineClient.changeNetwork('a', published('80/tcp', '443/tcp'));
    expect(await open('172.30.0.100')).toEqual([
      [80, 443],
      [80, 443],
    ]);
    await engineClient.changeNetwork('a', published('80/tcp', '30000-32767/tcp'));
    expect(await open('172.30.0.100')).toEqual([
      [80, 30080],
      [80, 30080],
    ]);
    expect(await open('172.30.0.10')).toEqual([[443], [443]]);
    expect((await novaCtl(['network', 'show', 'a'])).stdout).toContain(
      `dnat  172.30.0.100    →  ${machines.a1.address}    80/tcp, 30000-32767/tcp`,
    );
  });

  test('a machine published before ports were declared gets the ports of infra nodes', async () => {
    const file = '/var/lib/nova/networks/a.json';
    const record = JSON.parse(readFileSync(file, 'utf8')) as { published: { ports?: string[] }[] };
    for (const each of record.published) delete each.ports;
    writeFileSync(file, JSON.stringify(record));
    const [a] = (await engineClient.networks()).filter(({ name }) => name === 'a');
    expect(a?.published.map(({ ports }) => ports)).toEqual([['80/tcp', '443/tcp', '53/tcp', '53/udp']]);
  });

  test('a machine without keys runs no SSH server', async () => {
    expect((await inside('a1', 'systemctl is-enabled ssh; systemctl is-active ssh')).stdout).toBe(
      'enabled\ninactive\n',
    );
    const accepted =
      "sshd -T 2>/dev/null | grep -E '^(passwordauthentication|kbdinteractiveauthentication|permitrootlogin) '";
    expect((await inside('a1', `ssh-keygen -A >/dev/null; mkdir -p /run/sshd; ${accepted} | sort`)).stdout).toBe(
      'kbdinteractiveauthentication no\npasswordauthentication no\npermitrootlogin without-password\n',
    );
  });

  test('intercepted names resolve on any server, with and without EDNS; others do not', async () => {
    await engineClient.changeNetwork('a', {
      names: [{ name: 'universe.nova.internal', addresses: [machines.universe.address] }],
    });
    for (const option of ['+edns=0', '+noedns']) {
      expect(
        (await inside('a1', `dig +short +time=2 +tries=2 ${option} @192.0.2.53 universe.nova.internal`)).stdout,
        option,
      ).toBe(`${machines.universe.address}\n`);
    }
    const other = await inside('a1', 'dig +short +time=1 +tries=1 @192.0.2.53 other.example >/dev/null; echo $?');
    expect(other.stdout).toBe('9\n');
  });
});

test('network show draws the network', async () => {
  expect((await novaCtl(['network', 'show', 'b'])).stdout).toBe(`b 10.42.0.0/24

  outside ── 172.30.255.253 ──┐
                              ├── b-router ── 10.42.0.1 ── b1, b2
  transit ── 100.64.255.253 ──┘

├─ machines
│  ├─ b1  10.42.0.11  0a:00:0a:2a:00:0b  link up  running
│  └─ b2  10.42.0.12  0a:00:0a:2a:00:0c  link up  running
├─ router b-router
│  ├─ b         10.42.0.1/24
│  ├─ external  172.30.255.253/16
│  └─ transit   100.64.255.253/16
├─ NAT
│  └─ snat  172.30.255.253  ←  10.42.0.0/24
└─ routes
   ├─ 0.0.0.0/0      via 172.30.0.1
   └─ 10.255.0.0/24  via 100.64.0.1
`);
});

describe('every killed service restarts by itself', () => {
  const works = async () =>
    (await inside('a1', `timeout 8 socat -t5 -T5 - TCP:${machines.a2.address}:7000,connect-timeout=2 </dev/null`))
      .stdout === 'a2\n';
  const uptime = async () => Number((await inside('a1', 'cut -d" " -f22 /proc/1/stat')).stdout);

  for (const service of [
    'nova-vswitchd',
    'nova-controller',
    'nova-northd',
    'nova-northbound-db',
    'nova-southbound-db',
    'nova-vswitch-db',
    'nova-engine',
  ]) {
    test(service, async () => {
      const bootedAt = await uptime();
      const { pid } = JSON.parse(readFileSync(`/run/nova/services/${service}.json`, 'utf8')) as { pid: number };
      process.kill(pid, 'SIGKILL');
      const deadline = Date.now() + 30_000;
      while (!(await works())) expect(Date.now()).toBeLessThan(deadline);
      expect(await uptime()).toBe(bootedAt);
      expect((await engineClient.networks()).map(({ name }) => name)).toEqual(['integration', 'a', 'b']);
    });
  }
});

describe('a machine after a kill of the engine', () => {
  const steps = {
    create: ['machine.recorded', 'machine.connected', 'machine.mounted', 'machine.configured', 'machine.created'],
    delete: ['machine.marked', 'machine.deleted', 'machine.detached', 'machine.unmounted', 'machine.emptied'],
  };
  const create = () => novaCtl(['machine', 'create', 'victim', '--network', 'a', '--memory', '128Mi']);
  const settled = async (isThere: boolean) => {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const found = (await engineClient.machines().catch(() => [])).find(({ name }) => name === 'victim');
      if (isThere ? found?.state === 'running' : (await engineClient.health().catch(() => undefined)) && !found) return;
      expect(Date.now()).toBeLessThan(deadline);
      await new Promise((wake) => setTimeout(wake, 100));
    }
  };

  for (const step of steps.create) {
    test(`creation interrupted at ${step} is finished after the restart`, async () => {
      writeFileSync('/run/nova/fault', step);
      expect((await create()).exitCode).not.toBe(0);
      await settled(true);
      expect(await novaCtl(['machine', 'delete', 'victim'])).toMatchObject({ exitCode: 0 });
    });
  }

  test('an interrupted restart is finished after the engine restarts', async () => {
    expect(await create()).toMatchObject({ exitCode: 0 });
    writeFileSync('/run/nova/fault', 'machine.halted');
    expect((await novaCtl(['machine', 'restart', 'victim'])).exitCode).not.toBe(0);
    await settled(true);
    expect(await novaCtl(['machine', 'delete', 'victim'])).toMatchObject({ exitCode: 0 });
  });

  for (const step of steps.delete) {
    test(`removal interrupted at ${step} is finished after the restart`, async () => {
      expect(await create()).toMatchObject({ exitCode: 0 });
      writeFileSync('/run/nova/fault', step);
      expect((await novaCtl(['machine', 'delete', 'victim'])).exitCode).not.toBe(0);
      await settled(false);
      expect(
        (
          await execute('bash', [
            '-c',
            'ip netns list | grep victim; grep victim /proc/mounts; ls -d /var/lib/nova/machines/victim /sys/fs/cgroup/*/nova-machines/victim',
          ])
        ).stdout,
      ).toBe('');
    });
  }
});

test('a partly removed network blocks nothing, and a retry removes it', async () => {
  const file = '/var/lib/nova/networks/half.json';
  const create = ['network', 'create', 'half', '--cidr', '10.78.0.0/24'];
  const halfGone = () => writeFileSync(file, readFileSync(file, 'utf8').replace('"present"', '"gone"'));
  for (const next of [create, ['network', 'delete', 'half']]) {
    expect(await novaCtl(create)).toMatchObject({ exitCode: 0 });
    // The state after an OVN timeout.
    halfGone();
    expect((await novaCtl(['network', 'list'])).stdout).not.toContain('half');
    expect(await novaCtl(next)).toMatchObject({ exitCode: 0 });
    if (next === create) expect(await novaCtl(['network', 'delete', 'half'])).toMatchObject({ exitCode: 0 });
    expect(existsSync(file)).toBe(false);
  }
});

describe('a network after a kill of the engine', () => {
  const present = async () => {
    const deadline = Date.now() + 30_000;
    for (;;) {
      const networks = await engineClient.networks().catch(() => undefined);
      if (networks) return networks.map(({ name }) => name).includes('victim');
      expect(Date.now()).toBeLessThan(deadline);
      await new Promise((wake) => setTimeout(wake, 100));
    }
  };

  test('creation and removal are finished, and nothing is left', async () => {
    writeFileSync('/run/nova/fault', 'network.recorded');
    expect((await novaCtl(['network', 'create', 'victim', '--cidr', '10.77.0.0/24'])).exitCode).not.toBe(0);
    expect(await present()).toBe(true);
    writeFileSync('/run/nova/fault', 'network.marked');
    expect((await novaCtl(['network', 'delete', 'victim'])).exitCode).not.toBe(0);
    expect(await present()).toBe(false);
    expect(
      (await execute('bash', ['-c', 'ls /var/lib/nova/networks; ip route show table all | grep 10.77'])).stdout,
    ).toBe('a.json\nb.json\n');
  });
});

describe('limits and lifecycle', () => {
  test('a machine cannot exceed its CPU limit', async () => {
    const look =
      'date +%s%N; cat /sys/fs/cgroup/cpuacct/cpuacct.usage 2>/dev/null || awk "/usage_usec/ {print \\$2 * 1000}" /sys/fs/cgroup/cpu.stat';
    const busy =
      'end=$(($(date +%s%N) + 2000000000)); for i in 1 2; do (while [ $(date +%s%N) -lt $end ]; do :; done) & done; wait';
    const { stdout } = await inside('b1', `${look}; ${busy}; ${look}`);
    const [startedAt = 0, before = 0, endedAt = 0, after = 0] = stdout.split('\n').map(Number);
    const share = (after - before) / (endedAt - startedAt);
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(1.15);
  });

  test('a machine cannot exceed its memory limit', async () => {
    const { exitCode } = await inside('b2', 'head -c 400M /dev/zero | tail >/dev/null');
    expect(exitCode).not.toBe(0);
    expect((await inside('b2', 'echo alive')).stdout).toBe('alive\n');
  });

  test('a restarted machine keeps its disk and address, and gets a new namespace', async () => {
    await inside('b2', 'echo kept > /root/kept; nft add table inet leftover');
    expect(await novaCtl(['machine', 'restart', 'b2'])).toMatchObject({ exitCode: 0 });
    expect(
      (await inside('b2', 'cat /root/kept; nft list tables; ip -4 -o address show eth0 | grep -o 10.42.0.12')).stdout,
    ).toBe('kept\n10.42.0.12\n');
  });

  test('a machine is created and resized with the given size', async () => {
    const create = ['machine', 'create', 'sized', '--network', 'a', '--memory', '128Mi', '--disk', '1Gi'];
    expect(await novaCtl(create)).toMatchObject({ exitCode: 0 });
    const resize = ['machine', 'resize', 'sized', '--cpu', '2', '--memory', '256Mi', '--disk', '2Gi'];
    expect((await novaCtl(resize)).stdout).toBe('✓ sized: 2 CPU, 256 MiB, 2 GiB\n');
    expect((await novaCtl(['machine', 'list'])).stdout).toMatch(/^sized .* 2 +256 MiB +2 GiB /m);
    await novaCtl(['machine', 'stop', 'sized']);
    expect((await novaCtl(['machine', 'resize', 'sized', '--memory', '128Mi'])).stdout).toBe(
      '✓ sized: 2 CPU, 128 MiB, 2 GiB; takes effect at its next start\n',
    );
    await novaCtl(['machine', 'delete', 'sized']);
  });

  test('a machine cannot open block devices or set the clock', async () => {
    expect((await inside('a1', 'mknod /tmp/disk b 254 0 && head -c1 /tmp/disk')).exitCode).not.toBe(0);
    expect((await inside('a1', 'date -s 2020-01-01')).exitCode).not.toBe(0);
  });

  test('a systemd unit of ours starts, and restarts when it is killed', async () => {
    const unit = unitOf({
      name: 'nova-probe',
      command: '/bin/sh',
      args: ['-c', `echo '100% $HOME' > /run/probe; exec sleep 1000`],
    });
    const script = `cat > /run/systemd/system/nova-probe.service && systemctl daemon-reload && systemctl start nova-probe
      pid() { systemctl show -P MainPID nova-probe; }
      until [ -s /run/probe ]; do sleep 0.1; done
      first=$(pid); kill -9 $first
      for try in $(seq 100); do [ "$(pid)" != "$first" ] && [ "$(pid)" != 0 ] && break; sleep 0.1; done
      cat /run/probe; [ "$(pid)" != "$first" ] && systemctl is-active nova-probe`;
    const { stdout } = await novaCtl(['machine', 'exec', 'a1', '--', 'sh', '-c', script], { input: unit });
    expect(stdout).toBe('100% $HOME\nactive\n');
  });

  test('a machine applies its cloud-config once', async () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'user-data');
    writeFileSync(
      file,
      `#cloud-config
hostname: named
users:
  - name: nova
    ssh_authorized_keys: [ssh-ed25519 AAAA nova]
    sudo: ALL=(ALL) NOPASSWD:ALL
write_files:
  - path: /var/run/../etc/x
`,
    );
    const create = ['machine', 'create', 'configured', '--network', 'a', '--memory', '128Mi', '--cloud-config', file];
    expect((await novaCtl(create)).stderr).toMatch(/^NOVA7012\n.*write_files.0.path/);
    // /var/lock is a link to /run/lock: a write through it stays in the machine.
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace('/var/run/../etc/x', '/var/lock/nova-probe')
        .replace('write_files:', 'write_files:\n  - {path: /etc/probe, content: "a\\nb", permissions: "0600"}'),
    );
    expect(await novaCtl(create)).toMatchObject({ exitCode: 0 });
    expect(existsSync('/run/lock/nova-probe')).toBe(false);
    const look = [
      'machine',
      'exec',
      'configured',
      '--',
      'sh',
      '-c',
      'hostname; stat -c "%a %U" /etc/probe; cat /etc/probe; echo; id -un nova; stat -c "%a %U" /home/nova/.ssh/authorized_keys; echo changed > /etc/probe',
    ];
    expect((await novaCtl(look)).stdout).toBe('named\n600 root\na\nb\nnova\n600 nova\n');
    await novaCtl(['machine', 'restart', 'configured']);
    expect((await novaCtl(['machine', 'exec', 'configured', '--', 'cat', '/etc/probe'])).stdout).toBe('changed\n');
    await novaCtl(['machine', 'delete', 'configured']);
    folder.remove();
  });

  test.concurrent('a command that does not read its input uses no engine memory, and ends with its client', async () => {
    const engine = (JSON.parse(readFileSync('/run/nova/services/nova-engine.json', 'utf8')) as { pid: number }).pid;
    const memory = () => Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${engine}/status`, 'utf8'))?.[1]) / 1024;
    const before = memory();
    // SIGKILL, so that the client cannot clean up.
    const sending = 'timeout --signal=KILL 12 ./nova-ctl machine exec a1 -- sleep 1234 < /dev/zero';
    const sent = execute('bash', ['-c', sending]);
    await expect.poll(async () => (await inside('a1', 'pgrep -xf "sleep 1234"')).exitCode, { timeout: 10_000 }).toBe(0);
    await sent;
    expect(memory() - before).toBeLessThan(100);
    await expect.poll(async () => (await inside('a1', 'pgrep -xf "sleep 1234"')).exitCode, { timeout: 10_000 }).toBe(1);
  });

  test.concurrent('a silent command ends with its client', async () => {
    const isThere = async () => (await inside('a1', 'pgrep -xf "sleep 4321"')).exitCode;
    const asked = execute('bash', ['-c', 'timeout --signal=KILL 12 ./nova-ctl machine exec a1 -- sleep 4321']);
    await expect.poll(isThere).toBe(0);
    await asked;
    await expect.poll(isThere).toBe(1);
  });

  test('a command that ends before its input does not block its client', async () => {
    // The exit code varies: runc may report the signal for a broken pipe.
    const sending = 'yes | { timeout 5 ./nova-ctl machine exec a1 -- head -n 1; [ $? != 124 ]; }';
    // Whether the client is just sending is a matter of chance.
    for (let time = 0; time < 5; time += 1)
      expect(await execute('bash', ['-c', sending])).toMatchObject({ exitCode: 0 });
  });

  test('the console log of a machine is bounded', async () => {
    await inside('b1', 'for i in 1 2 3; do head -c 1000000 /dev/zero | tr "\\0" x | fold > /dev/console; done');
    expect(statSync('/var/lib/nova/machines/b1/console.log').size).toBeLessThan(1.5 * 1024 ** 2);
  });

  test('the engine serves an OpenAPI description of its API', async () => {
    const stdout = await new Promise<string>((resolve, reject) => {
      get({ socketPath: '/run/nova/engine.sock', path: '/v1/openapi.json' }, (response) => {
        response.toArray().then((chunks) => resolve(Buffer.concat(chunks as Buffer[]).toString()), reject);
      }).on('error', reject);
    });
    const { openapi, paths } = JSON.parse(stdout) as { openapi: string; paths: Record<string, unknown> };
    expect(openapi).toBe('3.1.0');
    expect(Object.keys(paths)).toContain('/v1/machines/{name}/restart');
    expect(statSync('/run/nova/engine.sock').mode & 0o777).toBe(0o600);
  });

  test('the console log of a machine is kept', async () => {
    expect((await novaCtl(['machine', 'logs', 'a1'])).stdout).toMatch(/Reached target/);
  });
});

test.for([
  ['an overlapping network', ['network', 'create', 'c', '--cidr', '10.41.0.0/25'], 'NOVA7022'],
  ['a network name in use', ['network', 'create', 'a', '--cidr', '10.50.0.0/24'], 'NOVA7021'],
  [
    'an address outside the network',
    ['machine', 'create', 'x', '--network', 'a', '--address', '10.99.0.1'],
    'NOVA3018',
  ],
  ['an address in use', ['machine', 'create', 'x', '--network', 'a', '--address', '10.41.0.11'], 'NOVA7023'],
  ['a missing network', ['machine', 'create', 'x', '--network', 'aa'], 'NOVA7010'],
  ['an unknown image', ['machine', 'create', 'x', '--network', 'a', '--image', 'windows'], 'NOVA7001'],
  ['more memory than the host has', ['machine', 'create', 'x', '--network', 'a', '--memory', '900Gi'], 'NOVA7025'],
  ['a disk of twenty bytes', ['machine', 'create', 'x', '--network', 'a', '--disk', '20'], 'NOVA7026'],
  ['a resize without a size', ['machine', 'resize', 'a1'], 'NOVA2009'],
  ['a disk limit for a machine without one', ['machine', 'resize', 'a1', '--disk', '1Gi'], 'NOVA7086'],
  ['an invalid name', ['machine', 'create', 'X_1', '--network', 'a'], 'NOVA7026'],
  ["the removal of the platform's own network", ['network', 'delete', 'integration'], 'NOVA7027'],
  ['the removal of a network with machines', ['network', 'delete', 'a'], 'NOVA7024'],
  ['the removal of a missing machine', ['machine', 'delete', 'nobody'], 'NOVA7010'],
] as const)('the engine rejects %s, and leaves nothing half-made', async ([, args, code]) => {
  const traced = await traces();
  const { exitCode, stderr } = await novaCtl(args);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(new RegExp(`^${code}`));
  expect(await traces()).toEqual(traced);
});

test('a full disk and a missing kernel feature are reported before any change', async () => {
  const onTinyDisk =
    'mount -t tmpfs -o size=50m tmpfs /var/cache/nova/images && ./nova-ctl image build base; code=$?; umount /var/cache/nova/images; exit $code';
  const disk = await execute('bash', ['-c', onTinyDisk]);
  expect(disk).toMatchObject({ exitCode: 2, stdout: '' });
  expect(disk.stderr).toMatch(/^NOVA7003/);
  const withoutTun = (command: string) =>
    execute('unshare', ['-m', 'bash', '-c', `mount -t tmpfs tmpfs /dev/net && ./nova-ctl host ${command}`]);
  expect((await withoutTun('check')).stdout).toMatch(/✗ tun devices .*→ use a kernel that has it/);
  const withoutXfs = 'mount --bind /dev/null "$(readlink -f "$(command -v mkfs.xfs)")" && ./nova-ctl host check';
  const optional = await execute('unshare', ['-m', 'bash', '-c', withoutXfs]);
  expect(optional).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/! mkfs.xfs +→ disks of machines are not limited: nova-ctl host up/) as string,
  });
  expect(await withoutTun('up')).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^NOVA7032/) as string });
});

test('commands report missing root rights', async () => {
  // At a place that every user can reach: the checkout may be in the home folder of root.
  const asNobody = (...args: string[]) =>
    execute('unshare', [
      '-m',
      'sh',
      '-c',
      'mount --bind "$1" /mnt && shift && exec setpriv --reuid=65534 --clear-groups /mnt/nova-ctl "$@"',
      'sh',
      root,
      ...args,
    ]);
  for (const args of [
    ['host', 'up'],
    ['machine', 'list'],
  ]) {
    expect(await asNobody(...args)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^NOVA703[01]/) as string,
    });
  }
});

test('pruning removes unfinished images, and never those in use', async () => {
  const old = '/var/cache/nova/images/node-0000000000000000';
  const used = (await engineClient.images()).filter(({ isBuilt }) => isBuilt).flatMap(({ layers }) => layers);
  // Remove leftovers of earlier versions first.
  await engineClient.pruneImages();
  // The state after a killed bootstrap.
  mkdirSync(`${old}.building-x/root/sys`, { recursive: true });
  await execute('mount', ['-t', 'tmpfs', 'tmpfs', `${old}.building-x/root/sys`]);
  // Another build holds the lock.
  const holder = spawn('flock', [`${old}.lock`, 'sh', '-c', 'echo held; read end']);
  await once(holder.stdout, 'data');
  expect((await engineClient.pruneImages()).removed).toEqual([]);
  const gone = once(holder, 'exit');
  holder.stdin.end();
  await gone;
  expect((await engineClient.pruneImages()).removed).toEqual(['node-0000000000000000.building-x']);
  expect(existsSync(`${old}.lock`)).toBe(false);
  for (const layer of used) expect(existsSync(layer), layer).toBe(true);
  // A machine from before its image recipe changed.
  mkdirSync(old);
  mkdirSync(`${old}.boot`);
  mkdirSync(`${old}.boot.building-y`);
  const record = '/var/lib/nova/machines/b2/machine.json';
  const before = readFileSync(record, 'utf8');
  writeFileSync(record, before.replace('"layers": [', `"layers": ["${old}",`));
  expect((await engineClient.pruneImages()).removed).toEqual(['node-0000000000000000.boot.building-y']);
  writeFileSync(record, before);
  const removed = ['node-0000000000000000', 'node-0000000000000000.boot'];
  expect((await engineClient.pruneImages()).removed.toSorted()).toEqual(removed);
});

test('host maintenance stops all machines after a confirmation, and starts them again', async () => {
  const states = async () => [...new Set((await engineClient.machines()).map(({ state }) => state))];
  const maintenance = (...args: string[]) => novaCtl(['host', 'maintenance', ...args]);
  const preview = (await maintenance('enter')).stdout;
  for (const name of names) expect(preview).toContain(`  ${name}`);
  expect(preview).toContain('Run the command with --yes');
  expect(await states()).toEqual(['running']);

  expect((await maintenance('enter', '--yes')).stdout).toMatch(/^✓ The host is in maintenance since /);
  expect(await states()).toEqual(['stopped']);
  expect((await maintenance('status')).stdout).toContain('start when it ends: a1, a2, b1, b2, universe.');
  for (const args of [
    ['machine', 'restart', 'a1'],
    ['machine', 'create', 'more', '--network', 'a'],
  ])
    expect((await novaCtl(args)).stderr).toContain('NOVA7140');
  expect((await maintenance('leave')).stdout).toContain('Machines started: 5.');
  expect(await states()).toEqual(['running']);
  expect((await maintenance('status')).stdout).toBe('The host is not in maintenance.\n');
});

test('a second `host up` changes nothing', async () => {
  const traced = await traces();
  expect(await novaCtl(['host', 'up'])).toMatchObject({ exitCode: 0 });
  expect(await traces()).toEqual(traced);
});

test('`host down` leaves nothing behind', async () => {
  expect(await novaCtl(['host', 'down'])).toMatchObject({ exitCode: 0 });
  expect(await traces()).toEqual(before);
});
