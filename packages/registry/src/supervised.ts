import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that runs until it is stopped, and again when it dies. */
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
      // A program that dies at once is not started a thousand times a second.
      if (this.#isWanted) await sleep(500);
    }
  }

  #run(): Promise<void> {
    return new Promise((resolve) => {
      // Its end is bound to ours: a killed supervisor leaves no program behind that holds the port.
      const child = spawn('setpriv', ['--pdeathsig', 'KILL', this.#command, ...this.#args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        // Nobody here collects traces, and it would complain of that without end.
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
