import { isTransient, ProblemError, problem } from '@nova-platform/api';
import { changedField, changesBetween } from '@nova-platform/change/fields';
import { approvedChange, assertStartable, certificatesOf, clusterHealth, reasonOf } from '@nova-platform/cluster';
import { allocatedMemory, availableMemory } from '@nova-platform/contracts/engine';
import { RegistryWriter } from '@nova-platform/contracts/registry/client';
import type { Operation, universeContract } from '@nova-platform/contracts/universe';
import { tenantExample } from '@nova-platform/delivery';
import type { Handlers } from '@nova-platform/http';
import { checkProvider } from '@nova-platform/infra';
import {
  administrators,
  eventsOf,
  type KubernetesApi,
  kubernetesNode,
  operators,
  viewers,
} from '@nova-platform/kubernetes';
import { addressesOf } from '@nova-platform/plan';
import type { FastifyRequest } from 'fastify';
import { assertAccess, nameOf } from '../access/roles.ts';
import { isOfMachine } from '../machines/operations.ts';
import type { Parts } from '../universe.ts';
import { userOf } from './access.ts';
import { machinesHandlers } from './machines.ts';
import { startFor } from './start.ts';
import { storageHandlers } from './storage.ts';
import { usersHandlers } from './users.ts';

const mebibyte = 1024 * 1024;
/** The shown part of a machine's console. */
const consoleCharacters = 200_000;

/** The Kubernetes group of a role. */
const groupOf = { viewer: viewers, operator: operators, admin: administrators };

/** The handlers of the API. */
export function universeHandlers(parts: Parts): Handlers<typeof universeContract> {
  const {
    users,
    audit,
    journal,
    operations,
    kinds,
    clusters,
    changes,
    connections,
    infra,
    delivery,
    config,
    engine,
    registry,
    status,
    site,
    tofu,
  } = parts;
  const { authorities, catalogs, nodes } = config.services;

  /** Nodes of a cluster whose agents can run on demand. */
  async function enrolledNodes(cluster: string): Promise<{ name: string }[]> {
    const found: { name: string }[] = [];
    let after: string | undefined;
    do {
      const page = await nodes.page({ cluster, after, limit: 500 });
      found.push(...page.nodes.filter(({ identity }) => identity === 'valid').map(({ name }) => ({ name })));
      after = page.next;
    } while (after !== undefined);
    return found;
  }

  /** Declares a cluster, and records the changes in the audit trail. */
  async function declare(
    name: string,
    documents: string,
    { digest, seen, request }: { digest: string | undefined; seen?: number | undefined; request: FastifyRequest },
  ) {
    const operation = await changes.declare(name, documents, { digest, seen, by: nameOf(request.identity) });
    if (operation) {
      // The operation has the differences from the revision that it replaced, even if others declared meanwhile.
      const fields = approvedChange(await operations.inputOf(operation.id))?.documents ?? [];
      const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
      request.changes = [
        ...fields.map((each) => changedField(each.name, text(each.before), text(each.after))),
        changedField('operation', undefined, String(operation.id)),
      ];
    }
    const { documents: _documents, ...cluster } = await clusters.show(name);
    return { cluster, ...(operation && { operation }) };
  }

  /** Resumes or cancels an operation. */
  async function control(how: 'resume' | 'cancel', id: number, request: FastifyRequest) {
    const stateOf = ({ state, isCancelling }: Operation) => ({ state, isCancelling });
    const found = await operations.show(id);
    // Only administrators change machines.
    if (isOfMachine(found)) assertAccess(request.identity, 'admin', undefined);
    const before = stateOf(found);
    const operation = await operations[how](id);
    request.changes = changesBetween(before, stateOf(operation));
    return operation;
  }

  /** Reads from the API of a cluster. */
  async function inKubernetes<T>(cluster: string, read: (api: KubernetesApi) => Promise<T>): Promise<T> {
    const plan = await clusters.plan(cluster);
    try {
      return await connections.withApi(plan, read);
    } catch (error) {
      if (!isTransient(error)) throw error;
      const address = `${plan.api.address}:${plan.api.port}`;
      throw new ProblemError(problem('NOVA8360', { cluster, address, reason: reasonOf(error) }));
    }
  }

  /** The plan of a cluster whose machines can be started and stopped. */
  async function startable(cluster: string) {
    const { plan } = await changeable(cluster);
    if (infra.of(plan).isFixed) throw new ProblemError(problem('NOVA8503', { name: plan.nodes[0]?.name ?? cluster }));
    return { plan };
  }

  /** The plan of a cluster whose machines can be changed. */
  async function changeable(cluster: string) {
    const plan = await clusters.plan(cluster);
    infra.of(plan);
    return { plan };
  }

  return {
    health: async () => ({ status: 'ok' }),
    ready: async ({ request }) => {
      const isKnown = request.identity?.kind === 'user';
      await journal.last().catch((err: Error) => {
        request.log.error({ err }, 'the database does not respond');
        throw new ProblemError(isKnown ? problem('NOVA8335', { reason: err.message }) : problem('NOVA8423', {}));
      });
      return { status: 'ok', ...(isKnown && { services: (await status()).services }) };
    },
    authority: async () => ({
      certificate: await authorities.bundle(),
      fingerprint: await authorities.fingerprint(),
    }),

    ...usersHandlers(users),
    ...machinesHandlers(parts),
    ...storageHandlers(parts),
    createJoinCommand: async ({ params, body }) => parts.joins.command(params.name, body.lifetimeSeconds),
    site: async () => addressesOf(site),
    status,

    capacity: async () => {
      const [{ processors, load, memory, disk, hasKvm }, machines] = await Promise.all([
        engine.client().host(),
        engine.client().machines(),
      ]);
      const running = machines.filter(({ state }) => state === 'running');
      return {
        processors: { total: processors, used: Math.min(processors, load) },
        memory: { ...memory, availableBytes: availableMemory({ memory, hasKvm }, machines) },
        disk,
        machines: {
          count: machines.length,
          running: running.length,
          cpu: running.reduce((sum, { cpu }) => sum + cpu, 0),
          memoryBytes: allocatedMemory(machines, hasKvm),
          diskBytes: machines.reduce((sum, { diskMebibytes = 0 }) => sum + diskMebibytes * mebibyte, 0),
        },
      };
    },

    listOperations: async ({ query: { cluster, ...query } }) => operations.list({ lock: cluster, ...query }),
    showOperation: async ({ params }) => operations.show(params.id),
    showOperationChange: async ({ params }) => {
      const change = approvedChange(await operations.inputOf(params.id));
      return { ...(change && { change }) };
    },
    resumeOperation: async ({ params, request }) => control('resume', params.id, request),
    cancelOperation: async ({ params, request }) => control('cancel', params.id, request),
    listEvents: async ({ query: { after, limit, ...filter } }) => ({
      events: await journal.after(after, filter, limit),
    }),

    listClusters: async ({ query }) => {
      const page = await clusters.page(query);
      const counts = await nodes.counts(page.clusters.map(({ name }) => name));
      return {
        ...page,
        clusters: page.clusters.map((cluster) => {
          const { failed, neverSeen } = counts.get(cluster.name) ?? { failed: 0, neverSeen: 0 };
          return { ...cluster, failedNodes: failed, unseenNodes: neverSeen };
        }),
      };
    },
    showCluster: async ({ params }) => ({
      ...(await clusters.show(params.cluster)),
      plan: await clusters.plan(params.cluster),
    }),
    clusterHealth: async ({ params: { cluster } }) =>
      clusterHealth({ clusters, config, connections, operations, delivery, infra, registry }, cluster),
    clusterCertificates: async ({ params: { cluster } }) => {
      const signed = await certificatesOf({ config }, await clusters.plan(cluster));
      return {
        certificates: signed
          .map(({ node, name, notAfter, overdueAt }) => ({
            node,
            name,
            notAfter: notAfter.toISOString(),
            overdueAt: overdueAt.toISOString(),
          }))
          .toSorted((one, other) => one.notAfter.localeCompare(other.notAfter)),
      };
    },
    clusterNode: async ({ params: { cluster, node } }) => {
      const found = await inKubernetes(cluster, (api) => kubernetesNode(api, node));
      return found ? { node: found } : {};
    },
    clusterEvents: async ({ params: { cluster } }) => ({ events: await inKubernetes(cluster, eventsOf) }),
    clusterNetwork: async ({ params: { cluster } }) => {
      await clusters.show(cluster);
      const isThere = (await engine.client().networks()).some(({ name }) => name === cluster);
      return isThere ? { network: await engine.client().network(cluster) } : {};
    },
    checkDocuments: async ({ body }) => clusters.check(body.documents),
    checkProvider: async ({ params: { cluster }, body }) => {
      const { plan, provider } = await clusters.provider(cluster, await clusters.unmasked(cluster, body.documents));
      return { checks: await checkProvider(provider, plan, tofu) };
    },
    previewCluster: async ({ params: { cluster }, body }) =>
      changes.preview(cluster, await clusters.unmasked(cluster, body.documents)),
    declareCluster: async ({ params: { cluster }, body: { documents, digest }, request }) => {
      const seen = revisionOf(request.headers['if-match']);
      return declare(cluster, await clusters.unmasked(cluster, documents), { digest, seen, request });
    },
    previewScale: async ({ params: { cluster }, body: { groups } }) =>
      changes.preview(cluster, await clusters.scaled(cluster, groups)),
    scaleCluster: async ({ params: { cluster }, body: { groups, digest }, request }) => {
      const { revision } = await clusters.show(cluster);
      const documents = await clusters.scaled(cluster, groups);
      return declare(cluster, documents, { digest, seen: revision, request });
    },
    listModules: async ({ params: { cluster } }) => delivery.modules(cluster),
    previewModules: async ({ params: { cluster }, body: { modules } }) =>
      changes.preview(cluster, await clusters.withModules(cluster, modules)),
    changeModules: async ({ params: { cluster }, body: { modules, digest }, request }) => {
      const { revision } = await clusters.show(cluster);
      const documents = await clusters.withModules(cluster, modules);
      return declare(cluster, documents, { digest, seen: revision, request });
    },
    createTenant: async ({ params: { cluster, tenant }, body: quota }) => {
      const objects = await delivery.createTenant(cluster, { name: tenant, quota });
      return { tenant, objects, example: tenantExample(tenant) };
    },
    listTenants: async ({ params: { cluster } }) => ({ tenants: await delivery.tenants(cluster) }),
    removeTenant: async ({ params: { cluster, tenant } }) => {
      await delivery.removeTenant(cluster, tenant);
      return {};
    },
    listReleases: async () => {
      const [releases, newest, plans] = await Promise.all([
        delivery.releases.list(),
        delivery.releases.newest(),
        catalogs.plans.summaries(),
      ]);
      const clustersOf = plans.flatMap(({ cluster: name, release }) =>
        release === undefined ? [] : [{ name, release }],
      );
      return { releases, ...(newest !== undefined && { newest }), clusters: clustersOf };
    },
    showRelease: async ({ params }) => delivery.releases.show(params.release),
    importRelease: async ({ params, body, request }) => {
      const published = await delivery.releases.publish(params.release, body.files);
      request.changes = changesBetween({}, { commit: published.commit });
      return published;
    },
    stopCluster: async ({ params: { cluster }, request }) =>
      startFor(request, parts, kinds.stopCluster, await startable(cluster)),
    startCluster: async ({ params: { cluster }, request }) => {
      const input = await startable(cluster);
      await assertStartable(input.plan, infra.of(input.plan));
      return startFor(request, parts, kinds.startCluster, input);
    },
    destroyCluster: async ({ params: { cluster }, request }) =>
      startFor(request, parts, kinds.destroyCluster, await changeable(cluster)),
    kubeconfig: async ({ params: { cluster }, request }) => {
      const { name, role, credential } = userOf(request);
      const plan = await clusters.plan(cluster);
      const { ca, cert, key } = await connections.issue(plan, name, groupOf[role], credential.sessionsUntil);
      return {
        server: `https://${plan.api.fqdn ?? plan.api.externalAddress}:${plan.api.port}`,
        authority: ca,
        certificate: cert,
        key,
        user: name,
      };
    },
    runAgents: async ({ params: { cluster }, body: { isNoop }, request }) => {
      await clusters.show(cluster);
      const input = { cluster, nodes: await enrolledNodes(cluster), isNoop };
      return startFor(request, parts, kinds.runAgents, input);
    },

    listAudit: async ({ query }) => audit.page(query),

    engineIdentity: async () => ({
      publicKey: engine.publicKey,
      ...(engine.notAfter && { notAfter: engine.notAfter.toISOString() }),
    }),
    acceptEngineIdentity: async ({ body }) => {
      await engine.accept(body);
      return {};
    },

    nodeConsole: async ({ params: { name } }) => {
      // Universe shows only machines that are nodes.
      await nodes.assertExists(name);
      return { text: (await engine.client().machineConsole(name)).slice(-consoleCharacters) };
    },

    listImages: async () => {
      const writer = new RegistryWriter(await registry.access());
      const repositories = (await writer.repositories()).toSorted();
      const images = await Promise.all(
        repositories.map(async (repository) => {
          const tags = (await writer.tags(repository)).toSorted();
          return Promise.all(
            tags.map(async (tag) => ({ repository, tag, digest: (await writer.digestOf(repository, tag)) ?? '' })),
          );
        }),
      );
      return { images: images.flat() };
    },
    collectImages: async ({ request }) => startFor(request, parts, kinds.collectImages, {}),
  };
}

/** An unparsable If-Match never matches. */
function revisionOf(ifMatch: string | undefined): number | undefined {
  const [, digits] = /^"(\d+)"$/.exec(ifMatch ?? '') ?? [];
  return ifMatch === undefined ? undefined : Number(digits);
}
