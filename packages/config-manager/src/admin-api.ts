import { createPublicKey } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import { type Catalog, type ClusterSecrets, enrolmentConfig, Sensitive } from '@nova-platform/catalog';
import { changeOf, differenceOf, digestOf } from '@nova-platform/change';
import { configContract, type NodeStatus, type ShownResource } from '@nova-platform/contracts/config-manager';
import { createHttpApi, type Handlers, type HttpApi, serve } from '@nova-platform/http';
import type { ClusterPlan } from '@nova-platform/plan';
import type { CatalogPreview } from './catalogs.ts';
import type { Services } from './manager.ts';

/** Milliseconds. An idle agent polls for orders all the time. */
const revocationPatience = 5000;

/** The API for commands of users. Only the owner of the socket can connect. */
export async function createAdminApi(services: Services): Promise<HttpApi> {
  const { registry } = services.metrics;
  const api = await createHttpApi({ title: 'Nova Configuration Manager', bodyLimit: 64 * 1024 * 1024 });
  serve(api, configContract, configHandlers(services));
  api.get('/v1/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  return api;
}

/** The server that mounts these handlers authorizes requests. */
export function configHandlers(services: Services): Handlers<typeof configContract> {
  const { agents, authorities, enrolment, identities, revocations, catalogs, nodes, reports, orders, manager, sealer } =
    services;

  /**
   * The changes of approving a plan. Nodes fetch catalogs by themselves: catalogs that they have not applied yet do not
   * count.
   */
  function changeBetween(
    current: ClusterPlan | undefined,
    { plan, secrets }: { plan: ClusterPlan; secrets: ClusterSecrets },
    nodes: readonly CatalogPreview[],
  ) {
    const change = changeOf({
      plan,
      current,
      isNew: current === undefined,
      documents: [],
      catalogs: nodes.map((each) => ({ ...each, isCurrent: true })),
      objects: { before: [], after: [] },
    });
    const hidden = sealer.fingerprint(JSON.stringify(secrets), `plan/${plan.cluster.name}`);
    return { change, digest: digestOf(plan, change, hidden) };
  }

  const withAsking = (status: NodeStatus) => ({ ...status, isAsking: orders.isAsking(status.name) });
  return {
    health: async () => ({ status: 'ok', fingerprint: manager.fingerprint }),
    createToken: async ({ body: { node, lifetimeSeconds } }) => {
      const { token, expiresAt } = await enrolment.createToken(node, lifetimeSeconds);
      const plan = await catalogs.planOf(node);
      const resolver = plan?.network.kind === 'sdn' ? plan.network.integration.universe.address : undefined;
      return {
        node,
        token,
        expiresAt: expiresAt.toISOString(),
        server: `${manager.name}:${manager.port}`,
        fingerprint: manager.fingerprint,
        isPlanned: plan !== undefined,
        cloudConfig: enrolmentConfig({ node, token, manager, resolver }),
      };
    },

    listPlans: () => catalogs.plans.checked(),
    previewPlan: async ({ body }) => {
      const { plan } = body;
      const current = await catalogs.planBefore(plan);
      return changeBetween(current, body, await catalogs.preview(plan, body.secrets));
    },
    approvePlan: async ({ body }) => {
      const { plan } = body;
      const current = await catalogs.planBefore(plan);
      let approved: ReturnType<typeof changeBetween> | undefined;
      await catalogs.apply(plan, body.secrets, (nodes) => {
        approved = changeBetween(current, body, nodes);
        if (body.digest !== undefined && body.digest !== approved.digest)
          throw new ProblemError(problem('NOVA8017', { difference: differenceOf(undefined, approved.change) }));
      });
      return approved ?? changeBetween(current, body, []);
    },

    certifyServer: async ({ body }) => {
      if (!isPublicKey(body.publicKey)) {
        const expected = { en: 'a public key (SPKI, PEM)', ru: 'открытый ключ (SPKI, PEM)' };
        throw new ProblemError(problem('NOVA7026', { field: 'publicKey', expected }));
      }
      return { certificate: await authorities.certifyServer(body), authority: await authorities.bundle() };
    },

    listNodes: async ({ query }) => {
      const page = await nodes.page(query);
      return { ...page, nodes: page.nodes.map(withAsking) };
    },
    showNode: async ({ params: { name } }) => ({
      ...withAsking(await nodes.one(name)),
      sinceLastRun: (await catalogs.sinceLastRun(name)).length,
      pending: (await catalogs.pending(name)).length,
    }),
    showFacts: async ({ params: { name } }) => {
      await nodes.assertExists(name);
      const facts = await catalogs.facts(name);
      if (!facts) throw new ProblemError(problem('NOVA8016', { node: name }));
      return facts;
    },
    listReports: async ({ params: { name }, query: { limit } }) => {
      await nodes.assertExists(name);
      return reports.of(name, limit);
    },
    showCatalog: async ({ params: { name } }) => {
      await nodes.assertExists(name);
      const approved = await catalogs.approved(name);
      if (!approved) {
        const isPlanned = (await catalogs.planOf(name)) !== undefined;
        throw new ProblemError(isPlanned ? problem('NOVA8016', { node: name }) : problem('NOVA8011', { node: name }));
      }
      const { id, approvedAt, catalog } = approved;
      return { version: String(id), approvedAt: approvedAt.toISOString(), node: name, resources: shown(catalog) };
    },
    showDifference: async ({ params: { name } }) => {
      await nodes.assertExists(name);
      return { sinceLastRun: await catalogs.sinceLastRun(name), pending: await catalogs.pending(name) };
    },

    revokeNode: async ({ params: { name } }) => {
      await nodes.assertExists(name);
      await enrolment.revoke(name);
      return revocations.publish(name, revocationPatience);
    },
    watchIdentities: async (_asked, say, left) => identities.watch(say, left),
    runAgent: async ({ params: { name }, body: { isNoop } }, say, signal) => {
      const report = await agents.run(name, {
        isNoop,
        onLine: (line) => say({ line }),
        onState: (state) => say({ state }),
        signal,
      });
      if (report) say({ report });
    },
  };
}

/** A private key would be parsed as its public key: reject it, because private keys must not be sent. */
function isPublicKey(text: string): boolean {
  try {
    return text.startsWith('-----BEGIN PUBLIC KEY-----') && createPublicKey(text).type === 'public';
  } catch {
    return false;
  }
}

/** Hides secrets. */
function shown({ resources }: Catalog): ShownResource[] {
  return resources.map((resource) => ({
    ...resource,
    parameters: Object.fromEntries(
      Object.entries(resource.parameters).map(([name, value]) => [
        name,
        value instanceof Sensitive ? String(value) : value,
      ]),
    ),
  }));
}
