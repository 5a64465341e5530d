import { ProblemError, problem } from '@nova-platform/api';
import type { Handlers } from '@nova-platform/http';
import { nameOf } from '../access/roles.ts';
import { loginToken } from '../access/users.ts';
import type { Parts } from '../universe.ts';
import { sessionCookie, sessionOf, userOf } from './access.ts';
import type { universeContract } from './contract.ts';

/** What every call of the API does. */
export function universeHandlers(parts: Parts): Handlers<typeof universeContract> {
  const { users, audit, journal, operations, kinds, clusters, config, engine, status } = parts;
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

  return {
    health: async () => ({ status: 'ok' }),
    ready: async () => {
      await journal.last().catch(({ message: reason }: Error) => {
        throw new ProblemError(problem('NOVA8335', { reason }));
      });
      return { status: 'ok' };
    },
    authority: async () => ({
      certificate: await authorities.bundle(),
      fingerprint: await authorities.fingerprint(),
    }),

    login: async ({ body: { user, password, seconds }, request }) => {
      request.who = user;
      const identity = await users.login(user, password, request.from);
      const { token, created } = await users.createToken(identity, { name: loginToken, role: identity.role, seconds });
      return { token, user, role: identity.role, expiresAt: created.expiresAt };
    },
    startSession: async ({ body: { user, password }, request, reply }) => {
      request.who = user;
      const identity = await users.login(user, password, request.from);
      const { secret, seconds } = await users.startSession(identity);
      reply.header('set-cookie', sessionCookie(secret, seconds));
      return { user, role: identity.role };
    },
    endSession: async ({ request, reply }) => {
      const secret = sessionOf(request);
      if (secret !== undefined) await users.endSession(secret);
      reply.header('set-cookie', sessionCookie('', 0));
      return {};
    },
    whoami: async ({ request }) => {
      const { name, role } = userOf(request);
      return { user: name, role };
    },

    status,

    listOperations: async ({ query: { cluster, ...query } }) => operations.list({ lock: cluster, ...query }),
    showOperation: async ({ params }) => operations.show(params.id),
    resumeOperation: async ({ params }) => operations.resume(params.id),
    cancelOperation: async ({ params }) => operations.cancel(params.id),
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
    previewCluster: async ({ params, body }) => {
      const { plan, secrets } = await clusters.read(params.cluster, body.documents);
      return { plan, ...(await catalogs.preview(plan, secrets)) };
    },
    declareCluster: async ({ params, body: { documents, shown }, request }) => {
      const { plan, secrets } = await clusters.read(params.cluster, documents);
      const preview = await catalogs.preview(plan, secrets);
      if (shown !== undefined && shown !== preview.shown) throw new ProblemError(problem('NOVA8017', {}));
      const by = nameOf(request.identity);
      const cluster = await clusters.declare(plan, documents, by, revisionOf(request.headers['if-match']));
      const input = { cluster: cluster.name, nodes: await enrolledNodes(cluster.name) };
      return { cluster, operation: await operations.start(kinds.configureCluster, input, by) };
    },
    runAgents: async ({ params: { cluster }, body: { isNoop }, request }) => {
      await clusters.show(cluster);
      const input = { cluster, nodes: await enrolledNodes(cluster), isNoop };
      return operations.start(kinds.runAgents, input, nameOf(request.identity));
    },

    listUsers: async () => ({ users: await users.list() }),
    createUser: async ({ body: { name, role, password } }) => {
      await users.create(name, role, password);
      return {};
    },
    changeUser: async ({ params: { user }, body }) => {
      await users.change(user, body);
      return {};
    },
    removeUser: async ({ params: { user } }) => {
      await users.remove(user);
      return {};
    },
    changePassword: async ({ body: { old, password }, request }) => {
      const { name } = userOf(request);
      await users.login(name, old, request.from);
      await users.change(name, { password });
      return {};
    },
    listTokens: async ({ request }) => {
      const { name, role } = userOf(request);
      return { tokens: await users.tokens(role === 'admin' ? undefined : name) };
    },
    createAccessToken: async ({ body, request }) => users.createToken(userOf(request), body),
    removeToken: async ({ params: { id }, request }) => {
      const { name, role } = userOf(request);
      await users.removeToken(id, role === 'admin' ? undefined : name);
      return {};
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

    collectImages: async ({ request }) => operations.start(kinds.collectImages, {}, nameOf(request.identity)),
  };
}

/** A condition that is not understood is one that is not met. */
function revisionOf(ifMatch: string | undefined): number | undefined {
  const [, digits] = /^"(\d+)"$/.exec(ifMatch ?? '') ?? [];
  return ifMatch === undefined ? undefined : Number(digits);
}
