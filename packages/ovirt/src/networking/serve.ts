import { describe, errors, ProblemError } from '@nova-platform/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from '../api/identity.ts';
import { type Received, received } from './accept.ts';
import type { Kind, Networking } from './networking.ts';

const kinds = { networks: 'network', subnets: 'subnet', routers: 'router', ports: 'port' } as const;
/** Clients ask for them; networks of the engine have none. */
const alwaysEmpty = { extensions: 'extensions', floatingips: 'floatingips', 'security-groups': 'security_groups' };

interface Options {
  networking: Networking;
  authenticate: (request: FastifyRequest) => Promise<Identity>;
  url: string;
}

/** OpenStack's Networking API 2.0, as far as oVirt's provider of OVN has it. */
export async function serveNetworking(app: FastifyInstance, { networking, authenticate, url }: Options): Promise<void> {
  app.setErrorHandler((error, _request, reply) => sendError(reply, error));
  app.addHook('onRequest', async (request) => {
    await authenticate(request);
  });

  app.get('/', async () => ({
    versions: [{ id: 'v2.0', status: 'CURRENT', links: [{ rel: 'self', href: `${url}/v2.0` }] }],
  }));
  app.get('/v2.0', async () => ({
    resources: Object.entries(kinds).map(([collection, name]) => ({
      name,
      collection,
      links: [{ rel: 'self', href: `${url}/v2.0/${collection}` }],
    })),
  }));
  for (const [path, name] of Object.entries(alwaysEmpty)) app.get(`/v2.0/${path}`, async () => ({ [name]: [] }));

  for (const [kind, name] of Object.entries(kinds) as [Kind, string][]) {
    app.get(`/v2.0/${kind}`, async ({ query }) => ({
      [kind]: selected((await networking.resources())[kind], query as Query),
    }));
    app.get<{ Params: { id: string } }>(`/v2.0/${kind}/:id`, async ({ params }) => ({
      [name]: await networking.find(kind, params.id),
    }));
    app.post(`/v2.0/${kind}`, async ({ body }, reply) =>
      reply.status(201).send({ [name]: await networking.create(kind, received(body, name)) }),
    );
    app.put<{ Params: { id: string } }>(`/v2.0/${kind}/:id`, async ({ params, body }) => ({
      [name]: await networking.change(kind, params.id, received(body, name)),
    }));
    app.delete<{ Params: { id: string } }>(`/v2.0/${kind}/:id`, async ({ params }, reply) => {
      await networking.delete(kind, params.id);
      return reply.status(204).send();
    });
  }
  app.put<{ Params: { id: string } }>('/v2.0/routers/:id/add_router_interface', async ({ params, body }) =>
    networking.addRouterInterface(params.id, received({ body }, 'body')),
  );
  app.put<{ Params: { id: string } }>('/v2.0/routers/:id/remove_router_interface', async ({ params }) =>
    networking.removeRouterInterface(params.id),
  );
}

type Query = Record<string, string | string[]>;
type Item = Received & { id: string };

/** Filters by attributes, pages by `limit` and `marker`, and leaves only the requested `fields`. */
function selected(items: readonly Item[], { limit, marker, fields, ...filters }: Query): object[] {
  const wanted = Object.entries(filters).filter(([name]) => items.some((item) => name in item));
  const matching = items.filter((item) =>
    // Clients write booleans as Python does: True.
    wanted.every(([name, values]) => [values].flat().some((value) => isSame(item[name], value))),
  );
  const first = matching.findIndex(({ id }) => id === marker) + 1;
  const page = matching.slice(first, limit === undefined ? undefined : first + Math.max(Number(limit) || 0, 0));
  const names = [fields ?? []].flat();
  if (names.length === 0) return page;
  return page.map((item) => Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name]])));
}

function isSame(value: unknown, asked: string): boolean {
  return typeof value === 'boolean' ? String(value) === asked.toLowerCase() : String(value) === asked;
}

/** As Neutron reports errors: its clients show the message. */
function sendError(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, type, message, remedy } = shownError(error);
  return reply.status(status).send({ NeutronError: { type, message: `${message} ${remedy}`.trim(), detail: '' } });
}

function shownError(error: unknown) {
  const found = error instanceof ProblemError ? error.problems[0] : undefined;
  if (found) {
    const { status, ...entry } = errors[found.code];
    const { message, remedy } = describe(found, 'en');
    // Neutron has no 422: a valid request that cannot be carried out is a conflict.
    const shown = 'retry' in entry ? 503 : found.code === 'NOVA7026' ? 400 : status === 422 ? 409 : status;
    return { status: shown, type: found.code, message, remedy };
  }
  const { statusCode = 500, message } = error as Error & { statusCode?: number };
  if (statusCode >= 500) throw error;
  return { status: statusCode, type: 'BadRequest', message, remedy: '' };
}
