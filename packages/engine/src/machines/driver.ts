import type { ChildProcess } from 'node:child_process';
import type { ExecOptions } from '@nova-platform/contracts/engine';
import type { MachineRecord } from './record.ts';

/** How machines are made to run. The engine decides what should be, a driver makes it so; every call may be repeated. */
export interface MachineDriver {
  /** Prepares its disk; it needs no network yet. */
  prepare(record: MachineRecord): Promise<void>;
  /** Runs it in the network namespace; nothing happens where it runs already. */
  boot(record: MachineRecord, netns: string): Promise<void>;
  /** Gives a running machine the size in its record; refuses what cannot change while it runs. */
  resize(record: MachineRecord): Promise<void>;
  /** Until it has booted: its services run, or some of them failed. */
  booted(name: string): Promise<void>;
  /** Lets it shut down, and ends it where it does not. */
  halt(name: string): Promise<void>;
  /** Removes everything of it, its record last; `release` is called once it no longer runs. */
  remove(name: string, release: () => Promise<void>): Promise<void>;
  isRunning(name: string): Promise<boolean>;
  /** Whether it was booted and has ended since; asked all the time, so it costs next to nothing. */
  hasEnded(name: string): Promise<boolean>;
  exec(name: string, options: ExecOptions): ChildProcess;
  /** The end of what it wrote to its console. */
  console(name: string): Promise<string>;
  /** Bytes of memory and disk it uses now. */
  usage(name: string): Promise<{ memory: number; disk: number }>;
}
