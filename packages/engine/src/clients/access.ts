import type { TLSSocket } from 'node:tls';
import { ProblemError, problem } from '@nova-platform/api';
import { clientContract, clusterContract } from '@nova-platform/contracts/engine';
import type { HttpApi } from '@nova-platform/http';
import { readMachine } from '../machines/record.ts';
import { integrationName } from '../networks.ts';
import type { Clients } from './clients.ts';

/** What a client may call over the network: what clusters need. Whatever is not here is refused. */
const allowed: ReadonlySet<string> = new Set(
  Object.values({ ...clusterContract, ...clientContract }).map(({ method, path }) => `${method} ${path}`),
);

/** The machine that the clients of this API run in: they cannot touch it, nor its network. */
const universe = 'universe';

interface Subject {
  name?: string;
  network?: string;
  volumes?: readonly unknown[];
}

/** Restricts all routes of an API, whenever they are added. */
export function restrictToClusters(api: HttpApi, clients: Clients): void {
  api.addHook('onRequest', async ({ method, url, routeOptions, raw }) => {
    const certificate = (raw.socket as TLSSocket).getPeerX509Certificate();
    // A connection may last longer than the certificate that it was made with.
    const isExpired = !((certificate?.validToDate.getTime() ?? 0) > Date.now());
    if (isExpired) throw refusal(method, url);
    await clients.assertValid(certificate);
    if (!allowed.has(`${method} ${routeOptions.url}`)) throw refusal(method, url);
  });
  api.addHook('preHandler', async ({ method, url, routeOptions, params, body }) => {
    const { name } = params as { name?: string };
    // As it is declared: a path that is written in another way leads to the same route.
    const route = routeOptions.url ?? '';
    const isRefused = route.startsWith('/v1/machines')
      ? isOfPlatform(name === undefined ? (body as Subject | undefined) : { name, ...(await readMachine(name)) })
      : route.startsWith('/v1/networks') && name === integrationName;
    if (isRefused) throw refusal(method, url);
  });
}

/** Volumes are of the platform too: one may hold what Universe kept there. */
function isOfPlatform({ name, network, volumes = [] }: Subject = {}): boolean {
  return name === universe || network === integrationName || volumes.length > 0;
}

function refusal(method: string, url: string): ProblemError {
  return new ProblemError(problem('NOVA7040', { call: `${method} ${url.slice(0, 200)}` }));
}
