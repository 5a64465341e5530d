import { createPublicKey } from 'node:crypto';
import { formatted, ProblemError, problem } from '@nova-platform/api';
import { enrolmentConfig } from '@nova-platform/catalog';
import { createHttpApi, type HttpApi, streamLines } from '@nova-platform/http';
import { readPlan } from '@nova-platform/plan';
import { z } from 'zod';
import type { Services } from './manager.ts';
import type { OrderEvent } from './orders.ts';

/** `ca` is the name under which agents ask for the authority itself. */
const dnsName = formatted('domain', 253).refine((name) => name !== 'ca', 'domain');
const named = z.object({ name: dnsName });
const credentials = z.strictObject({ username: z.string(), password: z.string() });
const secrets = z.strictObject({
  proxy: z.strictObject({ http: credentials.optional(), https: credentials.optional() }).optional(),
});

const maxServerNames = 8;
/** A private key would be read as the public one that belongs to it: nobody should send one. */
const publicKey = z
  .string()
  .max(4096)
  .refine((text) => text.startsWith('-----BEGIN PUBLIC KEY-----') && isPublicKey(text), 'a public key (SPKI, PEM)');
const serverOrder = z
  .strictObject({
    dnsNames: z.array(formatted('domain', 253)).max(maxServerNames),
    addresses: z.array(z.union([z.ipv4(), z.ipv6()], 'address')).max(maxServerNames),
    publicKey,
  })
  .refine(({ dnsNames, addresses }) => dnsNames.length + addresses.length > 0, {
    path: ['dnsNames'],
    error: 'at least one name or address',
  });

const maxTokenSeconds = 30 * 24 * 3600;
/** A node asks again at once, unless it is down or busy with a run. */
const patienceSeconds = 90;

/** What people's commands ask for; the socket is its owner's only. */
export async function createAdminApi(services: Services): Promise<HttpApi> {
  const { authorities, enrolment, catalogs, nodes, reports, orders, manager, metrics } = services;
  const api = await createHttpApi({ title: 'Nova Configuration Manager', bodyLimit: 64 * 1024 * 1024 });

  api.get('/v1/health', async () => ({ status: 'ok', fingerprint: manager.fingerprint }));
  api.get('/v1/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );

  api.post(
    '/v1/tokens',
    { schema: { body: z.strictObject({ node: dnsName, lifetimeSeconds: z.int().min(1).max(maxTokenSeconds) }) } },
    async ({ body: { node, lifetimeSeconds } }) => {
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
  );

  api.post(
    '/v1/plans',
    {
      schema: {
        body: z.strictObject({ plan: z.unknown(), secrets, isApproved: z.boolean(), shown: z.string().optional() }),
      },
    },
    async ({ body }) => {
      const plan = readPlan(JSON.stringify(body.plan));
      const outcome = await (body.isApproved
        ? catalogs.apply(plan, body.secrets, body.shown)
        : catalogs.preview(plan, body.secrets));
      return { cluster: plan.cluster.name, isApproved: body.isApproved, ...outcome };
    },
  );

  api.get('/v1/plans', async () => catalogs.plans());

  api.post('/v1/server-certificates', { schema: { body: serverOrder } }, async ({ body }) => ({
    certificate: await authorities.certifyServer(body),
    authority: await authorities.bundle(),
  }));

  api.get('/v1/nodes', async () => {
    const list = await nodes.list();
    return Promise.all(
      list.map(async (node) => ({
        ...node,
        isAsking: orders.isAsking(node.name),
        pending: (await catalogs.pending(node.name)).length,
        sinceLastRun: (await catalogs.sinceLastRun(node.name)).length,
      })),
    );
  });
  api.get('/v1/nodes/:name/facts', { schema: { params: named } }, async ({ params: { name } }) => {
    await nodes.demand(name);
    const facts = await catalogs.facts(name);
    if (!facts) throw new ProblemError(problem('NOVA8016', { node: name }));
    return facts;
  });
  api.get(
    '/v1/nodes/:name/reports',
    {
      schema: { params: named, querystring: z.object({ limit: z.coerce.number().int().min(1).max(500).default(20) }) },
    },
    async ({ params: { name }, query: { limit } }) => {
      await nodes.demand(name);
      return reports.of(name, limit);
    },
  );
  api.get('/v1/nodes/:name/catalog', { schema: { params: named } }, async ({ params: { name } }) => {
    await nodes.demand(name);
    const approved = await catalogs.approved(name);
    if (!approved) {
      const isPlanned = (await catalogs.planOf(name)) !== undefined;
      throw new ProblemError(isPlanned ? problem('NOVA8016', { node: name }) : problem('NOVA8011', { node: name }));
    }
    return { version: String(approved.id), approvedAt: approved.approvedAt.toISOString(), ...approved.catalog };
  });
  api.get('/v1/nodes/:name/catalog/diff', { schema: { params: named } }, async ({ params: { name } }) => {
    await nodes.demand(name);
    return { sinceLastRun: await catalogs.sinceLastRun(name), pending: await catalogs.pending(name) };
  });
  api.post('/v1/nodes/:name/revoke', { schema: { params: named } }, async ({ params: { name } }) => {
    await nodes.demand(name);
    await enrolment.revoke(name);
    return {};
  });
  api.post(
    '/v1/nodes/:name/run',
    { schema: { params: named, body: z.strictObject({ isNoop: z.boolean() }) } },
    async ({ params: { name }, body: { isNoop } }, reply) =>
      streamLines(reply, async (say, left) => {
        await nodes.demand(name);
        if ((await enrolment.certificateOf(name)) === undefined)
          throw new ProblemError(problem('NOVA8015', { node: name }));
        const [before] = await reports.of(name, 1);
        if (!orders.isAsking(name)) say({ state: 'waiting' });
        await follow(services, name, isNoop, say, left);
        const [after] = await reports.of(name, 1);
        if (after && after.id !== before?.id) say({ report: after });
      }),
  );
  return api;
}

function isPublicKey(text: string): boolean {
  try {
    return createPublicKey(text).type === 'public';
  } catch {
    return false;
  }
}

/** Until the run is over, the node did not come for it, or nobody listens any more. */
async function follow(
  { orders }: Services,
  node: string,
  isNoop: boolean,
  say: (line: object) => void,
  left: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  /** The node's next sign of life, within a while. */
  const expect = (code: 'NOVA8013' | 'NOVA8014') => {
    clearTimeout(timer);
    const silent = new ProblemError(problem(code, { node, seconds: patienceSeconds }));
    timer = setTimeout(() => reject(silent), patienceSeconds * 1000);
  };
  expect('NOVA8013');
  const tell = (event: OrderEvent) => {
    if ('taken' in event) {
      expect('NOVA8014');
      say({ state: 'running' });
    } else if ('started' in event) clearTimeout(timer);
    else if ('line' in event) say(event);
    else if (event.exitCode === undefined) reject(new ProblemError(problem('NOVA8014', { node })));
    else resolve();
  };
  const order = orders.place(node, isNoop, tell);
  left.addEventListener('abort', () => resolve());
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    order.cancel();
  }
}
