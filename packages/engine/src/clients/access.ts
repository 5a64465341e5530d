import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { ProblemError, problem } from '@nova-platform/api';
import { clientContract, clusterContract, integrationName, storageContract } from '@nova-platform/contracts/engine';
import type { HttpApi } from '@nova-platform/http';
import { type MachineRecord, readMachine } from '../machines/record.ts';
import { readDisk } from '../storage/disks.ts';
import type { Clients } from './clients.ts';

/** The calls that a client can make over the network: those that clusters and users of Universe need. */
const allowed: ReadonlySet<string> = new Set(
  Object.values({ ...clusterContract, ...storageContract, ...clientContract }).map(
    ({ method, path }) => `${method} ${path}`,
  ),
);

/** The machine in which the clients of this API run. They cannot access it or its network. */
const universe = 'universe';

interface Subject {
  name?: string;
  network?: string;
  volumes?: readonly unknown[];
}

/** Restricts all routes of an API, also those that are added later. */
export function restrictToClusters(api: HttpApi, clients: Clients): void {
  api.addHook('onRequest', async ({ method, url, routeOptions, raw }) => {
    await assertClient(clients, raw);
    if (!allowed.has(`${method} ${routeOptions.url}`)) throw refusal(method, url);
  });
  api.addHook('preHandler', async ({ method, url, routeOptions, params, body }) => {
    const { name, disk } = params as { name?: string; disk?: string };
    // The declared route: a URL can spell the same path differently.
    const [, , kind = ''] = (routeOptions.url ?? '').split('/');
    const isRefused: Record<string, () => Promise<boolean>> = {
      machines: async () =>
        isOfPlatform(body as Subject | undefined) ||
        (await isMachineOfPlatform(name)) ||
        (await isDiskOfPlatform(disk)),
      disks: () => isDiskOfPlatform(name),
      templates: () => isMachineOfPlatform((body as { machine?: string } | undefined)?.machine),
      networks: async () => name === integrationName,
    };
    if (await isRefused[kind]?.()) throw refusal(method, url);
  });
}

async function isMachineOfPlatform(name: string | undefined): Promise<boolean> {
  return name !== undefined && isOfPlatform(subjectOf(name, await readMachine(name)));
}

async function isDiskOfPlatform(name: string | undefined): Promise<boolean> {
  return name !== undefined && isMachineOfPlatform((await readDisk(name))?.attachment?.machine);
}

/** Clients can open the consoles of VMs, except those of the platform. */
export async function assertConsole(
  clients: Clients,
  request: IncomingMessage,
  name: string | undefined,
): Promise<void> {
  await assertClient(clients, request);
  if (name === undefined || (await isMachineOfPlatform(name))) throw refusal(request.method ?? '', request.url ?? '');
}

async function assertClient(clients: Clients, { socket, method = '', url = '' }: IncomingMessage): Promise<void> {
  const certificate = (socket as TLSSocket).getPeerX509Certificate();
  // A connection can outlive its client certificate.
  const isExpired = !((certificate?.validToDate.getTime() ?? 0) > Date.now());
  if (isExpired) throw refusal(method, url);
  await clients.assertValid(certificate);
}

/** Volumes belong to the platform too: one may contain data of Universe. */
function isOfPlatform(subject: Subject | null | undefined): boolean {
  const { name, network, volumes = [] } = subject ?? {};
  return name === universe || network === integrationName || volumes.length > 0;
}

function subjectOf(name: string, record: MachineRecord | undefined): Subject {
  const { card, volumes = [] } = record ?? {};
  return { name, volumes, ...(card && { network: card.network }) };
}

export function refusal(method: string, url: string): ProblemError {
  return new ProblemError(problem('NOVA7040', { call: `${method} ${url.slice(0, 200)}` }));
}
