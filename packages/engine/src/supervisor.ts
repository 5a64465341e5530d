import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { copyFile, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { paths } from './paths.ts';

/** A program that runs in the foreground and is restarted when it exits. */
export interface Service {
  name: string;
  command: string;
  args: readonly string[];
  /** Runs without privileges as this user, whose only writable folder is the given one. */
  user?: { name: string; folder: string };
}

const folder = join(paths.runtime, 'services');
const logBytes = 1024 * 1024;
const firstPause = 100;
const longestPause = 5000;

/**
 * Keeps programs running on a host without systemd until `stop`. They outlive the supervisor: a new one finds running
 * programs by their records.
 */
export class Supervisor {
  private isStopping = false;
  private readonly services: readonly Service[];
  private readonly loops: Promise<void>[] = [];

  constructor(services: readonly Service[]) {
    this.services = services;
  }

  start(): void {
    mkdirSync(folder, { recursive: true });
    mkdirSync(paths.logs, { recursive: true });
    for (const service of this.services) this.loops.push(this.keepRunning(service));
  }

  /** Ends all programs, the last one first. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const { name } of this.services.toReversed()) await endService(name);
    await Promise.all(this.loops);
  }

  private async keepRunning(service: Service): Promise<void> {
    let pause = firstPause;
    while (!this.isStopping) {
      const startedAt = Date.now();
      const pid = (await runningPid(service.name)) ?? (await start(service));
      while (await isSame(service.name, pid)) {
        await boundLog(service.name);
        await sleep(200);
      }
      // Back off if the program exits at once repeatedly.
      pause = Date.now() - startedAt > longestPause ? firstPause : Math.min(pause * 2, longestPause);
      if (!this.isStopping) await sleep(pause);
    }
  }
}

const supervisor = 'nova-supervisor';

/** Starts a supervisor that outlives this process. It can be ended at once, before it has read its services. */
export async function startSupervisor(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { detached: true, stdio: 'ignore' });
  child.unref();
  await record(supervisor, child.pid ?? 0);
}

/** Records the supervisor like its programs, so that it can be found and ended in the same way. False if another runs. */
export async function superviseSelf(): Promise<boolean> {
  const running = await runningPid(supervisor);
  if (running === undefined) await record(supervisor, process.pid);
  return running === undefined || running === process.pid;
}

/** Starts a program that outlives this process. */
async function start(service: Service): Promise<number> {
  const { name } = service;
  const log = openSync(logPath(name), 'a');
  const [command, args, env] = confined(service);
  const child = spawn(command, args, { detached: true, stdio: ['ignore', log, log], env });
  closeSync(log);
  child.unref();
  child.on('error', () => undefined);
  const pid = child.pid ?? 0;
  await record(name, pid);
  return pid;
}

async function record(name: string, pid: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await writeFile(recordPath(name), JSON.stringify({ pid, startTime: await startTimeOf(pid) }));
}

/** A service of another user gets no privileges, no groups and no environment of root. */
function confined({
  command,
  args,
  user,
}: Service): [command: string, args: readonly string[], env: NodeJS.ProcessEnv] {
  if (!user) return [command, args, process.env];
  const options = `--reuid ${user.name} --regid ${user.name} --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all`;
  return ['setpriv', [...options.split(' '), '--', command, ...args], { PATH: '/usr/bin:/bin', HOME: user.folder }];
}

export async function endService(name: string): Promise<void> {
  const pid = await runningPid(name);
  if (pid !== undefined) {
    process.kill(pid, 'SIGTERM');
    for (let waited = 0; waited < 5000 && (await isSame(name, pid)); waited += 50) await sleep(50);
    if (await isSame(name, pid)) process.kill(pid, 'SIGKILL');
  }
  await rm(recordPath(name), { force: true });
}

/** Kills only this process: with SIGKILL it cannot end its programs. */
export async function killService(name: string): Promise<void> {
  const pid = await runningPid(name);
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  await rm(recordPath(name), { force: true });
}

/** The PID of a recorded program that still runs. The start time is compared too, because PIDs are reused. */
export async function runningPid(name: string): Promise<number | undefined> {
  const text = await readFile(recordPath(name), 'utf8').catch(() => '');
  if (text === '') return undefined;
  const { pid, startTime } = JSON.parse(text) as { pid: number; startTime: string };
  return (await startTimeOf(pid)) === startTime && startTime !== '' ? pid : undefined;
}

async function isSame(name: string, pid: number): Promise<boolean> {
  return (await runningPid(name)) === pid;
}

/** The start time of a process in clock ticks; empty if it has exited or is a zombie. */
export async function startTimeOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? '' : (fields[19] ?? '');
}

async function boundLog(name: string): Promise<void> {
  const handle = await open(logPath(name), 'r').catch(() => undefined);
  if (!handle) return;
  const { size } = await handle.stat();
  await handle.close();
  if (size <= logBytes) return;
  await copyFile(logPath(name), `${logPath(name)}.1`);
  await truncate(logPath(name));
}

function recordPath(name: string): string {
  return join(folder, `${name}.json`);
}

export function logPath(name: string): string {
  return join(paths.logs, `${name}.log`);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, milliseconds));
}
