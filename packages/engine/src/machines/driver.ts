import type { Duplex, Readable, Writable } from 'node:stream';
import type { ConsoleKind, ExecOptions } from '@nova-platform/contracts/engine';
import type { MachineRecord } from './record.ts';

/** The network namespace of a machine, and the settings of its network card if it has one. */
export interface MachineLink {
  netns: string;
  card?: { mac: string; address: string; prefix: number; gateway: string; mtu: number };
}

/** A command that runs in a machine. */
export interface MachineCommand {
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: (exitCode: number | null) => void): unknown;
  kill(): unknown;
}

/** Runs machines. The engine decides on the desired state and a driver applies it. Every call is idempotent. */
export interface MachineDriver {
  /** Prepares the machine's disk; it needs no network yet. */
  prepare(record: MachineRecord): Promise<void>;
  /** Runs the machine in the network namespace; does nothing if it already runs. */
  boot(record: MachineRecord, link: MachineLink): Promise<void>;
  /** Gives a running machine the size in its record, as far as that is possible without a restart. */
  resize(record: MachineRecord): Promise<void>;
  /** The size of a running machine, if it differs from its record until a restart. */
  sizeUntilRestart(record: MachineRecord): Promise<{ cpu: number; memoryMebibytes: number } | undefined>;
  /** Resolves when the machine has booted: its services run, or some have failed. */
  booted(name: string): Promise<void>;
  /** Shuts the machine down, and kills it after a timeout. */
  halt(name: string): Promise<void>;
  /** Removes everything of the machine, its record last. Calls `release` once the machine no longer runs. */
  remove(name: string, release: () => Promise<void>): Promise<void>;
  isRunning(name: string): Promise<boolean>;
  /** Whether the machine was booted and has exited since. It is called often, so it must be cheap. */
  hasEnded(name: string): Promise<boolean>;
  exec(name: string, options: ExecOptions): Promise<MachineCommand>;
  /** The end of the console output. */
  console(name: string): Promise<string>;
  /** Opens a console of a running machine: its bytes in both directions. */
  openConsole(name: string, kind: ConsoleKind): Promise<Duplex>;
  /** The memory and disk that the machine uses, in bytes. */
  usage(name: string): Promise<{ memory: number; disk: number }>;
}
