import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { ProblemError, problem } from '@nova-platform/api';
import { clientContract, clusterContract, hostContract, storageContract } from '@nova-platform/contracts/engine';
import { ovirtClientName, ovirtUser } from '@nova-platform/contracts/ovirt';
import { createHttpApi, type Handlers, type HttpApi, serve } from '@nova-platform/http';
import type { Issuer } from '@nova-platform/pki';
import { assertConsole, refusal, restrictToClusters } from './clients/access.ts';
import { certifyServer } from './clients/authority.ts';
import { type Clients, checkedKey } from './clients/clients.ts';
import { consoleOf, serveConsole } from './console-stream.ts';
import { serveContent } from './content-routes.ts';
import type { Engine } from './engine.ts';
import { serveExec } from './exec-stream.ts';
import { hostFeatures } from './host/features.ts';
import { isOvirtOn } from './host/ovirt-switch.ts';
import { buildImage, pruneImages } from './images/build.ts';
import { checkedImages, checkImages, lastCheck } from './images/check.ts';
import { updateImages } from './images/update.ts';
import { refuse } from './upgrade.ts';

const title = 'Nova engine';
const bodyLimit = 4 * 1024 * 1024;

export interface Served {
  engine: Engine;
  issuer: Issuer;
  clients: Clients;
  /** The version of this program. */
  version: string;
}

/** The whole API, for root on this host: any client that can open the socket has full access. */
export async function createLocalApi(served: Served): Promise<HttpApi> {
  const api = await createHttpApi({ title, bodyLimit });
  serve(api, clusterContract, clusterHandlers(served));
  serve(api, storageContract, storageHandlers(served));
  serve(api, hostContract, hostHandlers(served));
  serveContent(api, served.engine.contents);
  // The connection becomes a console of a machine, or the streams of a command in it.
  api.server.on('upgrade', (request, socket: Duplex, head: Buffer) => {
    const console = consoleOf(request);
    if (console) void serveConsole(served.engine, console, socket, head);
    else void serveExec(served.engine, request, socket);
  });
  return api;
}

/** The part of the API that clusters need, for clients with a certificate of the engine's CA. */
export async function createClientApi(served: Served, host: string, secure: SecureContextOptions): Promise<HttpApi> {
  const tls = { ...secure, requestCert: true, rejectUnauthorized: true };
  const api = await createHttpApi({ title, bodyLimit, requestTimeout: 30_000, tls });
  restrictToClusters(api, served.clients);
  api.server.on('upgrade', (request, socket: Duplex, head: Buffer) => {
    const console = consoleOf(request);
    assertConsole(served.clients, request, console?.name).then(
      () => console && serveConsole(served.engine, console, socket, head),
      (error: unknown) => refuse(socket, error),
    );
  });
  serve(api, clusterContract, clusterHandlers(served));
  serve(api, storageContract, storageHandlers(served));
  serve(api, clientContract, {
    renewCertificate: async ({ body, request }) => served.clients.renew(certificateOf(request), body.publicKey),
    certifyServer: async ({ body, request }) => {
      // Any other client could impersonate this server.
      if (served.clients.nameOf(certificateOf(request)) !== ovirtClientName) throw refusal(request.method, request.url);
      const { issuer } = served;
      const certificate = await certifyServer(issuer, ovirtUser, host, checkedKey(body.publicKey));
      return { certificate, authority: issuer.certificate };
    },
  });
  return api;
}

function clusterHandlers({ engine, version }: Served): Handlers<typeof clusterContract> {
  return {
    health: async () => ({ status: 'ok', version }),
    showHost: async () => {
      const maintenance = await engine.maintenance();
      return { ...(await hostFeatures()), ...(maintenance && { maintenance }) };
    },
    listImages: async () => checkedImages(),

    listNetworks: async () => engine.networks.list(),
    createNetwork: async ({ body: { name, network, router, ...settings } }) =>
      engine.networks.create(name, network, router, settings),
    showNetwork: async ({ params }) => engine.showNetwork(params.name),
    changeNetwork: async ({ params, body }) => engine.networks.change(params.name, body),
    deleteNetwork: ({ params }) => done(engine.networks.delete(params.name)),

    listMachines: async () => engine.listMachines(),
    createMachine: async ({ body }) => engine.createMachine(body),
    resizeMachine: async ({ params, body }) => engine.resizeMachine(params.name, body),
    connectMachine: async ({ params, body }) => engine.connectMachine(params.name, body),
    disconnectMachine: async ({ params }) => engine.disconnectMachine(params.name),
    deleteMachine: ({ params }) => done(engine.deleteMachine(params.name)),
    startMachine: ({ params }) => done(engine.startMachine(params.name)),
    restartMachine: ({ params }) => done(engine.restartMachine(params.name)),
    stopMachine: ({ params }) => done(engine.stopMachine(params.name)),
    machineConsole: async ({ params }) => ({ console: await engine.machineConsole(params.name) }),
    machineUsage: async ({ params }) => engine.machineUsage(params.name),
  };
}

function storageHandlers({ engine }: Served): Handlers<typeof storageContract> {
  const { disks, snapshots, templates } = engine;
  return {
    listDisks: async () => disks.list(),
    createDisk: async ({ body }) => disks.create(body),
    growDisk: async ({ params, body }) => disks.grow(params.name, body.sizeMebibytes),
    deleteDisk: ({ params }) => done(disks.delete(params.name)),
    attachDisk: async ({ params, body }) => disks.attach(params.name, params.disk, body.path),
    detachDisk: async ({ params }) => disks.detach(params.name, params.disk),

    listSnapshots: async ({ params }) => snapshots.list(params.name),
    createSnapshot: async ({ params, body }) => snapshots.create(params.name, body),
    restoreSnapshot: async ({ params }) => engine.restoreSnapshot(params.name, params.snapshot),
    deleteSnapshot: ({ params }) => done(snapshots.delete(params.name, params.snapshot)),

    createTemplate: async ({ body }) => templates.create(body),
    deleteTemplate: ({ params }) => done(engine.deleteTemplate(params.name)),
  };
}

function hostHandlers({ engine, clients }: Served): Handlers<typeof hostContract> {
  return {
    listOpenPorts: async () => engine.networks.openPorts(),
    changeOpenPorts: async ({ body }) => engine.networks.changeOpenPorts(body),

    showOvirt: async () => ({ isOn: await isOvirtOn() }),
    changeOvirt: ({ body }) => done(engine.networks.changeOvirt(body.isOn)),
    changeMaintenance: async ({ body }) => {
      await (body.isOn ? engine.enterMaintenance() : engine.leaveMaintenance());
      return {};
    },

    buildImage: async ({ params }, say) =>
      say({ image: await buildImage(params.name, (progress) => say({ progress })) }),
    pruneImages: async () => ({ removed: await pruneImages() }),
    lastCheck: async () => lastCheck(),
    checkImages: async (_asked, say) => {
      await checkImages((progress) => say({ progress }));
      say({ check: await lastCheck() });
    },
    updateImages: async (_asked, say) => say({ images: await updateImages((progress) => say({ progress })) }),

    listVolumes: async () => engine.listVolumes(),
    deleteVolume: ({ params }) => done(engine.deleteVolume(params.name)),

    createClient: async ({ body }) => clients.issue(body.name, body.publicKey),
    listClients: async () => clients.list(),
    revokeClient: async ({ params: { name } }) => {
      if ((await clients.revoke(name)) === 0) throw new ProblemError(problem('NOVA7072', { name }));
      return {};
    },
  };
}

function certificateOf({ raw }: { raw: IncomingMessage }): X509Certificate {
  return (raw.socket as TLSSocket).getPeerX509Certificate() as X509Certificate;
}

async function done(work: Promise<void>): Promise<Record<string, never>> {
  await work;
  return {};
}
