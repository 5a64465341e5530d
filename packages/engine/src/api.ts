import type { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { ProblemError, problem } from '@nova-platform/api';
import { label, machineSize, machineSpec, networkChange, networkSpec, ports } from '@nova-platform/contracts/engine';
import { createHttpApi, type HttpApi, streamLines } from '@nova-platform/http';
import type { Issuer } from '@nova-platform/pki';
import { z } from 'zod';
import { restrictToClusters } from './clients/access.ts';
import type { Clients } from './clients/clients.ts';
import type { Engine } from './engine.ts';
import { serveExec } from './exec-stream.ts';
import { hostFeatures } from './host/features.ts';
import { buildImage, pruneImages } from './images/build.ts';
import { checkedImages, checkImages, lastCheck } from './images/check.ts';
import { updateImages } from './images/update.ts';

const publicKey = z.string().max(16 * 1024);

const named = z.object({ name: label });

const title = 'Nova engine';
const bodyLimit = 4 * 1024 * 1024;

export interface Served {
  engine: Engine;
  issuer: Issuer;
  clients: Clients;
  /** Of the program that serves. */
  version: string;
}

/** The whole API, for root on this host: who can open the socket may do everything. */
export async function createLocalApi(served: Served): Promise<HttpApi> {
  const api = await createHttpApi({ title, bodyLimit });
  addRoutes(api, served);
  api.post('/v1/clients', { schema: { body: z.strictObject({ name: label, publicKey }) } }, async ({ body }) =>
    served.clients.issue(body.name, body.publicKey),
  );
  api.get('/v1/clients', async () => served.clients.list());
  api.delete('/v1/clients/:name', { schema: { params: named } }, async ({ params: { name } }) => {
    if ((await served.clients.revoke(name)) === 0) throw new ProblemError(problem('NOVA7072', { name }));
    return {};
  });
  // A command in a machine: the connection becomes a stream of frames.
  api.server.on('upgrade', (request, socket: Duplex) => void serveExec(served.engine, request, socket));
  return api;
}

/** What clusters need of it, for those who have a certificate of the engine's authority. */
export async function createClientApi(served: Served, secure: SecureContextOptions): Promise<HttpApi> {
  const tls = { ...secure, requestCert: true, rejectUnauthorized: true };
  const api = await createHttpApi({ title, bodyLimit, requestTimeout: 30_000, tls });
  restrictToClusters(api, served.clients);
  addRoutes(api, served);
  api.post('/v1/clients/self', { schema: { body: z.strictObject({ publicKey }) } }, async ({ body, raw }) => {
    const certificate = (raw.socket as TLSSocket).getPeerX509Certificate() as X509Certificate;
    return served.clients.renew(certificate, body.publicKey);
  });
  return api;
}

/** No host paths, no options of the runtime below. */
function addRoutes(api: HttpApi, { engine, version }: Served): void {
  api.get('/v1/health', async () => ({ status: 'ok', version }));
  api.get('/v1/host', async () => hostFeatures());
  api.get('/v1/host/ports', async () => engine.networks.openPorts());
  api.put('/v1/host/ports', { schema: { body: ports } }, async ({ body }) => engine.networks.changeOpenPorts(body));

  api.get('/v1/images', async () => checkedImages());
  api.post('/v1/images/:name/build', { schema: { params: named } }, ({ params }, reply) =>
    streamLines(reply, async (say) => {
      say({ image: await buildImage(params.name, (progress) => say({ progress })) });
    }),
  );
  api.post('/v1/images/prune', async () => ({ removed: await pruneImages() }));
  api.get('/v1/images/check', async () => lastCheck());
  api.post('/v1/images/check', (_request, reply) =>
    streamLines(reply, async (say) => {
      await checkImages((progress) => say({ progress }));
      say({ check: await lastCheck() });
    }),
  );
  api.post('/v1/images/update', (_request, reply) =>
    streamLines(reply, async (say) => {
      say({ images: await updateImages((progress) => say({ progress })) });
    }),
  );

  api.get('/v1/networks', async () => engine.networks.list());
  api.post('/v1/networks', { schema: { body: networkSpec } }, async ({ body }) =>
    engine.networks.create(body.name, body.network, body.router),
  );
  api.get('/v1/networks/:name', { schema: { params: named } }, async ({ params }) => engine.showNetwork(params.name));
  api.patch('/v1/networks/:name', { schema: { params: named, body: networkChange } }, async ({ params, body }) => {
    const { names, published, loadBalancers } = body;
    return engine.networks.change(params.name, {
      ...(names && { names }),
      ...(published && { published }),
      ...(loadBalancers && {
        loadBalancers: loadBalancers.map(({ externalAddress, ...rest }) => ({
          ...rest,
          ...(externalAddress && { externalAddress }),
        })),
      }),
    });
  });
  api.delete('/v1/networks/:name', { schema: { params: named } }, async ({ params }) => {
    await engine.networks.delete(params.name);
    return {};
  });

  api.get('/v1/machines', async () => engine.listMachines());
  api.post('/v1/machines', { schema: { body: machineSpec } }, async ({ body }) => engine.createMachine(body));
  api.patch('/v1/machines/:name', { schema: { params: named, body: machineSize } }, async ({ params, body }) =>
    engine.resizeMachine(params.name, body),
  );
  api.delete('/v1/machines/:name', { schema: { params: named } }, async ({ params }) => {
    await engine.deleteMachine(params.name);
    return {};
  });
  api.post('/v1/machines/:name/start', { schema: { params: named } }, async ({ params }) => {
    await engine.startMachine(params.name);
    return {};
  });
  api.post('/v1/machines/:name/restart', { schema: { params: named } }, async ({ params }) => {
    await engine.restartMachine(params.name);
    return {};
  });
  api.post('/v1/machines/:name/stop', { schema: { params: named } }, async ({ params }) => {
    await engine.stopMachine(params.name);
    return {};
  });
  api.get('/v1/machines/:name/console', { schema: { params: named } }, async ({ params }) => ({
    console: await engine.machineConsole(params.name),
  }));
  api.get('/v1/machines/:name/usage', { schema: { params: named } }, async ({ params }) =>
    engine.machineUsage(params.name),
  );

  api.get('/v1/volumes', async () => engine.listVolumes());
  api.delete('/v1/volumes/:name', { schema: { params: named } }, async ({ params }) => {
    await engine.deleteVolume(params.name);
    return {};
  });
}
