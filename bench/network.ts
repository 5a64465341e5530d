import { readFileSync } from 'node:fs';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { novaCtl, onHost, sh } from './host.ts';
import { line, result, type Statistics, statistics } from './measure.ts';

/** Minimum TCP throughput between two machines on OVN, relative to a plain Linux bridge. */
const throughputGoal = 0.5;
/** A change with a hundred networks takes at most this many times as long as with three. */
const changeGoal = 10;
const rounds = 5;

const inside = (machine: string, script: string) => novaCtl('machine', 'exec', machine, '--', 'sh', '-c', script);

await onHost(async () => {
  await novaCtl('image', 'build', 'node');
  await novaCtl('network', 'create', 'bench', '--cidr', '10.60.0.0/24');
  for (const [name, address] of [
    ['one', '10.60.0.11'],
    ['two', '10.60.0.12'],
  ] as const) {
    await engineClient.createMachine({ name, image: 'node', network: 'bench', address, memoryMebibytes: 256 });
  }
  await throughput();
  await recovery();
  await changes();
});

/** Interleaved with two namespaces on a Linux bridge; counts the bytes that arrive within two seconds. */
async function throughput(): Promise<void> {
  const bridge = 'nova-bench';
  sh(`ip link add ${bridge} type bridge; ip link set ${bridge} up
    for i in 1 2; do ip netns add ${bridge}$i; ip link add nova-b$i type veth peer name eth0 netns ${bridge}$i
    ip link set nova-b$i master ${bridge} up; ip -n ${bridge}$i address add 10.61.0.$i/24 dev eth0; ip -n ${bridge}$i link set eth0 up; done`);
  // The same programs on both sides, from a machine's image, outside the machines' limits.
  const pid = (machine: string) => readFileSync(`/var/lib/nova/machines/${machine}/pid`, 'utf8').trim();
  const receive = 'timeout 4 socat -u -b 262144 TCP-LISTEN:7300,reuseaddr - | wc -c';
  const send = (address: string) => `sleep 0.5; timeout 2 socat -u -b 262144 OPEN:/dev/zero TCP:${address}:7300`;
  const transfer = (from: string, to: string, address: string) => {
    const enter = (network: string) => `nsenter --mount=/proc/${pid('one')}/ns/mnt --net=${network} sh -c`;
    return sh(`${enter(to)} '${receive}' & ${enter(from)} '${send(address)}'; wait`);
  };
  const gigabits = (bytes: string) => (Number(bytes) * 8) / 2 / 1e9;
  const samples = { ovn: [] as number[], bridge: [] as number[] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      samples.ovn.push(gigabits(transfer(`/proc/${pid('one')}/ns/net`, `/proc/${pid('two')}/ns/net`, '10.60.0.12')));
      samples.bridge.push(gigabits(transfer(`/run/netns/${bridge}1`, `/run/netns/${bridge}2`, '10.61.0.2')));
    }
  } finally {
    sh(`for i in 1 2; do ip netns delete ${bridge}$i; done; ip link delete ${bridge}`);
  }
  const [ovn, plain] = [statistics(samples.ovn), statistics(samples.bridge)];
  const show = (name: string, { median, min, max }: Statistics) =>
    console.log(`${name}: median ${median.toFixed(1)} Gbit/s, min ${min.toFixed(1)}, max ${max.toFixed(1)}`);
  show('OVN', ovn);
  show('Linux bridge', plain);
  const ratio = ovn.median / plain.median;
  result('network-throughput-vs-bridge', `${ratio.toFixed(2)}x`, `>=${throughputGoal}x`, ratio >= throughputGoal);
}

/** From `kill -9` until a new connection works. */
async function recovery(): Promise<void> {
  await inside('two', 'systemd-run --quiet --unit=answer socat TCP-LISTEN:7301,fork,reuseaddr EXEC:"/bin/echo yes"');
  const works = async () =>
    (
      await inside('one', 'timeout 2 socat -T1 - TCP:10.60.0.12:7301,connect-timeout=1 </dev/null').catch(() => '')
    ).includes('yes');
  for (const service of [
    'nova-vswitchd',
    'nova-controller',
    'nova-northd',
    'nova-northbound-db',
    'nova-southbound-db',
    'nova-vswitch-db',
    'nova-engine',
  ]) {
    const { pid } = JSON.parse(readFileSync(`/run/nova/services/${service}.json`, 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    const started = performance.now();
    while (!(await works()));
    console.log(`${service} killed: connections work after ${((performance.now() - started) / 1000).toFixed(1)} s`);
    await new Promise((wake) => setTimeout(wake, 3000));
  }
}

/** From a declared change, here a name, until the machine resolves it; with 3 and with 100 networks. */
async function changes(): Promise<void> {
  const measureChange = async (): Promise<Statistics> => {
    const samples: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const name = `n${round}-${samples.length}.bench.internal`;
      const started = performance.now();
      await engineClient.changeNetwork('bench', { names: [{ name, addresses: ['10.60.0.99'] }] });
      while (
        !(await inside('one', `dig +short +time=1 +tries=1 @192.0.2.53 ${name}`).catch(() => '')).includes('10.60.0.99')
      );
      samples.push(performance.now() - started);
    }
    return statistics(samples);
  };
  for (const index of [1, 2]) await engineClient.createNetwork(`few${index}`, `10.62.${index}.0/24`);
  const few = await measureChange();
  for (let index = 1; index <= 97; index += 1) await engineClient.createNetwork(`many${index}`, `10.63.${index}.0/24`);
  const many = await measureChange();
  console.log(line('a change with 3 networks', few));
  console.log(line('a change with 100 networks', many));
  const ratio = many.median / few.median;
  result('network-change-100-vs-3', `${ratio.toFixed(1)}x`, `<=${changeGoal}x`, ratio <= changeGoal);
}
