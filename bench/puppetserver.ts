import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Identity } from './agents.ts';

const run = promisify(execFile);

export interface BenchResource {
  type: 'file' | 'exec' | 'service' | 'group' | 'user';
  title: string;
  parameters: Record<string, string | boolean | number>;
}

export interface Puppetserver {
  url: string;
  /** The CA certificate of the server, as PEM. */
  ca: string;
  identity(name: string): Identity;
  pid: number;
  /** Resident memory of its JVM. */
  memoryBytes(): number;
  stop(): Promise<void>;
}

/** All files of one puppetserver; it writes nothing elsewhere. */
interface Folder {
  root: string;
  port: number;
}

const shipped = '/etc/puppet';
const host = 'localhost';
const readyWithinSeconds = 240;
const stopWithinSeconds = 30;

export async function installPuppetserver(say: (line: string) => void): Promise<void> {
  if (existsSync('/usr/share/puppetserver/puppetserver.jar')) return;
  say('installing puppetserver');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) => run('apt-get', ['-q', '-y', ...args], { env, maxBuffer: 64 * 2 ** 20 });
  await withoutServices(async () => {
    await apt('update');
    await apt('install', '--no-install-recommends', 'puppetserver');
  });
}

/** Debian calls this program before a package starts its service; exit code 101 forbids the start. */
async function withoutServices(work: () => Promise<void>): Promise<void> {
  const policy = '/usr/sbin/policy-rc.d';
  const kept = `${policy}.kept`;
  const existed = existsSync(policy);
  if (existed) renameSync(policy, kept);
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await work();
  } finally {
    rmSync(policy);
    if (existed) renameSync(kept, policy);
  }
}

/** Debian's puppetserver with its default settings, except for paths, port and host name. */
export async function startPuppetserver(options: {
  resources: readonly BenchResource[];
  /** Names of the agents that get a certificate. */
  clients: readonly string[];
}): Promise<Puppetserver> {
  const folder: Folder = { root: mkdtempSync(join(tmpdir(), 'puppetserver-')), port: await freePort() };
  try {
    await configure(folder);
    await writeManifest(folder, options.resources);
    await makeCertificates(folder, options.clients);
    return await start(folder);
  } catch (error) {
    remove(folder);
    throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address ? address.port : 0;
}

async function configure(folder: Folder): Promise<void> {
  const confdir = join(folder.root, 'puppet');
  await Promise.all(
    ['log', 'run', 'tmp', 'lib/jruby-gems'].map((each) => mkdir(join(folder.root, each), { recursive: true })),
  );
  for (const each of configuration) await cp(join(shipped, each), join(confdir, each), { recursive: true });
  for (const each of await readdir(confdir, { recursive: true, withFileTypes: true })) {
    if (each.isFile()) await movePaths(join(each.parentPath, each.name), folder);
  }
  await writeFile(join(confdir, 'puppet.conf'), puppetConf(folder));
}

/** Files of the package; other files there belong to a puppetserver in use. */
const configuration = [
  'hiera.yaml',
  'puppetserver/conf.d',
  'puppetserver/services.d',
  'puppetserver/logback.xml',
  'puppetserver/request-logging.xml',
];

async function movePaths(file: string, { root, port }: Folder): Promise<void> {
  const text = await readFile(file, 'utf8');
  const moved = text
    .replaceAll(shipped, join(root, 'puppet'))
    .replaceAll('/var/lib/puppetserver', join(root, 'lib'))
    .replaceAll('/var/log/puppetserver', join(root, 'log'))
    .replaceAll('/run/puppetserver', join(root, 'run'))
    .replace('ssl-host: 0.0.0.0', 'ssl-host: 127.0.0.1')
    .replace('ssl-port: 8140', `ssl-port: ${port}`);
  await writeFile(file, moved);
}

function puppetConf({ root, port }: Folder): string {
  return `[main]
certname = ${host}
server = ${host}
serverport = ${port}
ssldir = ${root}/ssl
cadir = ${root}/ca
`;
}

async function writeManifest({ root }: Folder, resources: readonly BenchResource[]): Promise<void> {
  const manifests = join(root, 'puppet/code/environments/production/manifests');
  await mkdir(manifests, { recursive: true });
  await writeFile(join(manifests, 'site.pp'), resources.map(declaration).join('\n'));
}

function declaration({ type, title, parameters }: BenchResource): string {
  const lines = Object.entries(parameters).map(([name, value]) => `  ${name} => ${literal(name, value)},`);
  return [`${type} { ${quoted(title)}:`, ...lines, '}', ''].join('\n');
}

function literal(name: string, value: string | boolean | number): string {
  if (typeof value !== 'string') return String(value);
  return relationships.has(name) ? reference(value) : quoted(value);
}

const relationships = new Set(['before', 'require', 'notify', 'subscribe']);

/** Converts `File[/etc/hosts]`, the form in catalogs, to `File['/etc/hosts']`. */
function reference(value: string): string {
  return value.replace(/^(\w+)\[(.*)\]$/s, (_, type: string, title: string) => `${type}[${quoted(title)}]`);
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** `--ca-client` creates certificates without the running server. Its other permissions make no request cheaper. */
async function makeCertificates({ root }: Folder, clients: readonly string[]): Promise<void> {
  const config = ['--config', join(root, 'puppet/puppet.conf')];
  const names = ['--subject-alt-names', `DNS:${host},IP:127.0.0.1`];
  await run('puppetserver', ['ca', 'setup', ...config, ...names]);
  await run('puppetserver', ['ca', 'generate', ...config, '--ca-client', '--certname', clients.join(',')]);
  // The certificates are created as root, but the server runs as the package's user.
  await run('chown', ['-R', 'puppet:puppet', root]);
}

/** Killed together with its parent, so that a killed benchmark does not leave a gigabyte of memory in use. */
const asPackageUser = ['--pdeathsig', 'KILL', '--reuid', 'puppet', '--regid', 'puppet', '--init-groups'];

/**
 * The command of the package's systemd unit; `exec` makes the child the JVM itself. The JVM's shared counters and
 * temporary files would stay in /tmp.
 */
const command = `
umask 027
. /etc/default/puppetserver
exec /usr/bin/java $JAVA_ARGS \
  -XX:+PerfDisableSharedMem \
  -Djava.io.tmpdir="$ROOT/tmp" \
  -Djruby.lib=/usr/share/jruby/lib \
  -XX:+CrashOnOutOfMemoryError \
  -XX:ErrorFile="$ROOT/log/error.log" \
  -jar /usr/share/puppetserver/puppetserver.jar \
  --config "$ROOT/puppet/puppetserver/conf.d" \
  --bootstrap-config "$ROOT/puppet/puppetserver/services.d" \
  --restart-file "$ROOT/run/restart" \
  $TK_ARGS
`;

async function start(folder: Folder): Promise<Puppetserver> {
  const { root, port } = folder;
  const child = spawn('setpriv', [...asPackageUser, 'sh', '-c', command], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: root, ROOT: root },
    stdio: 'ignore',
  });
  await once(child, 'spawn');
  const stop = async () => {
    await terminate(child);
    remove(folder);
  };
  const pid = child.pid ?? Number.NaN;
  const ca = readFileSync(join(root, 'ssl/certs/ca.pem'), 'utf8');
  const server: Puppetserver = {
    url: `https://${host}:${port}`,
    ca,
    identity: (name) => ({
      name,
      certificate: readFileSync(join(root, 'ssl/certs', `${name}.pem`), 'utf8'),
      key: readFileSync(join(root, 'ssl/private_keys', `${name}.pem`), 'utf8'),
    }),
    pid,
    memoryBytes: () => residentBytes(pid),
    stop,
  };
  try {
    await untilReady(child, server, folder);
    return server;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilReady(child: ChildProcess, { url, ca }: Puppetserver, { root }: Folder): Promise<void> {
  const deadline = performance.now() + readyWithinSeconds * 1000;
  while ((await status(url, ca)) !== 'running') {
    if (hasEnded(child) || performance.now() > deadline) {
      throw new Error(`puppetserver did not become ready\n${logOf(root)}`);
    }
    await delay(250);
  }
}

/** The end of its log, without the stack traces that hide the cause. */
function logOf(root: string): string {
  const file = join(root, 'log/puppetserver.log');
  if (!existsSync(file)) return '(no log)';
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => !line.startsWith('\tat '))
    .slice(-30)
    .join('\n');
}

/** `running`, `starting`, or undefined while its port is closed. */
function status(url: string, ca: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    get(`${url}/status/v1/simple`, { ca, agent: false, signal: AbortSignal.timeout(5000) }, (response) => {
      response
        .setEncoding('utf8')
        .toArray()
        .then(
          (chunks) => resolve(chunks.join('')),
          () => resolve(undefined),
        );
    }).on('error', () => resolve(undefined));
  });
}

function residentBytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) * 1024;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function terminate(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), stopWithinSeconds * 1000);
  await ended;
  clearTimeout(late);
}

function remove({ root }: Folder): void {
  rmSync(root, { recursive: true, force: true });
}

// For a call before a benchmark enters its sandbox, which has no network for downloads.
if (import.meta.main) await installPuppetserver(console.log);
