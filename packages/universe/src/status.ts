import { readFile, statfs } from 'node:fs/promises';
import { get } from 'node:http';
import { ProblemError, problem } from '@nova-platform/api';
import type { Status } from '@nova-platform/contracts/universe';
import { apiClient } from '@nova-platform/http/client';
import { shortened } from '@nova-platform/kubernetes';
import { operationCounts } from './metrics.ts';
import { release } from './release.ts';
import type { Parts } from './universe.ts';

const requestTimeout = 2000;
const maxShown = 100;

type Service = Status['services'][number];

/** The status of all parts, queried in parallel. */
export function statusOf(
  parts: Omit<Parts, 'status'>,
  { data, resolverHealthPort }: { data: string; resolverHealthPort: number },
): () => Promise<Status> {
  const { journal, config, registry, gitSocket, engine, clusters } = parts;
  const startedAt = new Date().toISOString();
  return async () => {
    const { bavail, blocks, bsize } = await statfs(data);
    const [services, clusterCount, nodeCount, operations, certificates, machines] = await Promise.all([
      Promise.all([
        check('store', () => journal.last().then(noVersion)),
        check('configuration manager', () => config.services.authorities.fingerprint().then(noVersion)),
        check('registry', () => registry.access().then(noVersion)),
        check('resolver', () => answers(`http://127.0.0.1:${resolverHealthPort}/health`).then(noVersion)),
        check('git', () => gitVersion(gitSocket)),
        check('engine', async () => (await engine.client().health()).version),
      ]),
      clusters.count(),
      config.services.nodes.count(),
      operationCounts(journal),
      config.services.serviceCertificates.overdue(1000),
      inTime(async () => engine.client().machines()).catch(() => []),
    ]);
    // A node that is off renews its certificates when it boots.
    const off = new Set(machines.filter(({ state }) => state !== 'running').map(({ name }) => name));
    // Nodes do not renew certificates that their plan no longer lists.
    const ofServices = certificates.filter(({ purpose }) => purpose === 'service').map(({ node }) => node);
    const plans = await config.services.catalogs.plans.ofNodes(ofServices);
    const planned = new Set(plans.flatMap((plan) => plan.certificates.map(({ node, name }) => `${node} ${name}`)));
    return {
      version: release,
      startedAt,
      services,
      disk: { totalBytes: blocks * bsize, freeBytes: bavail * bsize },
      memoryBytes: await residentBytes(),
      counts: {
        clusters: clusterCount,
        nodes: nodeCount,
        runningOperations: operations.get('running') ?? 0,
        failedOperations: operations.get('failed') ?? 0,
      },
      endingCertificates: [
        ...(engine.notAfter && engine.isOverdue ? [{ name: 'engine', notAfter: engine.notAfter.toISOString() }] : []),
        ...certificates
          .filter(({ node, name, purpose }) => purpose === 'identity' || planned.has(`${node} ${name}`))
          .filter(({ node }) => !off.has(node))
          .slice(0, maxShown)
          .map(({ name, node, notAfter }) => ({ name, node, notAfter: notAfter.toISOString() })),
      ],
      ...updatesOf(machines),
    };
  };
}

interface CheckedMachine {
  name: string;
  updates?: { checkedAt: string; security: string[] };
}

/** The results of the engine's last image check for its machines. */
export function updatesOf(machines: readonly CheckedMachine[]): Pick<Status, 'updates' | 'findings'> {
  const [checkedAt] = machines.flatMap(({ updates }) => updates?.checkedAt ?? []);
  const outdated = machines.flatMap(({ name, updates }) =>
    updates && updates.security.length > 0 ? [{ name, security: updates.security }] : [],
  );
  const own = outdated.find(({ name }) => name === 'universe');
  return {
    updates: { ...(checkedAt && { checkedAt }), machines: outdated },
    findings: own ? [{ severity: 'warning', chain: [problem('NOVA8372', { packages: shortened(own.security) })] }] : [],
  };
}

const noVersion = () => undefined;

async function check(name: string, request: () => Promise<string | undefined>): Promise<Service> {
  try {
    const version = await inTime(request);
    return { name, isReady: true, ...(typeof version === 'string' && { version }) };
  } catch (error) {
    const reason = (error as Error).message;
    const problems = error instanceof ProblemError && { problems: [...error.problems] };
    return { name, isReady: false, reason, ...problems };
  }
}

/** Rejects after a deadline. */
async function inTime<T>(request: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no response')), requestTimeout);
  return Promise.race([request(), late]).finally(() => clearTimeout(timer));
}

async function gitVersion(socketPath: string): Promise<string> {
  const { call } = apiClient({ socketPath }, () => new ProblemError(problem('NOVA8450', {})));
  return (await call<{ version: string }>('GET', '/version')).version;
}

function answers(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      response.resume();
      if (response.statusCode === 200) resolve();
      else reject(new Error(`HTTP ${response.statusCode}`));
    }).once('error', reject);
  });
}

async function residentBytes(): Promise<number> {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(await readFile('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
