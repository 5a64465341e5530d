import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import type { StoreLocation } from './open.ts';

export interface TestPostgres {
  /** The URL of the default database. */
  url: string;
  /** Creates a database and returns its URL. */
  newDatabase: () => Promise<string>;
  /** Stops like a power loss: uncommitted data is lost. */
  kill: () => Promise<void>;
  /** Restarts the killed server with its data. */
  start: () => Promise<void>;
  /** Stops the server and deletes its data. */
  stop: () => Promise<void>;
}

/** Debian installs versions side by side. */
const [binaries] = globSync('/usr/lib/postgresql/*/bin/initdb')
  .map((file) => join(file, '..'))
  .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));

/** A PostgreSQL server for one test, on a socket in a private folder. */
export async function startPostgres(): Promise<TestPostgres> {
  if (!binaries) throw new Error('there is no PostgreSQL here: scripts/setup.sh installs it');
  const folder = await mkdtemp(join(tmpdir(), 'nova-postgres-'));
  const [data, options] = [join(folder, 'data'), { cwd: folder }];
  // PostgreSQL refuses to run as root.
  const asOwner = process.getuid?.() === 0 ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
  if (asOwner.length > 0) chownSync(folder, idOf('-u'), idOf('-g'));
  const initialise = [join(binaries, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  execFileSync('setpriv', [...asOwner, ...initialise], { ...options, stdio: 'pipe' });

  let server: ChildProcess;
  const start = async () => {
    const settings = [`unix_socket_directories=${folder}`, 'listen_addresses=', 'max_connections=200'];
    const serve = [join(binaries, 'postgres'), '-D', data, ...settings.flatMap((each) => ['-c', each])];
    // The server exits with this process, even after a crash.
    server = spawn('setpriv', [...asOwner, '--pdeathsig=QUIT', ...serve], {
      ...options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await ready(server);
  };
  const kill = async () => {
    // An immediate shutdown without cleanup. The server exits after all its child processes.
    if (server.kill('SIGQUIT')) await once(server, 'exit');
  };
  const address = (database: string) =>
    `postgresql://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`;

  let databases = 0;
  await start();
  return {
    url: address('postgres'),
    newDatabase: async () => {
      databases += 1;
      await execute(address('postgres'), `create database test_${databases}`);
      return address(`test_${databases}`);
    },
    kill,
    start,
    stop: async () => {
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

/** Runs the same tests on SQLite and on PostgreSQL; `open` returns the location of a new store. */
export function eachStore(name: string, tests: (open: () => Promise<StoreLocation>) => void): void {
  describe(`${name}, SQLite`, () => {
    let folder: string;
    let files = 0;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'nova-store-'));
    });
    afterAll(() => rm(folder, { recursive: true }));
    tests(async () => {
      files += 1;
      return { kind: 'sqlite', file: join(folder, `${files}.db`) };
    });
  });

  describePostgres(name, (server) => tests(async () => ({ kind: 'postgres', url: await server().newDatabase() })));
}

/** Tests with their own server. They are skipped if PostgreSQL is not installed, except in CI. */
export function describePostgres(name: string, tests: (server: () => TestPostgres) => void): void {
  const isSkipped = !binaries && process.env.CI !== 'true';
  describe.skipIf(isSkipped)(`${name}, PostgreSQL${isSkipped ? ' (it is not installed)' : ''}`, () => {
    let server: TestPostgres;
    beforeAll(async () => {
      server = await startPostgres();
    }, 60_000);
    afterAll(() => server.stop());
    tests(() => server);
  });
}

function idOf(which: '-u' | '-g'): number {
  return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
}

async function ready(server: ChildProcess): Promise<void> {
  let said = '';
  for await (const chunk of server.stderr?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(chunk);
    if (said.includes('ready to accept connections')) {
      server.stderr?.resume();
      return;
    }
  }
  throw new Error(`PostgreSQL does not start: ${said}`);
}

async function execute(url: string, query: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(query);
  await client.end();
}
