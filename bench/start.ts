import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { checkHost, installMissing } from '@nova-platform/engine';
import { execute, root } from '../e2e/nova-ctl.ts';
import { result } from './measure.ts';

/**
 * The first minutes of a user: `up` in a fresh clone with empty caches, until the first cluster can be used and until it
 * has all modules; then `up` again. The host must be without a site. Its caches are neither used nor changed: the
 * benchmark mounts folders of its own over them. With `--built`, it uses the host's built programs and measures only the
 * later starts.
 */
const cluster = 'demo';
const isBuilt = process.argv.includes('--built');
const own = [...(isBuilt ? [] : ['/var/cache/nova']), '/var/lib/nova', '/var/log/nova'];
const minute = 60;
const goals = { firstCluster: 12 * minute, allModules: 30 * minute, again: minute, stopped: 30 };

if (process.env.NOVA_BENCH_START === undefined) await mountOwnFolders();
else await measureStart(process.env.NOVA_BENCH_START);

/** Runs this program again in a mount namespace with empty caches. */
async function mountOwnFolders(): Promise<void> {
  await installMissing((line) => console.log(line));
  const lacking = (await checkHost()).filter(({ isThere, isOptional }) => !isThere && !isOptional);
  if (lacking.length > 0) throw new Error(`this host lacks ${lacking.map(({ what }) => what.en).join(', ')}`);
  if ((await execute(join(root, 'nova-ctl'), ['machine', 'list'])).exitCode === 0)
    throw new Error('this host has a site: run `nova-ctl down --purge` first');
  // Not below /tmp, which may be in memory.
  const folder = mkdtempSync('/var/tmp/nova-bench-');
  const mounts = own.map((path, index) => {
    mkdirSync(path, { recursive: true });
    mkdirSync(join(folder, String(index)));
    return `mount --bind ${join(folder, String(index))} ${path}`;
  });
  const script = [...mounts, 'exec "$@"'].join(' && ');
  const namespace = ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh'];
  const child = spawn('unshare', [...namespace, process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, NOVA_BENCH_START: folder },
  });
  process.exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  rmSync(folder, { recursive: true, force: true });
}

async function measureStart(folder: string): Promise<void> {
  const clone = join(folder, 'clone');
  const env = {
    XDG_CONFIG_HOME: join(folder, 'config'),
    npm_config_cache: join(folder, 'npm'),
    // The launcher's own Node must not be this one.
    PATH: (process.env.PATH ?? '').replaceAll(`${root}/node_modules/.bin:`, ''),
  };
  await ok('git', ['clone', '--quiet', root, clone], tmpdir());
  const nova = join(clone, 'nova-ctl');
  try {
    const first = await up(nova, env);
    if (!isBuilt) {
      report('start-first-cluster', first.firstCluster, goals.firstCluster, minutes);
      report('start-all-modules', first.all, goals.allModules, minutes);
    }
    await ok(nova, ['down', '--purge', '--yes'], clone, env);
    const again = await up(nova, env);
    report('start-again', again.all, goals.again, seconds);
    const stopped = await timed(() => ok(nova, ['down'], clone, env));
    report('start-down', stopped, goals.stopped, seconds);
    const restarted = await up(nova, env);
    report('start-stopped-site', restarted.all, goals.stopped, seconds);
  } finally {
    await execute(nova, ['down', '--purge', '--yes'], { cwd: clone, env });
  }
}

/** Seconds until the first cluster can be used, and until it has all its modules. */
async function up(nova: string, env: Record<string, string>): Promise<{ firstCluster: number; all: number }> {
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  let firstCluster = Number.NaN;
  const child = spawn(nova, ['up'], {
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = (stream: NodeJS.ReadableStream) =>
    createInterface(stream).on('line', (line) => {
      console.log(`${elapsed().toFixed(0).padStart(5)} s  ${line}`);
      if (line.includes(`nova-ctl kubeconfig ${cluster}`) && Number.isNaN(firstCluster)) firstCluster = elapsed();
    });
  lines(child.stdout);
  lines(child.stderr);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`up failed with exit code ${code}`);
  await ok(nova, ['wait', cluster], root, env);
  return { firstCluster, all: elapsed() };
}

async function ok(program: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const { exitCode, stderr } = await execute(program, args, { cwd, env });
  if (exitCode !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function report(name: string, taken: number, goal: number, text: (seconds: number) => string): void {
  result(name, text(taken), `<=${text(goal).replace('.0', '')}`, taken <= goal);
}

function minutes(value: number): string {
  return `${(value / minute).toFixed(1)}min`;
}

function seconds(value: number): string {
  return `${value.toFixed(1)}s`;
}
