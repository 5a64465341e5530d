import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { parseArgs } from 'node:util';
import { createRequest, SimulatedAgent } from '@nova-platform/config-manager/testing';
import { configClient } from '@nova-platform/contracts/config-manager/client';
import { type UniverseClient, universeClient } from '@nova-platform/contracts/universe/client';
import { type ApiClient, apiClient } from '@nova-platform/http/client';
import { documentsOf } from '@nova-platform/universe/testing';
import { captureClientHello } from './fuzz-requests-identities.ts';
import { type Outcome, Overdue, Wire } from './fuzz-requests-wire.ts';
import { type Asker, callsOf, createUniverseCase, type UniverseCase, type World } from './fuzz-universe-cases.ts';
import { randomFrom } from './mutate.ts';

/** The result of a fuzzer run. */
export interface UniverseFuzzReport {
  requests: number;
  statuses: Record<string, number>;
  kinds: number;
  slowestMilliseconds: number;
  memoryMegabytes: { first: number; middle: number; last: number; peak: number };
  seconds: number;
}

const concurrency = 8;
const answerLimit = 5000;
const memoryLimitMegabytes = 512;
const growthLimitMegabytes = 60;
const longRunSeconds = 60;
const mostFindings = 25;
const mostOverdue = 100;
/** The fraction of requests from callers that may change only their own data. */
const readers = 0.6;

/** Sends mutated requests to its own server; throws all findings. */
export async function fuzzUniverse(
  requests: number,
  firstSeed: number,
  progress: (done: number) => void = () => {},
): Promise<UniverseFuzzReport> {
  const folder = mkdtempSync(join(tmpdir(), 'nova-fuzz-'));
  const run = await Run.start(folder);
  try {
    const turn = firstSeed + Math.floor(requests * readers);
    await run.prepare();
    const before = run.content();
    await run.send(firstSeed, turn, 'readers', (seed) => progress(seed - firstSeed));
    run.assertSame(before, run.content());
    await run.send(turn, firstSeed + requests, 'all', (seed) => progress(seed - firstSeed));
    const report = await run.judge(requests);
    await run.assertUnharmed();
    return report;
  } finally {
    run.kill();
    rmSync(folder, { recursive: true });
  }
}

/** The request needs a service that is absent here: there is no engine, registry or cluster. */
const isAbsence = /"code":"NOVA(8340|8211|8360|8450)"/;

/** For tables with rows per user: the rows of other users. */
const othersRows: Record<string, string> = {
  access_tokens: `select id, role, hash, expires_at from access_tokens where "user" <> 'viewer'`,
  login_links: `select * from login_links where "user" <> 'viewer'`,
};

class Run {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #local: ApiClient;
  readonly #client: UniverseClient;
  readonly #findings = new Map<string, string>();
  readonly #statuses: Record<string, number> = {};
  readonly #kinds = new Set<string>();
  readonly #overdue: { seed: number; world: World }[] = [];
  readonly #memory: number[] = [];
  readonly #started = Date.now();
  #worlds: Record<'readers' | 'all', World> | undefined;
  #port = 0;
  #configPort = 0;
  #said = '';
  #slowest = 0;

  private constructor(folder: string, child: ChildProcess) {
    this.#folder = folder;
    this.#child = child;
    this.#local = apiClient({ socketPath: join(folder, 'universe.sock') }, (error) => error);
    this.#client = universeClient(this.#local);
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#said = (this.#said + chunk.toString()).slice(0, 10_000);
    });
  }

  static async start(folder: string): Promise<Run> {
    const server = new URL('../packages/universe/src/testing/serve.ts', import.meta.url);
    const child = fork(server, [folder], {
      execArgv: ['--optimize-for-size', '--max-semi-space-size=4'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const run = new Run(folder, child);
    const ports = await new Promise<{ port: number; configPort: number }>((resolve, reject) => {
      child.once('message', (message) => resolve(message as { port: number; configPort: number }));
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${run.#said}`)));
    });
    run.#port = ports.port;
    run.#configPort = ports.configPort;
    return run;
  }

  /** Creates all callers, and clusters as targets. */
  async prepare(): Promise<void> {
    const nodes = configClient(this.#local, '/api');
    const enrol = async (node: string) => {
      const { token } = await nodes.createToken({ body: { node, lifetimeSeconds: 600 } });
      const agent = new SimulatedAgent(node, this.#configPort);
      await agent.enrol(token, await createRequest(node, { token }));
      agent.close();
      const { key, certificate } = agent.identity ?? { key: '', certificate: '' };
      return createSecureContext({ key, cert: certificate });
    };
    for (const [index, cluster] of ['alpha', 'beta'].entries()) {
      const documents = documentsOf(cluster, { network: `10.${60 + index}.0.0/24` });
      await this.#client.declareCluster({ params: { cluster }, body: { documents } });
    }
    const tokens = new Map<string, string>();
    for (const role of ['viewer', 'operator', 'admin'] as const) {
      await this.#client.createUser({ body: { name: role, role, password: 'correct horse battery' } });
      const { token } = await this.#client.createAccessToken({
        body: { name: 'x', role, seconds: 86_400, user: role },
      });
      tokens.set(role, token);
    }
    await this.#client.createUser({ body: { name: 'victim', role: 'viewer', password: 'correct horse battery' } });
    const bearer = (token: string): [string, string][] => [['Authorization', `Bearer ${token}`]];
    const strangers: Asker[] = [
      { name: 'stranger', headers: [], may: ['anyone'] },
      { name: 'guesser', headers: bearer(`nova_${'a'.repeat(12)}_${'b'.repeat(43)}`), may: ['anyone'] },
      {
        name: 'garbage',
        headers: [
          ['Authorization', 'Basic \u00ff:'],
          ['Cookie', '__Host-nova_session=x'],
        ],
        may: ['anyone'],
      },
      { name: 'revoked', headers: [], context: await enrol('beta-main-2'), may: ['anyone'] },
    ];
    await nodes.revokeNode({ params: { name: 'beta-main-2' } });
    const viewer: Asker = {
      name: 'viewer',
      headers: bearer(tokens.get('viewer') ?? ''),
      may: ['anyone', 'node', 'viewer'],
    };
    // The rights of a node depend on the requested node.
    const node: Asker = { name: 'node', headers: [], context: await enrol('alpha-main-1'), may: ['anyone', 'node'] };
    const operator: Asker = {
      name: 'operator',
      headers: bearer(tokens.get('operator') ?? ''),
      may: [...viewer.may, 'operator'],
    };
    const admin: Asker = { name: 'admin', headers: bearer(tokens.get('admin') ?? ''), may: [...operator.may, 'admin'] };
    const calls = callsOf(await this.#local.call('GET', '/api/v1/openapi.json'));
    const clientHello = await captureClientHello();
    const reading = [...strangers, viewer, viewer, viewer, node];
    const writing = [...reading, operator, operator, operator, admin, admin, admin, admin];
    this.#worlds = {
      readers: { calls, clientHello, askers: reading },
      all: { calls, clientHello, askers: writing },
    };
    await sleep(500);
  }

  async send(first: number, end: number, who: 'readers' | 'all', progress: (seed: number) => void): Promise<void> {
    const world = this.#worlds?.[who];
    if (!world) throw new Error('not prepared');
    let next = first;
    const watch = setInterval(() => this.#memory.push(this.#resident('VmRSS')), 200);
    const worker = async () => {
      const wires = new Map<string, Wire>();
      while (next < end && this.#isAlive() && this.#overdue.length < mostOverdue) {
        const seed = next;
        next += 1;
        await this.#try(seed, world, wires);
        progress(seed + 1);
      }
      for (const wire of wires.values()) wire.close();
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    clearInterval(watch);
    if (!this.#isAlive()) {
      const { exitCode, signalCode } = this.#child;
      throw new Error(`the server ended (${exitCode ?? signalCode}) before seed ${next}: ${this.#said}`);
    }
  }

  /** All stored data, except data that a reader may change: their own. */
  content(): Record<string, string> {
    const db = new DatabaseSync(join(this.#folder, 'data/universe.db'), { readOnly: true });
    const tables = db.prepare(`select name from sqlite_master where type = 'table'`).all() as { name: string }[];
    const content = tables
      .filter(({ name }) => name !== 'audit' && name !== 'sqlite_sequence')
      .map(({ name }): [string, string] => {
        const query = othersRows[name] ?? `select * from "${name}"`;
        return [name, JSON.stringify(db.prepare(query).all())];
      });
    db.close();
    return Object.fromEntries(content);
  }

  assertSame(before: Record<string, string>, after: Record<string, string>): void {
    for (const [table, rows] of Object.entries(before)) {
      if (after[table] !== rows)
        throw new Error(`those who may not have changed ${table}: ${after[table]?.slice(0, 2000)}`);
    }
  }

  async judge(requests: number): Promise<UniverseFuzzReport> {
    // In parallel, these requests may only have waited for others.
    for (const { seed, world } of this.#overdue) {
      const request = { ...createUniverseCase(world, randomFrom(seed)), isAlone: true };
      await this.#exchange(request, new Map()).catch((error: Error) => this.#found(seed, request, error.message));
    }
    const part = (from: number, to: number): number => {
      const samples = this.#memory.slice(Math.floor(this.#memory.length * from), Math.ceil(this.#memory.length * to));
      return samples.toSorted((one, other) => one - other)[Math.floor(samples.length / 2)] ?? 0;
    };
    const seconds = Math.round((Date.now() - this.#started) / 1000);
    const memory = { first: part(0, 0.1), middle: part(0.4, 0.6), last: part(0.9, 1), peak: this.#resident('VmHWM') };
    const isGrowing = seconds > longRunSeconds && memory.last > memory.middle + growthLimitMegabytes;
    if (memory.peak > memoryLimitMegabytes || isGrowing) this.#findings.set('memory', JSON.stringify(memory));
    const logged = readFileSync(join(this.#folder, 'log'), 'utf8')
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line));
    const kinds = [...new Map(logged.map((line) => [line.replace(/\d+/g, '').slice(0, 200), line])).values()];
    const findings = [...this.#findings.values(), ...kinds.slice(0, 10), this.#said].filter((each) => each !== '');
    if (findings.length > 0) throw new Error(findings.join('\n\n'));
    return {
      requests,
      statuses: this.#statuses,
      kinds: this.#kinds.size,
      slowestMilliseconds: Math.round(this.#slowest),
      memoryMegabytes: memory,
      seconds,
    };
  }

  /** Checks that users and nodes still get responses, and that the server stops on request. */
  async assertUnharmed(): Promise<void> {
    await this.#client.status({});
    await this.#client.listClusters({ query: {} });
    for (const { id } of (await this.#client.listOperations({ query: { state: 'running', limit: 500 } })).operations)
      await this.#client.cancelOperation({ params: { id } }).catch(() => undefined);
    await this.#client.createUser({ body: { name: 'the-last', role: 'viewer' } });
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const [code] = await Promise.race([ended, sleep(20_000, ['not at all'])]);
    if (code !== 0) throw new Error(`the server ends with ${code}: ${this.#said}`);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async #try(seed: number, world: World, wires: Map<string, Wire>): Promise<void> {
    const request = createUniverseCase(world, randomFrom(seed));
    this.#kinds.add(request.kind);
    try {
      this.#look(seed, request, await this.#exchange(request, wires));
    } catch (error) {
      if (error instanceof Overdue) this.#overdue.push({ seed, world });
      else this.#found(seed, request, (error as Error).message);
    }
  }

  /** Uses a separate connection, or a persistent one for requests of the same caller. */
  async #exchange(request: UniverseCase, wires: Map<string, Wire>): Promise<Outcome> {
    const { asker, isPlain } = request;
    const open = () => new Wire({ port: this.#port, context: isPlain ? undefined : asker.context, isPlain });
    if (request.isAlone) {
      const wire = open();
      try {
        return await wire.exchange(request, answerLimit);
      } finally {
        wire.close();
      }
    }
    const kept = wires.get(asker.name);
    if (kept?.isUsable) {
      const outcome = await kept.exchange(request, answerLimit);
      // The previous response may have closed the connection.
      if (outcome.statuses.length > 0) return outcome;
    }
    kept?.close();
    const wire = open();
    wires.set(asker.name, wire);
    return wire.exchange(request, answerLimit);
  }

  #look(seed: number, request: UniverseCase, { statuses, bodies, milliseconds }: Outcome): void {
    for (const status of statuses.length > 0 ? statuses.map(String) : ['none'])
      this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    this.#slowest = Math.max(this.#slowest, milliseconds);
    const shown = (answer: number) => String(bodies[answer] ?? '').slice(0, 300);
    const [first = 0] = statuses;
    for (const [answer, status] of statuses.entries())
      if (status >= 500 && !request.isHead && !isAbsence.test(shown(answer)))
        this.#found(seed, request, `answered with ${status}: ${shown(answer)}`);
    if (request.isForbidden && first >= 200 && first < 300)
      this.#found(seed, request, `answered with ${first}: ${shown(0)}`);
    // A client that sends too much may be cut off before it has read the response.
    if (request.until === 'answered' && statuses.length === 0 && sizeOf(request) < 16_000)
      this.#found(seed, request, 'well-formed, and not answered');
  }

  /** Keeps only the first finding of each kind. */
  #found(seed: number, request: UniverseCase, what: string): void {
    const sort = `${request.kind} ${what.slice(0, 40)}`;
    if (this.#findings.has(sort) || this.#findings.size >= mostFindings) return;
    const bytes = Buffer.concat(request.parts);
    const file = join(tmpdir(), `nova-fuzz-${seed}.request`);
    writeFileSync(file, bytes);
    this.#findings.set(
      sort,
      `seed ${seed} (${request.kind} as ${request.asker.name}, ${request.until}; the request is in ${file}): ${what}\n  ${JSON.stringify(bytes.toString('latin1', 0, 600))}`,
    );
  }

  #isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  #resident(field: 'VmRSS' | 'VmHWM'): number {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
      return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
    } catch {
      return 0;
    }
  }
}

function sizeOf({ parts }: UniverseCase): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '100000' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    },
  });
  const [requests, seed] = [Number(values.requests), Number(values.seed)];
  console.log(`${requests} mutated requests, first seed ${seed} (--seed ${seed} repeats them)`);
  const started = Date.now();
  let next = 10_000;
  const report = await fuzzUniverse(requests, seed, (done) => {
    if (done < next) return;
    console.log(`${next} done, ${Math.round((Date.now() - started) / 1000)} s`);
    next += 10_000;
  });
  console.log(JSON.stringify(report, null, 2));
  console.log('No crash, no failure, no hang, memory bounded, nothing kept of what was refused.');
}
