import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change } from '@nova-platform/change';
import { isEmpty, summaryOf } from '@nova-platform/change/view';
import { engineClient } from '@nova-platform/contracts/engine/client';
import type { Operation } from '@nova-platform/contracts/universe/client';
import { waitUntil } from '@nova-platform/process';
import { universeOf } from '../packages/cli/src/universe.ts';
import { platformOf } from './platform.ts';

// Applies pairs of manifests on real machines: the previewed changes happen, and a second preview is empty.

const cluster = 'pairs';
const params = { cluster };
const longest = 10 * 60_000;

interface Shape {
  machineKind?: 'container' | 'vm';
  workers?: number;
  cpu?: number;
  memory?: string;
  labels?: Record<string, string>;
  taints?: { key: string; value?: string; effect: string }[];
  /** A DNS name of the API. */
  fqdn?: string;
}

/** Each shape forms a pair with the previous one; the first with nothing. The others keep its kind of machines. */
const shapes: Shape[] = [
  { machineKind: 'container' },
  { workers: 1 },
  { workers: 1, labels: { tier: 'gold' } },
  { workers: 1, labels: { tier: 'silver' }, memory: '3Gi' },
  { workers: 1, memory: '2Gi', cpu: 1 },
  { workers: 1, cpu: 2, taints: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }] },
  { workers: 1, fqdn: `api.${cluster}.nova.local` },
  { workers: 0, fqdn: `api.${cluster}.nova.local` },
  { workers: 1, memory: '3Gi', labels: { tier: 'gold' } },
  {},
];

function documentsOf({
  machineKind,
  workers = 0,
  cpu = 2,
  memory = '2Gi',
  labels = {},
  taints = [],
  fqdn,
}: Shape): string {
  return JSON.stringify({
    apiVersion: 'config.nova-platform.io/v1alpha4',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    spec: {
      provider: { type: 'local', machineKind },
      nodeGroups: [
        { name: 'main', roles: ['control-plane', 'infra', 'ingress', 'worker'], cpu: 2, memory: '2Gi' },
        { name: 'work', roles: ['worker'], count: workers, cpu, memory, labels, taints },
      ],
      clusterConfiguration: {
        dnsBaseDomain: `${cluster}.nova.local`,
        nodeNetwork: '10.48.0.0/24',
        delivery: 'none',
        ...(fqdn !== undefined && { k8sAPIDefaultFqdn: fqdn }),
      },
    },
  });
}

/** The expected machines after a change, from those before and the listed changes. */
function expectedAfter({ machines }: Change, before: ReadonlyMap<string, string>): Map<string, string> {
  const after = new Map(before);
  for (const each of machines) {
    if (each.action === 'remove') after.delete(each.name);
    else if (each.action !== 'start')
      after.set(each.name, `${each.machineKind}, ${each.size.cpu} CPU, ${inMebibytes(each.size.memory)} MiB`);
  }
  return after;
}

const inMebibytes = (memory: string): number => Number.parseInt(memory, 10) * 1024;

async function machinesThere(): Promise<Map<string, string>> {
  const machines = (await engineClient.machines()).filter(({ network }) => network === cluster);
  return new Map(
    machines.map(({ name, kind, cpu, memoryMebibytes }) => [name, `${kind}, ${cpu} CPU, ${memoryMebibytes} MiB`]),
  );
}

const sorted = (machines: ReadonlyMap<string, string>): string =>
  [...machines]
    .map(([name, size]) => `${name} ${size}`)
    .toSorted()
    .join();

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'nova-pairs-'));
  const { done } = platformOf(home);
  let [passed, failed] = [0, 0];
  try {
    await done('up', '--no-cluster');
    await done('registry', 'import', 'pause', 'coredns');
    await done('image', 'build', 'kubernetes-node');
    const { stdin, stdout, stderr } = process;
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config'), NOVA_CONTEXT: '' };
    const { client } = universeOf({
      stdin,
      stdout,
      stderr,
      env,
      cwd: process.cwd(),
      untilStopped: async () => undefined,
    });
    const ended = async (id: number): Promise<Operation> => {
      const operation = () => client.showOperation({ params: { id } });
      await waitUntil(async () => ((await operation()).state === 'running' ? id : undefined), {
        every: 500,
        within: longest,
        expired: () => new Error(`operation ${id} does not end`),
      });
      return operation();
    };
    for (const [index, shape] of shapes.entries()) {
      const body = { documents: documentsOf(shape) };
      const complaints: string[] = [];
      const before = await machinesThere();
      const { change, digest } = await client.previewCluster({ params, body });
      const { operation } = await client.declareCluster({ params, body: { ...body, digest } });
      const { state, failure } = operation ? await ended(operation.id) : { state: 'done' as const, failure: undefined };
      if (state !== 'done') complaints.push(`the operation is ${state}: ${JSON.stringify(failure)}`);
      const [expected, there] = [expectedAfter(change, before), await machinesThere()];
      if (sorted(expected) !== sorted(there))
        complaints.push(`machines: ${sorted(there)}, listed: ${sorted(expected)}`);
      const { change: second } = await client.previewCluster({ params, body });
      if (!isEmpty(second)) complaints.push(`a second preview: ${summaryOf(second).en}`);
      if (complaints.length === 0) passed += 1;
      else failed += 1;
      console.log(
        `${index + 1}/${shapes.length} ${complaints.length === 0 ? 'ok' : complaints.join('; ')}: ${summaryOf(change).en}`,
      );
    }
  } finally {
    await done('down', '--purge', '--yes').catch(console.error);
    rmSync(home, { recursive: true });
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0 || passed < shapes.length) process.exitCode = 1;
}

if (import.meta.main) await main();
