import { engineClient } from '@nova-platform/contracts/engine/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { novaCtl } from './nova-ctl.ts';

/** VMs and containers in the same and in different networks; `universe` is a container of the integration network. */
const machines = {
  universe: { network: 'integration', address: '10.255.0.10', image: 'node' },
  a1: { network: 'a', address: '10.41.0.11', image: 'node' },
  avm: { network: 'a', address: '10.41.0.12', image: 'vm' },
  b1: { network: 'b', address: '10.42.0.11', image: 'node' },
  bvm: { network: 'b', address: '10.42.0.12', image: 'vm' },
};
type Name = keyof typeof machines;
const names = Object.keys(machines) as Name[];

const inside = async (machine: Name, command: string) =>
  (await novaCtl(['machine', 'exec', machine, '--', 'sh', '-c', command])).stdout;

beforeAll(async () => {
  for (const args of [
    ['host', 'up'],
    ['network', 'create', 'a', '--cidr', '10.41.0.0/24'],
    ['network', 'create', 'b', '--cidr', '10.42.0.0/24'],
  ])
    expect(await novaCtl(args), args.join(' ')).toMatchObject({ exitCode: 0 });
  await Promise.all(
    names.map((name) =>
      engineClient.createMachine({ name, ...machines[name], memoryMebibytes: 512 }).catch((error: unknown) => {
        throw new Error(`${name}: ${String(error)}`);
      }),
    ),
  );
  for (const name of names) {
    await inside(name, `systemd-run --unit=tcp socat -t5 TCP-LISTEN:7000,fork,reuseaddr "EXEC:/bin/echo ${name}"`);
    // It reads the datagram: socat loses the response of a program that ends before.
    await inside(name, `systemd-run --unit=udp socat -t5 UDP-RECVFROM:7000,fork "SYSTEM:read line; echo ${name}"`);
  }
});

afterAll(async () => {
  await novaCtl(['host', 'down']);
});

const mayReach = (from: Name, to: Name) =>
  machines[from].network === machines[to].network ||
  machines[from].network === 'integration' ||
  machines[to].network === 'integration';

// An emulated peer needs seconds to start its program.
const probes = {
  ICMP: (address: string) => `ping -c2 -W3 ${address} >/dev/null && echo yes`,
  TCP: (address: string) =>
    `timeout 20 socat -t15 -T15 - TCP:${address}:7000,connect-timeout=4 </dev/null | grep -q . && echo yes`,
  UDP: (address: string) =>
    `for wait in 2 4 8; do echo x | timeout 20 socat -t$wait - UDP:${address}:7000 | grep -q . && echo yes && break; done`,
};

describe.each(Object.entries(probes))('%s', (_protocol, probe) => {
  test('reaches exactly the specified pairs of VMs and containers', async () => {
    // In rounds, so that each machine serves one peer at a time.
    const pairs: { from: Name; to: Name }[] = [];
    const found: string[] = [];
    for (const round of [1, 2, 3, 4]) {
      const now = names.map((from, index) => ({ from, to: names[(index + round) % names.length] ?? from }));
      const probed = now.map(
        async ({ from, to }) => `${from} → ${to}: ${(await inside(from, probe(machines[to].address))).trim() || 'no'}`,
      );
      pairs.push(...now);
      found.push(...(await Promise.all(probed)));
    }
    expect(found).toEqual(pairs.map(({ from, to }) => `${from} → ${to}: ${mayReach(from, to) ? 'yes' : 'no'}`));
  });
});

test('packets of a VM with a forged source address or MAC address are dropped', async () => {
  const ping = (source: string) => `ping -c1 -W3 -I ${source} ${machines.a1.address} >/dev/null && echo yes`;
  const card = `$(ip -o route get ${machines.a1.address} | grep -o 'dev [^ ]*' | cut -d' ' -f2)`;
  for (const source of ['10.255.0.99', machines.bvm.address, '10.41.0.99'])
    expect(
      await inside('avm', `ip address add ${source}/32 dev lo; ${ping(source)}; ip address delete ${source}/32 dev lo`),
      source,
    ).toBe('');
  expect(
    await inside(
      'avm',
      `card=${card}; own=$(cat /sys/class/net/$card/address); ip link set $card address 0a:00:0a:29:00:0b; ${ping(machines.avm.address)}; ip link set $card address $own; true`,
    ),
  ).toBe('');
  expect(await inside('avm', ping(machines.avm.address))).toBe('yes\n');
});

test('large and small packets of a VM pass over TCP and UDP', async () => {
  const receive = 'systemd-run --unit=sink --collect socat -u TCP-LISTEN:7001,reuseaddr OPEN:/tmp/received,creat,trunc';
  for (const [from, to] of [
    ['avm', 'a1'],
    ['a1', 'avm'],
  ] as const) {
    await inside(to, receive);
    await inside(from, `head -c 20000000 /dev/zero | timeout 90 socat -u - TCP:${machines[to].address}:7001,retry=5`);
    expect(await inside(to, 'sleep 1; stat -c %s /tmp/received; rm /tmp/received'), `${from} → ${to}`).toBe(
      '20000000\n',
    );
    // The largest datagrams that fit into a packet, and ones that need fragments.
    for (const size of [10, 1400, 8000])
      expect(
        await inside(from, `ping -c2 -W5 -s ${size} ${machines[to].address} >/dev/null && echo yes`),
        `${from} → ${to}, ${size} bytes`,
      ).toBe('yes\n');
  }
});
