import { ProblemError, problem } from '@nova-platform/api';
import { administrators, eventsOf, isAway, operators } from '@nova-platform/cluster';
import { tenantExample } from '@nova-platform/delivery';
import type { Handlers } from '@nova-platform/http';
import { controlPlanes } from '@nova-platform/plan';
import { RegistryWriter } from '@nova-platform/registry/client';
import type { FastifyRequest } from 'fastify';
import { nameOf } from '../access/roles.ts';
import { changeOf, changesBetween } from '../changes.ts';
import { clusterHealth, reasonOf } from '../cluster-health.ts';
import { demandPossible } from '../cluster-preflight.ts';
import type { OperationKind } from '../operations/definition.ts';
import type { Parts } from '../universe.ts';
import { userOf } from './access.ts';
import type { Operation, universeContract } from './contract.ts';
import { peopleHandlers } from './people.ts';

const mebibyte = 1024 * 1024;
/** Of a machine's console: what fits on a page. */
const consoleCharacters = 200_000;

/** What every call of the API does. */
export function universeHandlers(parts: Parts): Handlers<typeof universeContract> {
  const { users, audit, journal, operations, kinds, clusters, work, delivery, config, engine, registry, status } =
    parts;
  const { authorities, catalogs, nodes } = config.services;

  /** Nodes of a cluster that can be told to run. */
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

  /** The last change of a cluster, where it was not brought to its end: something of it is still to be done. */
  async function unfinished(cluster: string): Promise<{ unfinished?: number }> {
    const { kind } = kinds.applyCluster;
    const [last] = (await operations.list({ lock: cluster, kind, limit: 1 })).operations;
    return last?.state === 'failed' || last?.state === 'cancelled' ? { unfinished: last.id } : {};
  }

  async function preview(cluster: string, documents: string) {
    const { plan, secrets } = await clusters.read(cluster, documents);
    await clusters.demandNodes(plan);
    const release = await delivery.demandDeliverable(plan);
    // Without an engine nothing is known of the box, and the operation says so before it changes anything.
    const machines = engine.notAfter ? await demandPossible(plan, release, engine.client(), registry) : [];
    const pinned = await work.pinned(plan);
    return { plan: pinned, ...(await catalogs.preview(pinned, secrets)), machines, ...(await unfinished(cluster)) };
  }

  /** Keeps a declaration and starts the operation that makes it so. `seen` is the revision that whoever declares knows. */
  async function declare(
    name: string,
    documents: string,
    { shown, seen, request }: { shown: string | undefined; seen: number | undefined; request: FastifyRequest },
  ) {
    const by = nameOf(request.identity);
    const changes = await clusters.changes(name, documents);
    const revision = seen ?? (await clusters.revisionOf(name));
    const { plan, shown: current } = await preview(name, documents);
    if (shown !== undefined && shown !== current) throw new ProblemError(problem('NOVA8017', {}));
    const before = (await catalogs.plans()).find((each) => each.cluster.name === name);
    const gone = await work.goneWith(plan, before);
    await work.members.demandQuorum(plan, gone);
    const isOld = (node: { name: string }) => before?.nodes.some((each) => each.name === node.name) === true;
    const input = {
      cluster: name,
      machines: plan.cluster.provider === 'local' ? plan.nodes.map(named) : [],
      controlPlanes: controlPlanes(plan.nodes)
        .toSorted((one, other) => Number(isOld(one)) - Number(isOld(other)))
        .map(named),
      others: plan.nodes.filter((node) => !isControlPlane(node)).map(named),
      gone,
      isNew: before === undefined,
      modules: plan.modules.map(named),
    };
    const operation = await operations.start(kinds.applyCluster, input, by, (writing) =>
      clusters.declare(writing, { plan, documents, by, seen: revision }),
    );
    request.changes = [...changes, changeOf('operation', undefined, String(operation.id))];
    const { documents: _documents, ...cluster } = await clusters.show(name);
    return { cluster, operation };
  }

  /** Starts an operation for whoever asks; the audit trail says which. */
  async function start<Input>(kind: OperationKind<Input>, input: Input, request: FastifyRequest) {
    const operation = await operations.start(kind, input, nameOf(request.identity));
    request.changes = changesBetween({}, { operation: operation.id });
    return operation;
  }

  /** Resumes or cancels an operation. */
  async function steer(how: 'resume' | 'cancel', id: number, request: FastifyRequest) {
    const stateOf = ({ state, isCancelling }: Operation) => ({ state, isCancelling });
    const before = stateOf(await operations.show(id));
    const operation = await operations[how](id);
    request.changes = changesBetween(before, stateOf(operation));
    return operation;
  }

  /** The machines of a cluster, where they are the engine's. */
  async function machinesOf(cluster: string) {
    const {
      nodes: planned,
      cluster: { provider },
    } = await work.plan(cluster);
    if (provider !== 'local') throw new ProblemError(problem('NOVA8350', { cluster, provider }));
    return {
      cluster,
      controlPlanes: controlPlanes(planned).map(named),
      others: planned.filter((node) => !isControlPlane(node)).map(named),
    };
  }

  return {
    health: async () => ({ status: 'ok' }),
    ready: async ({ request }) => {
      const isKnown = request.identity?.kind === 'user';
      await journal.last().catch((err: Error) => {
        request.log.error({ err }, 'the store does not answer');
        throw new ProblemError(isKnown ? problem('NOVA8335', { reason: err.message }) : problem('NOVA8423', {}));
      });
      return { status: 'ok', ...(isKnown && { services: (await status()).services }) };
    },
    authority: async () => ({
      certificate: await authorities.bundle(),
      fingerprint: await authorities.fingerprint(),
    }),

    ...peopleHandlers(users),
    status,

    capacity: async () => {
      const [{ memory, disk }, machines] = await Promise.all([engine.client().host(), engine.client().machines()]);
      const running = machines.filter(({ state }) => state === 'running');
      return {
        memory,
        disk,
        machines: {
          count: machines.length,
          running: running.length,
          cpu: running.reduce((sum, { cpu }) => sum + cpu, 0),
          memoryBytes: running.reduce((sum, machine) => sum + machine.memoryMebibytes * mebibyte, 0),
        },
      };
    },

    listOperations: async ({ query: { cluster, ...query } }) => operations.list({ lock: cluster, ...query }),
    showOperation: async ({ params }) => operations.show(params.id),
    resumeOperation: async ({ params, request }) => steer('resume', params.id, request),
    cancelOperation: async ({ params, request }) => steer('cancel', params.id, request),
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
      plan: (await clusters.declaration(params.cluster)).plan,
    }),
    clusterHealth: async ({ params: { cluster } }) =>
      clusterHealth({ work, config, operations, delivery, engine: () => engine.client() }, cluster),
    clusterCertificates: async ({ params: { cluster } }) => {
      const plan = await work.plan(cluster);
      const signed = await config.services.serviceCertificates.of(plan.nodes.map(({ name }) => name));
      return {
        certificates: signed
          .map(({ node, name, notAfter }) => ({ node, name, notAfter: notAfter.toISOString() }))
          .toSorted((one, other) => one.notAfter.localeCompare(other.notAfter)),
      };
    },
    clusterEvents: async ({ params: { cluster } }) => {
      const { api } = await work.plan(cluster);
      try {
        return { events: await work.withApi(cluster, eventsOf) };
      } catch (error) {
        if (!isAway(error)) throw error;
        const address = `${api.address}:${api.port}`;
        throw new ProblemError(problem('NOVA8360', { cluster, address, reason: reasonOf(error) }));
      }
    },
    clusterNetwork: async ({ params: { cluster } }) => {
      await clusters.show(cluster);
      const isThere = (await engine.client().networks()).some(({ name }) => name === cluster);
      return isThere ? { network: await engine.client().network(cluster) } : {};
    },
    checkDocuments: async ({ body }) => clusters.check(body.documents),
    previewCluster: async ({ params: { cluster }, body }) =>
      preview(cluster, await clusters.unmasked(cluster, body.documents)),
    declareCluster: async ({ params: { cluster }, body: { documents, shown }, request }) => {
      const seen = revisionOf(request.headers['if-match']);
      return declare(cluster, await clusters.unmasked(cluster, documents), { shown, seen, request });
    },
    previewScale: async ({ params: { cluster }, body: { groups } }) =>
      preview(cluster, await clusters.scaled(cluster, groups)),
    scaleCluster: async ({ params: { cluster }, body: { groups, shown }, request }) => {
      const { revision } = await clusters.show(cluster);
      const documents = await clusters.scaled(cluster, groups);
      return declare(cluster, documents, { shown, seen: revision, request });
    },
    listModules: async ({ params: { cluster } }) => delivery.modules(cluster),
    previewModules: async ({ params: { cluster }, body: { modules } }) =>
      preview(cluster, await clusters.withModules(cluster, modules)),
    changeModules: async ({ params: { cluster }, body: { modules, shown }, request }) => {
      const { revision } = await clusters.show(cluster);
      const documents = await clusters.withModules(cluster, modules);
      return declare(cluster, documents, { shown, seen: revision, request });
    },
    createTenant: async ({ params: { cluster, tenant }, body: quota }) => {
      const objects = await delivery.createTenant(cluster, { name: tenant, quota });
      return { tenant, objects, example: tenantExample(tenant) };
    },
    listReleases: async () => {
      const [releases, newest, plans] = await Promise.all([
        delivery.releases.list(),
        delivery.releases.newest(),
        catalogs.plans(),
      ]);
      const clustersOf = plans.flatMap(({ cluster: { name }, release, modules }) =>
        release === undefined || modules.length === 0 ? [] : [{ name, release }],
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
      start(kinds.stopCluster, await machinesOf(cluster), request),
    startCluster: async ({ params: { cluster }, request }) =>
      start(kinds.startCluster, await machinesOf(cluster), request),
    destroyCluster: async ({ params: { cluster }, request }) => {
      const { nodes: machines } = await work.plan(cluster);
      const input = { cluster, machines: machines.map(named) };
      return start(kinds.destroyCluster, input, request);
    },
    kubeconfig: async ({ params: { cluster }, request }) => {
      const { name, role, credential } = userOf(request);
      const { api } = await work.plan(cluster);
      const group = role === 'admin' ? administrators : operators;
      const { ca, cert, key } = await work.access(cluster, name, group, credential.sessionsUntil);
      return {
        server: `https://${api.externalAddress}:${api.port}`,
        authority: ca,
        certificate: cert,
        key,
        user: name,
      };
    },
    runAgents: async ({ params: { cluster }, body: { isNoop }, request }) => {
      await clusters.show(cluster);
      const input = { cluster, nodes: await enrolledNodes(cluster), isNoop };
      return start(kinds.runAgents, input, request);
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
      // Machines that are no nodes are not Universe's to show.
      await nodes.demand(name);
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
    collectImages: async ({ request }) => start(kinds.collectImages, {}, request),
  };
}

const named = ({ name }: { name: string }) => ({ name });
const isControlPlane = ({ roles }: { roles: readonly string[] }) => roles.includes('control-plane');

/** A condition that is not understood is one that is not met. */
function revisionOf(ifMatch: string | undefined): number | undefined {
  const [, digits] = /^"(\d+)"$/.exec(ifMatch ?? '') ?? [];
  return ifMatch === undefined ? undefined : Number(digits);
}
