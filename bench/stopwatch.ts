import { existsSync, readFileSync } from 'node:fs';

/** Milliseconds and CPU-seconds of the sandbox from the start to each mark, without work in notCounted(). */
export class Stopwatch {
  readonly #started = reading();
  readonly #notCounted = { at: 0, cpu: 0 };
  readonly marks = new Map<string, number>();
  readonly cpu = new Map<string, number>();

  mark(name: string): void {
    const { at, cpu } = reading();
    this.marks.set(name, at - this.#started.at - this.#notCounted.at);
    this.cpu.set(name, cpu - this.#started.cpu - this.#notCounted.cpu);
  }

  async notCounted<T>(work: () => Promise<T>): Promise<T> {
    const before = reading();
    const done = await work();
    const after = reading();
    this.#notCounted.at += after.at - before.at;
    this.#notCounted.cpu += after.cpu - before.cpu;
    return done;
  }
}

const reading = () => ({ at: performance.now(), cpu: cpuSeconds() });

/** CPU time of all processes in the sandbox: machines, engine, networks. Other processes on the host do not count. */
function cpuSeconds(): number {
  const version1 = '/sys/fs/cgroup/cpuacct/cpuacct.usage';
  if (existsSync(version1)) return Number(readFileSync(version1, 'utf8')) / 1e9;
  const [, microseconds] = /usage_usec (\d+)/.exec(readFileSync('/sys/fs/cgroup/cpu.stat', 'utf8')) ?? [];
  return Number(microseconds) / 1e6;
}
