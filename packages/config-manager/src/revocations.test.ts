import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { configClient } from '@nova-platform/contracts/config-manager/client';
import { apiClient } from '@nova-platform/http/client';
import { plan } from '@nova-platform/plan/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRequest, refusalOf, type SimulatedAgent } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

const [first, second, worker, neighbour] = ['demo-cp-1', 'demo-cp-2', 'demo-work-1', 'demo-work-2'] as const;
const list = '/etc/nova/kubernetes/authorization.yaml';
const facts = { virtual: 'container_other' };

let server: TestManager;
let agents: Record<string, SimulatedAgent>;
const registrySocket = () => join(server.folder, 'registry-config.sock');

beforeAll(async () => {
  server = await startTestManager({ hasRegistrySocket: true });
  const nodeGroups = [
    { name: 'cp', roles: ['control-plane'], count: 3 },
    { name: 'work', roles: ['infra', 'ingress', 'worker'], count: 2 },
  ];
  await server.approve(plan({ nodeGroups } as Parameters<typeof plan>[0]));
  agents = {};
  for (const name of [first, second, worker, neighbour]) {
    agents[name] = await server.enrolled(name);
    await agentOf(name).catalog(facts);
  }
});
afterAll(() => server.remove());

function agentOf(name: string): SimulatedAgent {
  const agent = agents[name];
  if (!agent) throw new Error(`no agent ${name}`);
  return agent;
}

/** The list of revoked nodes in the catalog of a control plane. */
async function listOf(name: string): Promise<string> {
  const { resources } = await server.client.showCatalog({ params: { name } });
  return String(resources.find(({ title }) => title === list)?.parameters.content);
}

async function certificateOf(node: string, name: string, commonName: string): Promise<X509Certificate> {
  const { request } = await createRequest('any', { subject: `CN = ${commonName}` });
  const { body } = await agentOf(node).send('POST', `/nova/v1/nodes/${node}/certificates/${name}`, {
    body: request,
    headers: { 'content-type': 'text/plain' },
  });
  return new X509Certificate(body);
}

const groupOf = ({ subject }: X509Certificate) => /O=(nova:enrolment:\w+)/.exec(subject)?.[1] ?? 'none';

/** Runs the agent of a control plane once, on the next order. */
async function runOnce(name: string): Promise<string> {
  const { kind, id } = await agentOf(name).order(20);
  const log = agentOf(name).openLog(id);
  log.write('exit 2\n');
  await log.end();
  return kind;
}

describe('a revoked node', () => {
  test('is denied by every control plane with all certificates of its enrolment, and nothing else changes', async () => {
    const proxy = groupOf(await certificateOf(worker, 'kube-proxy', 'system:kube-proxy'));
    const kubelet = groupOf(await certificateOf(worker, 'kubelet-client', `system:node:${worker}`));
    const other = groupOf(await certificateOf(neighbour, 'kube-proxy', 'system:kube-proxy'));
    expect(kubelet).toBe(proxy);
    expect(other).not.toBe(proxy);
    expect(await listOf(first)).not.toContain('Webhook');
    const before = await server.client.showCatalog({ params: { name: first } });

    const runs = Promise.all([runOnce(first), runOnce(second)]);
    const answer = await server.client.revokeNode({ params: { name: worker } });
    expect(await runs).toEqual(['run', 'run']);
    expect({ ...answer, denied: answer.denied.toSorted() }).toEqual({
      denied: [first, second],
      waiting: [],
      unable: [],
    });
    for (const name of [first, second]) {
      expect(await listOf(name)).toContain(`"system:node:${worker}"`);
      expect(await listOf(name)).toContain(proxy);
      expect(await listOf(name)).not.toContain(other);
      expect((await server.client.showNode({ params: { name } })).pending).toBe(0);
    }
    const after = await server.client.showCatalog({ params: { name: first } });
    const rest = ({ resources }: typeof after) => resources.filter(({ title }) => title !== list);
    expect(rest(after)).toEqual(rest(before));
    const refused = await agentOf(worker).send('POST', `/nova/v1/nodes/${worker}/certificates/kube-proxy`);
    expect(refusalOf(refused)).toBe('403 NOVA8020');
  });

  test('is accepted with new certificates when it enrols again; those of the earlier enrolment stay denied', async () => {
    const [revoked] = /nova:enrolment:\w+/.exec(await listOf(first)) ?? [];
    agents[worker] = await server.enrolled(worker);
    await expect.poll(() => listOf(first)).not.toContain(`system:node:${worker}`);
    expect(await listOf(first)).toContain(revoked);
    const current = groupOf(await certificateOf(worker, 'kube-proxy', 'system:kube-proxy'));
    expect(current).not.toBe(revoked);
    expect(await listOf(first)).not.toContain(current);
  });

  test('is denied as soon as control planes connect, even after a restart', async () => {
    await server.manager.services.enrolment.revoke(neighbour);
    // Killed before any control plane was informed.
    await server.restart();
    await expect.poll(() => listOf(second)).toContain(`system:node:${neighbour}`);
    expect(await runOnce(second)).toBe('run');
    const { waiting } = await server.manager.services.revocations.publish(neighbour, 10);
    expect(waiting).toContain(first);
  });
});

describe('the registry socket', () => {
  test('reports valid identities at once, and no longer reports revoked or deleted ones', async () => {
    const serialOf = (agent: SimulatedAgent) => new X509Certificate(agent.identity?.certificate ?? '').serialNumber;
    let last: string[] = [];
    const ended = configClient(registrySocket())
      .watchIdentities({}, ({ serials }) => {
        last = serials;
      })
      .catch(() => undefined);
    const [one, two] = [await server.enrolled('one'), await server.enrolled('two')];
    await expect.poll(() => last).toEqual(expect.arrayContaining([serialOf(one), serialOf(two)]));
    await server.client.revokeNode({ params: { name: 'one' } });
    await expect.poll(() => last).not.toContain(serialOf(one));
    expect(last).toContain(serialOf(two));
    await server.manager.services.catalogs.forgetNode('two');
    await expect.poll(() => last).not.toContain(serialOf(two));
    await server.restart();
    await ended;
  });

  test('ends a watch when the registry stops', async () => {
    const stopping = new AbortController();
    const isReported = Promise.withResolvers<void>();
    const ended = configClient(registrySocket()).watchIdentities({}, () => isReported.resolve(), stopping.signal);
    await isReported.promise;
    stopping.abort();
    await expect(ended).rejects.toThrow();
  });

  test('serves no other call except the one for the registry certificate', async () => {
    const { call } = apiClient({ socketPath: registrySocket() }, (error) => error);
    const { paths } = await call<{ paths: object }>('GET', '/v1/openapi.json');
    expect(Object.keys(paths)).toEqual(['/v1/server-certificates', '/v1/identities']);
  });
});
