import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { configSite } from '../e2e/config-site.ts';
import { novaCtl, onHost, sh } from './host.ts';
import { result, statistics } from './measure.ts';

/** Maximum milliseconds of the 99th percentile for a list of a thousand machines. */
const listGoal = 200;
/** Maximum seconds of a snapshot of a running VM that has written a gibibyte. */
const snapshotGoal = 2;
const lists = 200;
const rounds = 3;
const machineCount = 1000;
const written = 1024 ** 3;
const transferSeconds = 8;

const shell = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'nova-bench-vms-'));
const inside = (machine: string, script: string) => novaCtl('machine', 'exec', machine, '--', 'sh', '-c', script);
const manifest = `apiVersion: config.nova-platform.io/v1alpha4
kind: Infrastructure
metadata: { name: cluster }
spec:
  provider: { type: local }
  nodeGroups:
    - { name: main, roles: [control-plane, infra, ingress] }
    - { name: work, count: 2, roles: [worker] }
  clusterConfiguration: { dnsBaseDomain: demo.nova.local, nodeNetwork: 10.43.0.0/24 }
`;

try {
  await onHost(async () => {
    await boots();
    await throughput();
    await snapshots();
    await engineMemory();
    await listing();
  });
} finally {
  rmSync(folder, { recursive: true });
}

/** From nothing until the machine has applied its catalog and reported it: a container and a VM with the same catalog. */
async function boots(): Promise<void> {
  const site = configSite(folder);
  await site.prepare();
  await site.startServer();
  try {
    writeFileSync(join(folder, 'cluster.yaml'), manifest);
    await site.config('config', 'apply', '-f', join(folder, 'cluster.yaml'), '--yes');
    for (const [name, image, address] of [
      ['demo-work-1', 'kubernetes-node', '10.43.0.11'],
      ['demo-work-2', 'kubernetes-vm', '10.43.0.12'],
    ] as const) {
      const started = performance.now();
      await site.createMachine({ name, image, address });
      const booted = seconds(started);
      while (!(await site.lastReport(name))) await sleep(100);
      console.log(`${image}: booted after ${booted} s, first report after ${seconds(started)} s`);
      await engineClient.deleteMachine(name);
    }
  } finally {
    await site.stopServer();
  }
}

/**
 * TCP from a VM: through OVN to another machine, and to the end of its own tap on a plain bridge. Emulation limits both.
 */
async function throughput(): Promise<void> {
  await engineClient.createNetwork('bench', '10.60.0.0/24');
  await Promise.all([
    engineClient.createMachine({ name: 'peer', image: 'node', network: 'bench', address: '10.60.0.11' }),
    engineClient.createMachine({
      name: 'vm',
      image: 'vm',
      network: 'bench',
      address: '10.60.0.12',
      memoryMebibytes: 1024,
    }),
  ]);
  const network = 'nova-m-vm';
  const bridge = sh(`ip -n ${network} -o link show type bridge`).split(': ')[1] ?? '';
  const beside = '10.60.0.250';
  sh(`ip -n ${network} address add ${beside}/24 dev ${bridge}; ip -n ${network} link set ${bridge} up`);
  const pid = readFileSync('/var/lib/nova/machines/peer/pid', 'utf8').trim();
  const receive = `timeout ${transferSeconds + 4} socat -u -b 262144 TCP-LISTEN:7300,reuseaddr - | wc -c`;
  const send = (address: string) =>
    `timeout ${transferSeconds} socat -u -b 262144 OPEN:/dev/zero TCP:${address}:7300,retry=20,interval=0.2`;
  const megabits = async (address: string, namespace: string) => {
    const enter = `nsenter --mount=/proc/${pid}/ns/mnt --net=${namespace}`;
    const receiving = shell('bash', ['-c', `${enter} sh -c '${receive}'`]);
    await inside('vm', `${send(address)}; true`);
    const bytes = Number((await receiving).stdout);
    return (bytes * 8) / transferSeconds / 1e6;
  };
  const samples = { ovn: [] as number[], bridge: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    samples.ovn.push(await megabits('10.60.0.11', `/proc/${pid}/ns/net`));
    samples.bridge.push(await megabits(beside, `/run/netns/${network}`));
  }
  for (const [name, of] of Object.entries(samples)) {
    const { median, min, max } = statistics(of);
    console.log(`VM → ${name}: median ${median.toFixed(0)} Mbit/s, min ${min.toFixed(0)}, max ${max.toFixed(0)}`);
  }
}

async function snapshots(): Promise<void> {
  await inside('vm', `head -c ${written} /dev/urandom >/root/data; sync`);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const { isFrozen } = await engineClient.createSnapshot('vm', { name: `s${round}` });
    times.push((performance.now() - started) / 1000);
    if (!isFrozen) console.log('  the file systems were not frozen');
  }
  const { median, min, max } = statistics(times);
  console.log(`snapshot of a running VM: min ${min.toFixed(2)} s, max ${max.toFixed(2)} s`);
  result('vms-snapshot-1gib', `${median.toFixed(2)}s`, `<=${snapshotGoal}s`, median <= snapshotGoal);
  await Promise.all(['vm', 'peer'].map((name) => engineClient.deleteMachine(name)));
}

/** With 200 machines defined and 10 running. */
async function engineMemory(): Promise<void> {
  const before = engineMegabytes();
  await define(0, 190);
  for (let index = 0; index < 10; index += 1)
    await engineClient.createMachine({ name: `runs-${index}`, image: 'node', memoryMebibytes: 128 });
  await sleep(5000);
  console.log(`engine: ${before} MB at first, ${engineMegabytes()} MB with 200 machines, 10 of them running`);
}

async function listing(): Promise<void> {
  await define(190, machineCount - 10);
  await novaCtl('host', 'ovirt', 'enable');
  sh(`echo bench-password-1 | ./nova-ctl host ovirt user add bench@internal --role ReadOnlyAdmin`);
  const body = 'grant_type=password&scope=ovirt-app-api&username=bench%40internal&password=bench-password-1';
  const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const signedIn = await ovirt('POST', '/ovirt-engine/sso/oauth/token', form, body);
  const { access_token: token } = JSON.parse(signedIn) as { access_token: string };
  const headers = { authorization: `Bearer ${token}`, version: '4', accept: 'application/xml' };
  const times: number[] = [];
  for (let index = 0; index < lists; index += 1) {
    const started = performance.now();
    const text = await ovirt('GET', '/ovirt-engine/api/vms', headers);
    times.push(performance.now() - started);
    const found = text.split('<vm ').length - 1;
    if (found < machineCount) throw new Error(`${found} machines in the list`);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
  console.log(`list of ${machineCount} machines: median ${at(0.5).toFixed(0)} ms, max ${at(1).toFixed(0)} ms`);
  result('vms-ovirt-list-1000-p99', `${at(0.99).toFixed(0)}ms`, `<=${listGoal}ms`, at(0.99) <= listGoal);
}

async function define(from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1)
    await engineClient.createMachine({ name: `defined-${index}`, image: 'vm', memoryMebibytes: 512, isStarted: false });
}

/** A request to the oVirt API of this host; other statuses than 200 are errors. */
function ovirt(method: string, path: string, headers: Record<string, string>, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { host: '172.30.0.1', port: 8443, method, path, headers, rejectUnauthorized: false };
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function engineMegabytes(): number {
  const { pid } = JSON.parse(readFileSync('/run/nova/services/nova-engine.json', 'utf8')) as { pid: number };
  const [, kibibytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kibibytes) / 1024);
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
