import type { Duplex } from 'node:stream';
import { ProblemError, problem } from '@nova-platform/api';
import { createHttpApi, type Route, type RouteCall, serve } from '@nova-platform/http';
import {
  type CertificateUsage,
  createKeyPair,
  createStandaloneAuthority,
  issueCertificate,
  openAuthority,
} from '@nova-platform/pki';
import type { EngineClient } from './client.ts';
import type { ConsoleKind } from './consoles.ts';
import {
  clientContract,
  clusterContract,
  type Disk,
  engineServerName,
  type HostFeatures,
  type Image,
  type MachineStatus,
  type Snapshot,
} from './contract.ts';
import { serveConsoles } from './testing-consoles.ts';
import { assertNew, createdAt, found, newDisk, newSnapshot, serveStorage } from './testing-storage.ts';

type Network = Awaited<ReturnType<EngineClient['networks']>>[number];

const gibibyte = 1024 ** 3;
const host: HostFeatures = {
  processors: 8,
  load: 1.5,
  memory: { totalBytes: 32 * gibibyte, freeBytes: 20 * gibibyte },
  disk: { totalBytes: 500 * gibibyte, freeBytes: 320 * gibibyte, canLimit: true },
  kernel: {
    release: '6.12.0',
    cgroupVersion: 2,
    nftables: true,
    iptablesLegacy: true,
    iptablesNft: true,
    ipvs: true,
    bridgeNetfilter: true,
    conntrack: true,
  },
  hasKvm: false,
  inotifyInstances: 8192,
  networks: [{ name: 'eth0', network: '192.0.2.0/24' }],
};

/** An engine without machines: it keeps what is declared, and answers as the real one does. */
export interface TestEngine {
  machines: Map<string, MachineStatus>;
  networks: Map<string, Network>;
  images: Image[];
  disks: Map<string, Disk>;
  snapshots: Map<string, Snapshot[]>;
  /** New machines are created, but do not boot. */
  isBootFailing: boolean;
  /** Called for each request for a console; until it resolves, there is no response. */
  beforeConsole: () => Promise<void>;
  /** What is at the other end of a console; by default it echoes. */
  console: (socket: Duplex, name: string, kind: ConsoleKind) => void;
  /** Adds a running machine. */
  addMachine: (name: string, network?: string, more?: Partial<MachineStatus>) => void;
  addNetwork: (name: string, network: string) => void;
  /** Adds a disk, attached to the machine if there is one. */
  addDisk: (name: string, machine?: string) => void;
  addSnapshot: (machine: string, name: string, description?: string) => void;
  /** Called when a snapshot or a template has been created, before the response. */
  afterCreation: (request: RouteCall<Route>['request']) => void;
  /** What a client with this key needs to connect. */
  identityFor: (publicKey: string) => Promise<{ certificate: string; authority: string; host: string; port: number }>;
  close: () => Promise<void>;
}

export async function createTestEngine(): Promise<TestEngine> {
  const issuer = await openAuthority(
    await createStandaloneAuthority({ subject: { commonName: 'engine', organizations: [] }, lifetimeHours: 24 }),
  );
  const address = '127.0.0.1';
  const certify = async (name: string, publicKey: string, usage: CertificateUsage) => {
    const subject = { commonName: name, organizations: [] };
    const order = { subject, publicKey, dnsNames: [], addresses: [address], usages: [usage], lifetimeHours: 24 };
    return { certificate: (await issueCertificate(issuer, order)).certificate, authority: issuer.certificate };
  };
  const { privateKey: key, publicKey } = await createKeyPair();
  const tls = {
    key,
    cert: (await certify(engineServerName, publicKey, 'server auth')).certificate,
    ca: issuer.certificate,
    requestCert: true,
    rejectUnauthorized: true,
  };
  const api = await createHttpApi({ title: 'engine', tls });
  const engine: TestEngine = {
    machines: new Map(),
    networks: new Map(),
    images: ['node', 'kubernetes-node', 'universe'].map((name) => ({
      name,
      digest: `sha256:${'a'.repeat(64)}`,
      kind: 'container',
      layers: ['/layer'],
      isBuilt: true,
      isTemplate: false,
      packagesFrom: createdAt,
    })),
    disks: new Map(),
    snapshots: new Map(),
    isBootFailing: false,
    beforeConsole: async () => undefined,
    console: (socket) => socket.pipe(socket),
    afterCreation: () => undefined,
    addMachine: (name, network, more = {}) =>
      engine.machines.set(name, {
        id: `id-${name}`,
        name,
        kind: 'container',
        state: 'running',
        image: 'node',
        imageDigest: `sha256:${'a'.repeat(64)}`,
        ...(network !== undefined && cardIn(engine, network)),
        createdAt,
        cpu: 1,
        memoryMebibytes: 512,
        diskMebibytes: 10_240,
        isDiskLimited: true,
        ...more,
      }),
    addNetwork: (name, network) =>
      engine.networks.set(name, {
        name,
        network,
        gateway: `${prefixOf(network)}.1`,
        router: { name: `${name}-router`, externalAddress: '172.30.0.20', transitAddress: '100.64.0.20' },
        externalGateway: '172.30.0.1',
        names: [],
        published: [],
        loadBalancers: [],
        wanted: 'present',
      }),
    addDisk: (name, machine) =>
      engine.disks.set(name, {
        ...newDisk({ name, format: 'block', sizeMebibytes: 10_240 }),
        ...(machine !== undefined && { machine }),
      }),
    addSnapshot: (machine, name, description = '') =>
      engine.snapshots.set(machine, [...(engine.snapshots.get(machine) ?? []), newSnapshot({ name, description })]),
    identityFor: async (key) => {
      const { port } = api.server.address() as { port: number };
      return { ...(await certify('client', key, 'client auth')), host: address, port };
    },
    close: async () => {
      for (const each of consoles) each.destroy();
      await api.close();
    },
  };
  serveMachines(api, engine);
  serveStorage(api, engine);
  serve(api, clientContract, {
    renewCertificate: ({ body }) => certify('client', body.publicKey, 'client auth'),
    certifyServer: ({ body }) => certify('server', body.publicKey, 'server auth'),
  });
  const consoles = serveConsoles(api, engine);
  await api.listen({ host: address, port: 0 });
  return engine;
}

type Api = Awaited<ReturnType<typeof createHttpApi>>;

function serveMachines(api: Api, engine: TestEngine): void {
  const { machines, networks, images, addMachine, addNetwork } = engine;
  const change = (name: string, what: Partial<MachineStatus>): MachineStatus => {
    const changed = { ...found('machine', machines, name), ...what };
    machines.set(name, changed);
    return changed;
  };
  const card = ({ network: _network, address: _address, mac: _mac, ...rest }: MachineStatus) => rest;
  serve(api, clusterContract, {
    health: async () => ({ status: 'ok', version: '0.1.0' }),
    showHost: async () => host,
    listImages: async () => images,
    listNetworks: async () => [...networks.values()],
    createNetwork: async ({ body: { name, network } }) => {
      assertNew('network', networks, name);
      addNetwork(name, network);
      return found('network', networks, name);
    },
    showNetwork: async ({ params: { name } }) => {
      const { network, gateway, router, names } = found('network', networks, name);
      const own = [...machines.values()].filter((machine) => machine.network === name);
      return {
        name,
        network,
        router: {
          name: router.name,
          ports: [{ network: name, address: `${gateway}/24`, mac: '0a:00:00:00:00:01' }],
          routes: [],
          nat: [{ type: 'snat', externalAddress: router.externalAddress ?? '', address: network, ports: [] }],
        },
        ports: own.map((machine) => ({
          name: machine.name,
          mac: machine.mac ?? '',
          address: machine.address ?? '',
          up: machine.state === 'running',
        })),
        names: names.map((each) => ({ ...each, addresses: [...each.addresses] })),
        loadBalancers: [],
        machines: own,
      };
    },
    changeNetwork: async ({ params: { name } }) => found('network', networks, name),
    deleteNetwork: async ({ params: { name } }) => {
      const own = [...machines.values()].filter(({ network }) => network === name).map((each) => each.name);
      if (own.length > 0) throw new ProblemError(problem('NOVA7024', { network: name, machines: own.join(', ') }));
      networks.delete(name);
      return {};
    },
    listMachines: async () => [...machines.values()],
    createMachine: async ({ body }) => {
      const { name, image, network, address, cpu, memoryMebibytes, diskMebibytes, isStarted } = body;
      assertNew('machine', machines, name);
      const size = {
        cpu,
        memoryMebibytes,
        ...(diskMebibytes !== undefined && { diskMebibytes }),
        ...(address !== undefined && { address }),
      };
      const kind = images.find((each) => each.name === image)?.kind ?? 'container';
      if (engine.isBootFailing) {
        addMachine(name, network, { image, kind, ...size });
        throw new ProblemError(problem('NOVA7013', { name }));
      }
      addMachine(name, network, { image, kind, state: isStarted ? 'running' : 'stopped', ...size });
      return found('machine', machines, name);
    },
    resizeMachine: async ({ params: { name }, body }) =>
      change(name, Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))),
    connectMachine: async ({ params: { name }, body: { network, address } }) =>
      change(name, { ...cardIn(engine, network), ...(address !== undefined && { address }) }),
    disconnectMachine: async ({ params: { name } }) => {
      machines.set(name, card(found('machine', machines, name)));
      return found('machine', machines, name);
    },
    deleteMachine: async ({ params: { name } }) => {
      machines.delete(name);
      return {};
    },
    startMachine: async ({ params: { name } }) => {
      change(name, { state: 'running' });
      return {};
    },
    restartMachine: async ({ params: { name } }) => {
      change(name, { state: 'running' });
      return {};
    },
    stopMachine: async ({ params: { name } }) => {
      change(name, { state: 'stopped' });
      return {};
    },
    machineConsole: async ({ params: { name } }) => ({
      console: `${found('machine', machines, name).name} login: \n`,
    }),
    machineUsage: async ({ params: { name } }) => {
      const { memoryMebibytes } = found('machine', machines, name);
      return { memory: memoryMebibytes * 1024 ** 2 * 0.4, disk: 1.2 * gibibyte };
    },
  });
}

/** `10.30.0` of `10.30.0.0/24`. */
function prefixOf(network: string): string {
  return network.split('.').slice(0, 3).join('.');
}

function cardIn({ machines, networks }: TestEngine, network: string) {
  const prefix = prefixOf(networks.get(network)?.network ?? '10.0.0.0/24');
  return { network, address: `${prefix}.${10 + machines.size}`, mac: '0a:00:0a:1e:00:0a' };
}
