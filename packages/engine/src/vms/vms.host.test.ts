import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { createEngineClient, engineClient } from '@nova-platform/contracts/engine/client';
import { createKeyPair } from '@nova-platform/pki';
import { defaultSite } from '@nova-platform/plan';
import { run } from '@nova-platform/process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostDown } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { clientEndpoint } from '../paths.ts';
import { runningPid } from '../supervisor.ts';
import { codesOf, inside, program } from '../testing.ts';
import { QmpError, withQmp } from './qmp.ts';

const say = () => undefined;
// Emulated, under the load of other tests.
const bootMilliseconds = 900_000;
const machine = { network: 'lab', cpu: 1, memoryMebibytes: 512 };
const address = { v1: '10.68.0.11', c1: '10.68.0.12', other: '10.69.0.12' };
const disk = '/var/lib/nova/machines/v1/disks/root.qcow2';
const cloudConfig = `#cloud-config
hostname: guest-1
users:
  - name: dev
    sudo: ALL=(ALL) NOPASSWD:ALL
    ssh_authorized_keys: [ssh-ed25519 AAAA dev]
write_files:
  - { path: /etc/app/token, content: s3cret, permissions: '0400', owner: dev:dev }
`;

const pidOf = async (name: string) => Number(await readFile(`/var/lib/nova/machines/${name}/pid`, 'utf8'));
const bootId = () => inside('v1', 'cat /proc/sys/kernel/random/boot_id').catch(() => '');
const statusOf = async (name: string) => (await engineClient.machines()).find((each) => each.name === name);
const engineIsBack = () =>
  expect.poll(() => engineClient.health().catch(() => undefined), { timeout: 60_000 }).toBeTruthy();

/** Reads from a console until the text appears. */
function untilShown(console: Duplex, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    console.on('close', () => reject(new Error(`closed after ${text}`)));
    console.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (pattern.test(text)) resolve(text);
    });
  });
}

beforeAll(async () => {
  await hostUp(program, say);
  await engineClient.createNetwork('lab', '10.68.0.0/24');
  await engineClient.createNetwork('elsewhere', '10.69.0.0/24');
  await engineClient.createMachine({ ...machine, name: 'c1', image: 'node', address: address.c1 });
  await engineClient.createMachine({
    ...machine,
    name: 'other',
    image: 'node',
    network: 'elsewhere',
    address: address.other,
  });
  await engineClient.createMachine({
    ...machine,
    name: 'v1',
    image: 'vm',
    address: address.v1,
    memoryMebibytes: 768,
    diskMebibytes: 4096,
    cloudConfig,
  });
}, bootMilliseconds);

afterAll(() => hostDown(say));

describe('a new VM', () => {
  test('has its name, users, files and size', async () => {
    const look = `hostname; cat /etc/machine-id; stat -c '%U %a' /etc/app/token; cat /etc/app/token; echo
      sudo -u dev cat /home/dev/.ssh/authorized_keys; nproc; df -BM --output=size / | tail -n 1 | tr -d ' '`;
    const [hostname, id, token, content, key, processors, disk] = (await inside('v1', look)).split('\n');
    expect([hostname, token, content, key, processors]).toEqual([
      'guest-1',
      'dev 400',
      's3cret',
      'ssh-ed25519 AAAA dev',
      '1',
    ]);
    expect(id).toBe((await statusOf('v1'))?.id);
    // What ext4 needs for itself is not part of what `df` shows.
    expect(Number.parseInt(disk ?? '', 10)).toBeGreaterThan(3800);
    expect(await statusOf('v1')).toMatchObject({
      kind: 'vm',
      state: 'running',
      diskMebibytes: 4096,
      isDiskLimited: true,
    });
    expect((await engineClient.machineUsage('v1')).memory).toBeGreaterThan(100 * 1024 ** 2);
  });

  test('has a kernel of its own, and the MAC address, address and route of its network card', async () => {
    const kernel = (await inside('v1', 'uname -r')).trim();
    expect(kernel).not.toBe((await run('uname', ['-r'])).trim());
    const link = await inside(
      'v1',
      'ip -br link show eth0; ip -4 -br address show eth0; ip route show default; cat /sys/class/net/eth0/mtu',
    );
    const { mac = '' } = (await statusOf('v1')) ?? {};
    for (const part of [mac, `${address.v1}/24`, 'default via 10.68.0.1 dev eth0', '1500'])
      expect(link).toContain(part);
  });

  test('refuses commands with a terminal, and names the console', async () => {
    const terminal = { columns: 80, rows: 24 };
    const streams = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
    const command = engineClient.exec('v1', { command: ['sh'], terminal }, streams);
    expect(await codesOf(command)).toEqual(['NOVA7111']);
  });
});

describe('the network of a VM', () => {
  const ping = (from: string, to: string, options = '') =>
    inside(from, `ping -c1 -W5 ${options} ${to} >/dev/null && echo yes || echo no`);

  test('reaches its gateway and machines of its network in both directions, and no other network', async () => {
    expect(await ping('v1', '10.68.0.1')).toBe('yes\n');
    expect(await ping('v1', address.c1)).toBe('yes\n');
    expect(await ping('c1', address.v1)).toBe('yes\n');
    expect(await ping('v1', address.other)).toBe('no\n');
    expect(await ping('other', address.v1)).toBe('no\n');
  });

  test('drops packets with a forged source address or MAC address', async () => {
    const forge = (source: string) =>
      `ip address add ${source}/32 dev lo; ping -c1 -W2 -I ${source} ${address.c1} >/dev/null && echo yes; ip address delete ${source}/32 dev lo`;
    for (const source of [address.other, '10.68.0.99', '10.255.0.99'])
      expect(await inside('v1', forge(source))).toBe('');
    const { mac = '' } = (await statusOf('v1')) ?? {};
    const other = `ip link set eth0 address 0a:00:0a:44:00:99; ping -c1 -W2 ${address.c1} >/dev/null && echo yes
      ip link set eth0 address ${mac}; ip route replace default via 10.68.0.1`;
    expect(await inside('v1', other)).toBe('');
    expect(await ping('v1', address.c1)).toBe('yes\n');
  });

  test.for([
    ['v1', 'c1'],
    ['c1', 'v1'],
  ] as const)('carries large and small packets of TCP and UDP from %s to %s', async ([from, to]) => {
    await inside(
      to,
      `systemctl reset-failed; systemd-run -q --unit=tcp socat -u TCP-LISTEN:7000,reuseaddr CREATE:/root/tcp`,
    );
    const listening = `for n in $(seq 100); do ss -ltn | grep -q :7000 && exit 0; sleep 0.1; done; exit 1`;
    await inside(to, listening);
    const sent = await inside(
      from,
      `head -c 8M /dev/urandom > /root/sent; socat -u OPEN:/root/sent TCP:${address[to]}:7000; sha256sum </root/sent`,
    );
    await expect.poll(() => inside(to, 'sha256sum </root/tcp'), { timeout: 60_000 }).toBe(sent);
    // Sizes of datagrams: small, the largest of one packet, fragments, and many packets that one call sends (UDP_SEGMENT).
    const receive = `use Socket; socket(S, PF_INET, SOCK_DGRAM, 0); bind(S, sockaddr_in(7001, INADDR_ANY)); $| = 1;
      open(F, ">", "/root/udp"); select(F); $| = 1; while (defined recv(S, $d, 65535, 0)) { print length($d), "\\n" }`;
    const send = `use Socket; socket(S, PF_INET, SOCK_DGRAM, 0); connect(S, sockaddr_in(7001, inet_aton("${address[to]}")));
      send(S, "x" x $_, 0) for 1, 1472, 8000; setsockopt(S, 17, 103, pack("i", 1200)); send(S, "x" x 12000, 0)`;
    await inside(to, `systemd-run -q --unit=udp perl -e '${receive}'`);
    await inside(to, `for n in $(seq 100); do ss -lun | grep -q :7001 && exit 0; sleep 0.1; done; exit 1`);
    await inside(from, `perl -e '${send}'`);
    await expect
      .poll(() => inside(to, 'sort -n /root/udp | uniq -c | tr -s " " | tr "\\n" ","'), { timeout: 60_000 })
      .toBe(' 1 1, 10 1200, 1 1472, 1 8000,');
    await inside(to, 'systemctl stop udp');
  });
});

describe('QEMU', () => {
  test('runs as a user of its own, without capabilities and with seccomp', async () => {
    const status = await readFile(`/proc/${await pidOf('v1')}/status`, 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1]?.split('\t');
    expect(field('Uid')).toEqual(Array(4).fill('1900000000'));
    expect(field('Gid')).toEqual(Array(4).fill('1900000000'));
    for (const name of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'])
      expect(field(name)).toEqual(['0'.repeat(16)]);
    expect([field('NoNewPrivs'), field('Seccomp')]).toEqual([['1'], ['2']]);
  });

  test('sees its own disks and the image of the hypervisor, and can write nowhere else', async () => {
    const pid = await pidOf('v1');
    const root = `/proc/${pid}/root`;
    expect(await readdir(`${root}/nova/disks`)).toEqual(['root.qcow2']);
    expect(await readdir(`${root}/var/lib`)).not.toContain('nova');
    expect((await readdir(`${root}/dev`)).filter((name) => /sd|vd|mem|kmsg|loop/.test(name))).toEqual([]);
    const mounts = (await readFile(`/proc/${pid}/mounts`, 'utf8')).split('\n').map((line) => line.split(' '));
    // Files of the kernel are masked by empty ones.
    const writable = mounts.filter(([, place, , options]) => options?.startsWith('rw') && !place?.startsWith('/proc'));
    expect(writable.map(([, place = '']) => place).toSorted()).toEqual(['/dev', '/nova/disks', '/nova/run']);
    const own = await readlinks(pid);
    for (const [name, host] of Object.entries(await readlinks(process.pid)))
      if (['mnt', 'net', 'pid', 'ipc', 'uts'].includes(name)) expect(own[name], name).not.toBe(host);
  });

  test('answers a typed error to a command that it refuses', async () => {
    const refused = await withQmp('v1', (qmp) => qmp.execute('device_del', { id: 'absent' })).catch((error) => error);
    expect(refused).toBeInstanceOf(QmpError);
    expect(refused).toMatchObject({ class: 'DeviceNotFound' });
    // One client after another.
    const names = await Promise.all(
      [1, 2, 3].map(() => withQmp('v1', (qmp) => qmp.execute<{ name: string }>('query-name'))),
    );
    expect(names).toEqual(Array(3).fill({ name: 'v1' }));
  });
});

async function readlinks(pid: number): Promise<Record<string, string>> {
  const text = await run('sh', ['-c', `cd /proc/${pid}/ns && for n in *; do echo "$n $(readlink $n)"; done`]);
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  );
}

describe('the consoles of a VM', () => {
  test('the serial console is a shell, for one client at a time', async () => {
    const console = await engineClient.openConsole('v1', 'serial');
    const shown = untilShown(console, /answer-42/);
    expect(await codesOf(engineClient.openConsole('v1', 'serial'))).toEqual(['NOVA7115']);
    console.write('\necho answer-$((6 * 7))\n');
    await shown;
    console.destroy();
    const again = () =>
      engineClient.openConsole('v1', 'serial').then(
        (each) => each.destroy() && 'open',
        () => 'taken',
      );
    await expect.poll(again).toBe('open');
    expect(await engineClient.machineConsole('v1')).toContain('answer-42');
  });

  test('the screen speaks VNC, also for a client with a certificate', async () => {
    const { privateKey, publicKey } = await createKeyPair();
    const { certificate, authority } = await engineClient.createClient('universe', publicKey);
    const remote = createEngineClient({
      ...clientEndpoint(defaultSite),
      ca: authority,
      cert: certificate,
      key: privateKey,
    });
    for (const client of [engineClient, remote]) {
      const console = await client.openConsole('v1', 'screen');
      expect(await untilShown(console, /\n/)).toMatch(/^RFB 003\.00\d\n/);
      console.destroy();
    }
  });

  test('a container has none', async () => {
    expect(await codesOf(engineClient.openConsole('c1', 'screen'))).toEqual(['NOVA7110']);
  });
});

describe('the size of a VM', () => {
  const memory = async () => Number(await inside('v1', `awk '/MemTotal/ {print int($2 / 1024)}' /proc/meminfo`));

  test('grows while it runs', async () => {
    const [booted, had] = [await bootId(), await memory()];
    const resized = await engineClient.resizeMachine('v1', { cpu: 2, memoryMebibytes: 1024, diskMebibytes: 6144 });
    expect(resized).toMatchObject({ cpu: 2, memoryMebibytes: 1024, diskMebibytes: 6144 });
    expect(resized).not.toHaveProperty('untilRestart');
    await expect.poll(() => inside('v1', 'nproc'), { timeout: 60_000 }).toBe('2\n');
    await expect.poll(async () => (await memory()) - had, { timeout: 60_000 }).toBeGreaterThan(200);
    const disk = await inside('v1', 'df -BM --output=size / | tail -n 1');
    expect(Number.parseInt(disk, 10)).toBeGreaterThan(5800);
    expect(await bootId()).toBe(booted);
  });

  test('shrinks at its next start, which its status shows', async () => {
    const untilRestart = { cpu: 2, memoryMebibytes: 1024 };
    expect(await engineClient.resizeMachine('v1', { cpu: 1, memoryMebibytes: 640 })).toMatchObject({
      cpu: 1,
      memoryMebibytes: 640,
      untilRestart,
    });
    expect(await inside('v1', 'nproc')).toBe('2\n');
    expect(await codesOf(engineClient.resizeMachine('v1', { diskMebibytes: 4096 }))).toEqual(['NOVA7085']);
  });
});

test('an engine that restarts adopts a running VM', async () => {
  const [booted, pid] = [await bootId(), await pidOf('v1')];
  process.kill((await runningPid('nova-engine')) ?? 0, 'SIGKILL');
  await engineIsBack();
  expect(await bootId()).toBe(booted);
  expect(await pidOf('v1')).toBe(pid);
});

test(
  'a killed QEMU is started again with the disk and the new size, and the guest is not configured again',
  async () => {
    await inside('v1', 'echo kept > /root/file; echo changed > /etc/hostname; sync');
    process.kill(await pidOf('v1'), 'SIGKILL');
    await expect
      .poll(() => inside('v1', 'cat /root/file /etc/hostname; nproc').catch(() => ''), {
        timeout: bootMilliseconds,
        interval: 1000,
      })
      .toBe('kept\nchanged\n1\n');
    expect(await statusOf('v1')).not.toHaveProperty('untilRestart');
  },
  bootMilliseconds,
);

test(
  'a VM stops its services before it ends, and a reboot from inside starts it again',
  async () => {
    const unit =
      '[Service]\\nType=oneshot\\nRemainAfterExit=yes\\nExecStart=true\\nExecStop=sh -c "echo stopped > /root/stopped"';
    await inside('v1', `printf '${unit}' > /run/systemd/system/last.service; systemctl start last`);
    await engineClient.stopMachine('v1');
    expect(await statusOf('v1')).toMatchObject({ state: 'stopped' });
    expect(await codesOf(engineClient.openConsole('v1', 'serial'))).toEqual(['NOVA7011']);
    // Never a new disk in place of a missing one.
    await rename(disk, `${disk}.away`);
    expect(await codesOf(engineClient.startMachine('v1'))).toEqual(['NOVA7112']);
    await writeFile(disk, Buffer.alloc(1024 * 1024));
    expect(await codesOf(engineClient.startMachine('v1'))).toEqual(['NOVA7112']);
    await rename(`${disk}.away`, disk);
    await engineClient.startMachine('v1');
    expect(await inside('v1', 'cat /root/stopped')).toBe('stopped\n');
    const booted = await bootId();
    await inside('v1', 'systemctl reboot');
    await expect
      .poll(bootId, { timeout: bootMilliseconds, interval: 1000 })
      .toSatisfy((id: string) => id !== '' && id !== booted);
  },
  bootMilliseconds,
);
