import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createRequest, type Identity, SimulatedAgent } from '@nova-platform/config-manager/testing';
import type { ConfigClient } from '@nova-platform/contracts/config-manager/client';
import { configClient } from '@nova-platform/contracts/config-manager/client';
import { type UniverseClient, universeClient } from '@nova-platform/contracts/universe/client';
import { serveRepositories } from '@nova-platform/git';
import { apiClient, type Connection } from '@nova-platform/http/client';
import type { TofuFolders } from '@nova-platform/infra';
import { defaultSite, type Site } from '@nova-platform/plan';
import type { StoreLocation } from '@nova-platform/store';
import { pino } from 'pino';
import type { Limits } from '../limits.ts';
import type { Role } from '../store/schema.ts';
import { createUniverse, type Universe } from '../universe.ts';

export interface SendOptions {
  method?: string;
  /** Sent as a bearer token. */
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: object | string | Buffer;
  /** A node's certificate. */
  identity?: Identity | undefined;
  /** The source address of the request. */
  from?: string;
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  /** The body, if it is JSON. */
  json: Record<string, unknown> & { code?: string; problems?: { code: string }[] };
}

export interface TestUniverse {
  universe: Universe;
  folder: string;
  port: number;
  /** The CA of the server's certificate. */
  ca: string;
  /** The connection of clients with this token. */
  connection: (token?: string) => Extract<Connection, { port: number }>;
  /** A client with the permissions of root on the host. */
  local: UniverseClient;
  localNodes: ConfigClient;
  client: (token: string) => UniverseClient;
  /** A token of a user with that role. The user is created on first use, and named after the role. */
  token: (role: Role) => Promise<string>;
  /** Sends a request exactly as given. */
  send: (path: string, asked?: SendOptions) => Promise<Answer>;
  /** Sends a request over the local socket. */
  sendLocally: (path: string, asked?: SendOptions) => Promise<Answer>;
  /** Enrols a node with the Configuration Manager like an agent. */
  enrolled: (name: string) => Promise<SimulatedAgent & { identity: Identity }>;
  git: { close: () => void };
  /** The log so far. */
  log: () => string;
  stop: () => Promise<void>;
  start: () => Promise<void>;
  /** Stops Universe and starts it again with the same data and ports. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
}

export const testPassword = 'correct horse battery';

/** Starts a Universe for one test, on free ports of this host. */
export async function startTestUniverse(
  options: {
    store?: StoreLocation;
    registrySocket?: string;
    site?: Site;
    console?: string;
    limits?: Limits;
    tofu?: TofuFolders;
  } = {},
): Promise<TestUniverse> {
  const folder = await mkdtemp(join(tmpdir(), 'nova-universe-'));
  let log = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  const socket = join(folder, 'universe.sock');
  const start = (port: number, configPort: number) =>
    createUniverse({
      data: join(folder, 'data'),
      store: options.store,
      site: options.site ?? defaultSite,
      listen: { host: '127.0.0.1', port },
      socket,
      config: { listen: { host: '127.0.0.1', port: configPort }, socket: join(folder, 'config.sock') },
      registrySocket: options.registrySocket ?? join(folder, 'registry.sock'),
      git: { folder: join(folder, 'git'), socket: join(folder, 'git.sock') },
      resolver: { corefile: join(folder, 'resolver', 'Corefile'), servers: [], healthPort: 1 },
      console: options.console,
      tofu: options.tofu,
      limits: options.limits,
      logger: pino(sink),
    });
  const universe = await start(0, 0);
  const git = await serveRepositories({
    folder: join(folder, 'git'),
    socket: join(folder, 'git.sock'),
    log: (line) => sink.write(line),
  });
  const localClient = apiClient({ socketPath: socket }, (error) => error);
  const agents: SimulatedAgent[] = [];
  const tokens = new Map<Role, string>();

  const test: TestUniverse = {
    universe,
    folder,
    port: universe.port,
    ca: await universe.parts.config.services.authorities.bundle(),
    connection: (token) => ({
      host: '127.0.0.1',
      port: test.port,
      ca: test.ca,
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    }),
    local: universeClient(localClient),
    localNodes: configClient(localClient, '/api'),
    client: (token) => universeClient(apiClient(test.connection(token), (error) => error)),
    token: async (role) => {
      const known = tokens.get(role);
      if (known !== undefined) return known;
      await test.local.createUser({ body: { name: role, role, password: testPassword } });
      const body = { name: 'test', role, seconds: 3600, user: role };
      const { token } = await test.local.createAccessToken({ body });
      tokens.set(role, token);
      return token;
    },
    send: (path, { identity, from, ...asked } = {}) =>
      send(
        httpsRequest,
        { ...asked, path },
        {
          host: '127.0.0.1',
          port: test.port,
          ca: test.ca,
          agent: false,
          ...(identity && { key: identity.key, cert: identity.certificate }),
          ...(from !== undefined && { localAddress: from }),
        },
      ),
    sendLocally: (path, asked = {}) => send(httpRequest, { ...asked, path }, { socketPath: socket }),
    enrolled: async (name) => {
      const { token } = await test.localNodes.createToken({ body: { node: name, lifetimeSeconds: 60 } });
      const agent = new SimulatedAgent(name, test.universe.parts.config.port);
      agents.push(agent);
      const { status, body } = await agent.enrol(token, await createRequest(name, { token }));
      if (status !== 200) throw new Error(`${name} is not enrolled: ${body}`);
      return agent as SimulatedAgent & { identity: Identity };
    },
    git,
    log: () => log,
    stop: () => test.universe.close(),
    start: async () => {
      test.universe = await start(test.port, test.universe.parts.config.port);
      for (const agent of agents) agent.reconnect();
    },
    restart: async () => {
      await test.stop();
      await test.start();
    },
    close: async () => {
      for (const agent of agents) agent.close();
      await test.universe.close();
      git.close();
      await rm(folder, { recursive: true });
    },
  };
  return test;
}

/** Documents of a cluster with one node that has all roles. */
export function documentsOf(
  cluster: string,
  {
    network = '10.20.0.0/24',
    proxyPassword,
    workers = 0,
  }: { network?: string; proxyPassword?: string; workers?: number } = {},
): string {
  const document = (kind: string, version: string, spec: object) =>
    JSON.stringify({ apiVersion: `config.nova-platform.io/${version}`, kind, metadata: { name: 'cluster' }, spec });
  const proxy = { server: 'http://172.31.100.100', port: 3128, username: 'nova', password: proxyPassword };
  return [
    document('Infrastructure', 'v1alpha4', {
      provider: { type: 'local' },
      nodeGroups: [
        { name: 'main', roles: ['control-plane', 'infra', 'ingress', 'worker'] },
        ...(workers > 0 ? [{ name: 'work', roles: ['worker'], count: workers }] : []),
      ],
      clusterConfiguration: { dnsBaseDomain: `${cluster}.nova.local`, nodeNetwork: network },
    }),
    ...(proxyPassword === undefined ? [] : [document('Proxy', 'v1alpha1', { httpProxy: proxy, httpsProxy: proxy })]),
  ].join('\n---\n');
}

/** Waits until the condition is true. */
export async function eventually(isSo: () => boolean | Promise<boolean>, seconds = 10): Promise<void> {
  for (let left = seconds * 50; left > 0; left -= 1) {
    if (await isSo()) return;
    await new Promise((wake) => setTimeout(wake, 20));
  }
  throw new Error('the condition did not become true');
}

function send(
  request: typeof httpsRequest | typeof httpRequest,
  { method = 'GET', token, headers = {}, body, path }: SendOptions & { path: string },
  target: RequestOptions,
): Promise<Answer> {
  const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body);
  const content = isJson ? JSON.stringify(body) : body;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        ...target,
        method,
        path,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(isJson && { 'content-type': 'application/json' }),
          ...(content !== undefined && { 'content-length': String(Buffer.byteLength(content as string)) }),
          ...headers,
        },
      },
      (response) => {
        buffer(response).then((bytes) => {
          const text = bytes.toString();
          const isObject = /[/+]json/.test(response.headers['content-type'] ?? '') && text !== '';
          const json = (isObject ? JSON.parse(text) : {}) as Answer['json'];
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
        }, reject);
      },
    );
    outgoing.once('error', reject).end(content);
  });
}
