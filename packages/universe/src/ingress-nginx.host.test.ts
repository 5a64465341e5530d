import { type ChildProcess, execFile as execFileWithCallback, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, chooseComponents, findBuilt, findToolchain, readComponents } from '@nova-platform/distro';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { releaseFolder } from '../../installer/src/release-content.ts';
import { type ControlPlane, startControlPlane } from './testing/control-plane.ts';

// The real Traefik with the arguments and permissions of the module, and ingresses in a real API server.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const execFile = promisify(execFileWithCallback);
const module = join(releaseFolder(), 'modules/ingress');
/** Endpoints cannot have loopback addresses. */
const backendAddress = '192.0.2.10';
const base = 'demo.nova.local';
/** Traefik applies changes asynchronously. */
const patience = { timeout: 60_000, interval: 200 };
const running: ChildProcess[] = [];
let folder: string;
let program: string;
let kubernetes: ControlPlane;
let backend: Server;
/** Ports of the controllers of each set. */
let ports: Record<'ingress' | 'infra' | 'sharedInfra', number>;

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function applied(text: string): Promise<void> {
  expect(await kubernetes.kubectl(['apply', '--server-side', '-f', '-'], text)).toMatchObject({ exitCode: 0 });
}

/** A kubeconfig with the service account of the controllers. */
async function kubeconfig(): Promise<string> {
  const { status } = await kubernetes.api.create<{ status: { token: string } }>(
    '/api/v1/namespaces/nova-ingress/serviceaccounts/traefik/token',
    { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } },
  );
  const { host, port, ca } = kubernetes.access;
  const path = join(folder, 'kubeconfig');
  const cluster = { server: `https://${host}:${port}`, 'certificate-authority-data': btoa(ca) };
  await writeFile(
    path,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster }],
      users: [{ name: 'test', user: { token: status.token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
      'current-context': 'test',
    }),
  );
  return path;
}

/** Starts the controller of a manifest on other ports; returns its HTTP port. */
async function startTraefik(manifest: string, values: Record<string, string>): Promise<number> {
  const text = (await readFile(join(module, manifest), 'utf8')).replaceAll(
    /\$\{(\w+)(?::=\w+)?\}/g,
    (_, name: string) => values[name] ?? '',
  );
  const { spec } = parse(text) as { spec: { template: { spec: { containers: { args: string[] }[] } } } };
  const web = await freePort();
  const args = await Promise.all(
    (spec.template.spec.containers[0]?.args ?? []).map(async (arg) => {
      const [, entryPoint] = /^(--entrypoints\.(\w+)\.address=):\d+/.exec(arg) ?? [];
      if (entryPoint === undefined) return arg;
      const port = entryPoint.includes('.web.') ? web : await freePort();
      return arg.replace(/:\d+/, `127.0.0.1:${port}`);
    }),
  );
  const child = spawn(program, args, {
    env: { KUBECONFIG: await kubeconfig() },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  running.push(child);
  return web;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-ingress-'));
  const [component] = chooseComponents(await readComponents(), ['traefik']);
  const built = component && (await findBuilt(component, await findToolchain(cacheFolder(), () => undefined)));
  if (!built) throw new Error('traefik is not built');
  program = join(built.folder, 'bin/traefik');

  await execFile('ip', ['address', 'add', `${backendAddress}/32`, 'dev', 'lo']);
  backend = createServer((request, response) => response.end(`path ${request.url}`)).listen(0, backendAddress);
  await once(backend, 'listening');

  kubernetes = await startControlPlane();
  for (const namespace of ['nova-ingress', 'shop']) await kubernetes.kubectl(['create', 'namespace', namespace]);
  await applied(await readFile(join(built.folder, 'files/crds/traefik.yaml'), 'utf8'));
  await applied(
    (await readFile(join(module, 'access.yaml'), 'utf8')).replace('name: traefik', '$&\n  namespace: nova-ingress'),
  );
  await applied(await readFile(join(module, 'classes.yaml'), 'utf8'));
  const { port } = backend.address() as { port: number };
  const metadata = { name: 'web', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } };
  await applied(
    JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80, targetPort: port }] } }),
  );
  await applied(
    JSON.stringify({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata,
      addressType: 'IPv4',
      ports: [{ name: '', port }],
      endpoints: [{ addresses: [backendAddress], conditions: { ready: true } }],
    }),
  );
  // `swordfish` in the format of htpasswd.
  const auth = 'ann:{SHA}T1cYHcqt6YBVXyzmdVykJfAGWL4=';
  await kubernetes.kubectl(['-n', 'shop', 'create', 'secret', 'generic', 'users', `--from-literal=auth=${auth}`]);
  ports = {
    ingress: await startTraefik('ingress.yaml', {}),
    infra: await startTraefik('infra.yaml', { infraIngressClass: 'nova-infra', infraNginxClass: 'none' }),
    sharedInfra: await startTraefik('infra.yaml', { infraIngressClass: '', infraNginxClass: 'nginx' }),
  };
  await publish('ready', {});
  for (const set of ['ingress', 'sharedInfra'] as const)
    await vi.waitUntil(async () => (await status(set, 'ready', '/')) === 200, patience);
});
afterAll(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await kubernetes[Symbol.asyncDispose]();
  backend.close();
  await execFile('ip', ['address', 'del', `${backendAddress}/32`, 'dev', 'lo']);
  await rm(folder, { recursive: true });
});

/** An ingress with annotations of ingress-nginx, for a host with this name. */
async function publish(name: string, annotations: Record<string, string>, path = '/'): Promise<void> {
  const prefixed = Object.entries(annotations).map(([key, value]) => [`nginx.ingress.kubernetes.io/${key}`, value]);
  const service = { name: 'web', port: { number: 80 } };
  await applied(
    JSON.stringify({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name, namespace: 'shop', annotations: Object.fromEntries(prefixed) },
      spec: {
        ingressClassName: 'nginx',
        rules: [
          {
            host: `${name}.${base}`,
            http: { paths: [{ path, pathType: 'ImplementationSpecific', backend: { service } }] },
          },
        ],
      },
    }),
  );
}

async function curl(set: keyof typeof ports, name: string, path: string, ...args: string[]): Promise<string> {
  const url = `http://127.0.0.1:${ports[set]}${path}`;
  const { stdout } = await execFile('curl', ['-s', '--max-time', '5', '-H', `Host: ${name}.${base}`, ...args, url]);
  return stdout;
}

async function status(set: keyof typeof ports, name: string, path: string, ...args: string[]): Promise<number> {
  return Number(await curl(set, name, path, '-o', '/dev/null', '-w', '%{http_code}', ...args).catch(() => '0'));
}

test('rewrite-target replaces the path with the matched part', async () => {
  await publish('rewrite', { 'rewrite-target': '/$2', 'use-regex': 'true' }, '/old(/|$)(.*)');
  await expect.poll(() => status('ingress', 'rewrite', '/old/page'), patience).toBe(200);
  expect(await curl('ingress', 'rewrite', '/old/page')).toBe('path /page');
});

test('permanent-redirect redirects', async () => {
  await publish('moved', { 'permanent-redirect': 'https://new.mycompany.local/' });
  await expect.poll(() => status('ingress', 'moved', '/'), patience).toBe(301);
  expect(await curl('ingress', 'moved', '/', '-i')).toMatch(/^location: https:\/\/new\.mycompany\.local\/\r$/im);
});

test('auth-type and auth-secret require a password', async () => {
  await publish('closed', { 'auth-type': 'basic', 'auth-secret': 'users', 'auth-realm': 'Staff' });
  await expect.poll(() => status('ingress', 'closed', '/'), patience).toBe(401);
  expect(await status('ingress', 'closed', '/', '-u', 'ann:swordfish')).toBe(200);
  expect(await status('ingress', 'closed', '/', '-u', 'ann:other')).toBe(401);
});

test('whitelist-source-range refuses other addresses', async () => {
  await publish('inside', { 'whitelist-source-range': '10.99.0.0/16' });
  await expect.poll(() => status('ingress', 'inside', '/'), patience).toBe(403);
});

test('enable-cors allows preflight requests', async () => {
  await publish('cors', { 'enable-cors': 'true', 'cors-allow-origin': 'https://ui.mycompany.local' });
  const preflight = [
    '-i',
    '-X',
    'OPTIONS',
    '-H',
    'Origin: https://ui.mycompany.local',
    '-H',
    'Access-Control-Request-Method: GET',
  ];
  await expect
    .poll(() => curl('ingress', 'cors', '/', ...preflight), patience)
    .toMatch(/^access-control-allow-origin: https:\/\/ui\.mycompany\.local\r$/im);
});

test('infra nodes serve ingresses of applications only if they are ingress nodes as well', async () => {
  expect(await status('sharedInfra', 'ready', '/')).toBe(200);
  expect(await status('infra', 'ready', '/')).toBe(404);
});

test('an ingress with a snippet is not served', async () => {
  await publish('snippet', { 'configuration-snippet': 'more_set_headers "X-Own: yes";' });
  await publish('later', {});
  await expect.poll(() => status('ingress', 'later', '/'), patience).toBe(200);
  expect(await status('ingress', 'snippet', '/')).toBe(404);
});
