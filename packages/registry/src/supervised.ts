import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs a program until it is stopped, and restarts it when it exits. The program dies with this process; the programs of
 * the engine's `Supervisor` outlive theirs, so the two share no code.
 */
export class Supervised {
  readonly #command: string;
  readonly #args: readonly string[];
  readonly #log: (line: string) => void;
  #child: ChildProcess | undefined;
  #isWanted = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(command: string, args: readonly string[], log: (line: string) => void) {
    this.#command = command;
    this.#args = args;
    this.#log = log;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    this.#isWanted = true;
    this.#ended = this.#keep();
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    this.#child?.kill('SIGTERM');
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), 10_000);
    await this.#ended;
    clearTimeout(timer);
  }

  async #keep(): Promise<void> {
    while (this.#isWanted) {
      await this.#run();
      // Do not restart a failing program in a tight loop.
      if (this.#isWanted) await sleep(500);
    }
  }

  #run(): Promise<void> {
    return new Promise((resolve) => {
      // The program dies with this process, so a killed supervisor leaves no program that holds the port.
      const child = spawn('setpriv', ['--pdeathsig', 'KILL', this.#command, ...this.#args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        // There is no trace collector; without this setting the program logs an error for each failed export.
        env: { ...process.env, OTEL_TRACES_EXPORTER: 'none' },
      });
      this.#child = child;
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          for (const line of chunk.toString().split('\n')) if (line !== '') this.#log(line);
        });
      }
      child.once('error', () => resolve());
      child.once('close', () => resolve());
    });
  }
}
