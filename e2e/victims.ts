import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Processes that tests kill from outside, without warning. Each function returns whether its victim existed. */
export const victims = {
  /** Universe's process in its machine. */
  universe: () => kill(processesIn('universe', 'nova-universe.js')),
  engine: () => kill(enginePid()),
  /** The agent run of a node, or its first boot with all scripts. */
  agent: (node: string) => kill([...processesIn(node, '/puppet\0agent'), ...bootIn(node)]),
  /** A node's machine, like a power failure. */
  machine: (node: string) => kill(machinePid(node)),
};
export type Victim = keyof typeof victims;

function kill(pids: readonly number[]): boolean {
  return pids.filter(isKilled).length > 0;
}

/** The process may have ended already. */
function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

function enginePid(): number[] {
  const recorded = textOf('/run/nova/services/nova-engine.json');
  const pid = recorded
    ? (JSON.parse(recorded) as { pid: number }).pid
    : Number(execFileSync('systemctl', ['show', '-P', 'MainPID', 'nova-engine'], { encoding: 'utf8' }));
  return isAlive(pid) ? [pid] : [];
}

function machinePid(name: string): number[] {
  const pid = Number(textOf(`/var/lib/nova/machines/${name}/pid`));
  // The PID may belong to another process by now.
  return isAlive(pid) && isIn(name, pid) ? [pid] : [];
}

/** Processes of a machine whose command line contains these words. */
function processesIn(machine: string, words: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => textOf(`/proc/${pid}/cmdline`).includes(words) && isIn(machine, pid));
}

function bootIn(machine: string): number[] {
  const scripts = ['enrol', 'boot'].flatMap((name) => processesIn(machine, `/usr/local/lib/nova/${name}`));
  return scripts.length > 0 ? [...processesIn(machine, '/usr/local/lib/nova/agent'), ...scripts] : [];
}

function isIn(machine: string, pid: number): boolean {
  return new RegExp(`:/nova-machines/${machine}(/|$)`, 'm').test(textOf(`/proc/${pid}/cgroup`));
}

function isAlive(pid: number): boolean {
  const state = /\) (\w)/.exec(textOf(`/proc/${pid}/stat`))?.[1];
  return state !== undefined && state !== 'Z';
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
