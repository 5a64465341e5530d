import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import type { MachineCommand } from '../machines/driver.ts';
import { startCommand, waitForCommand } from './guest-agent.ts';

/**
 * A command that the guest agent runs. The agent takes its input before the start and gives its output after the end, so
 * neither is passed on meanwhile.
 */
export class GuestCommand extends EventEmitter implements MachineCommand {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly #name: string;
  readonly #stopping = new AbortController();
  #pid: number | undefined;

  constructor(name: string, command: readonly string[]) {
    super();
    this.#name = name;
    void this.#run(command);
  }

  /** Ends the command in the guest. */
  kill(): boolean {
    if (this.#stopping.signal.aborted) return false;
    this.#stopping.abort();
    this.stdin.destroy();
    const end = this.#pid === undefined ? undefined : startCommand(this.#name, ['kill', '-TERM', String(this.#pid)]);
    // The guest may have stopped.
    end?.catch(() => undefined);
    return true;
  }

  async #run(command: readonly string[]): Promise<void> {
    try {
      const input = await buffer(this.stdin);
      this.#pid = await startCommand(this.#name, command, input);
      const { exitCode, stdout, stderr } = await waitForCommand(this.#name, this.#pid, this.#stopping.signal);
      await this.#end(exitCode, stdout, stderr);
    } catch (error) {
      if (!this.#stopping.signal.aborted) await this.#end(null, '', `${(error as Error).message}\n`);
    }
  }

  /** The command ends when its output is read. */
  async #end(exitCode: number | null, stdout: Buffer | string, stderr: Buffer | string): Promise<void> {
    const read = Promise.all([finished(this.stdout), finished(this.stderr)]);
    this.stdout.end(stdout);
    this.stderr.end(stderr);
    await read;
    this.#stopping.abort();
    this.emit('close', exitCode);
  }
}
