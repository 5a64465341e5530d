import type { ChildProcess } from 'node:child_process';
import type { ExecOptions, MachineKind } from '@nova-platform/contracts/engine';
import type { MachineRecord } from './record.ts';

/** Runs machines. The engine decides on the desired state and a driver applies it. Every call is idempotent. */
export interface MachineDriver {
  /** Prepares the machine's disk; it needs no network yet. */
  prepare(record: MachineRecord): Promise<void>;
  /** Runs the machine in the network namespace; does nothing if it already runs. */
  boot(record: MachineRecord, netns: string): Promise<void>;
  /** Gives a running machine the size in its record; rejects changes that need a restart. */
  resize(record: MachineRecord): Promise<void>;
  /** Resolves when the machine has booted: its services run, or some have failed. */
  booted(name: string): Promise<void>;
  /** Shuts the machine down, and kills it after a timeout. */
  halt(name: string): Promise<void>;
  /** Removes everything of the machine, its record last. Calls `release` once the machine no longer runs. */
  remove(name: string, release: () => Promise<void>): Promise<void>;
  isRunning(name: string): Promise<boolean>;
  /** Whether the machine was booted and has exited since. It is called often, so it must be cheap. */
  hasEnded(name: string): Promise<boolean>;
  exec(name: string, options: ExecOptions): ChildProcess;
  /** The end of the console output. */
  console(name: string): Promise<string>;
  /** The memory and disk that the machine uses, in bytes. */
  usage(name: string): Promise<{ memory: number; disk: number }>;
}

/** The driver of each kind of machine. */
export type Drivers = Readonly<Record<MachineKind, MachineDriver>>;
