import type { Diagnostic } from './diagnostics.ts';
import type { Planned, PlanRequest } from './plan.ts';
import type { Block } from './schema.ts';
import type { Fields } from './values.ts';

/** What the provider keeps with a state, invisible to configurations. */
export interface Memory {
  /** Imported, and not applied since: unreadable attributes are missing in the state. */
  imported?: true;
  /** The disks that a VM was created with, and that are deleted with it. */
  disks?: readonly string[];
}

/** One request, with everything that it needs. */
export interface Call<Client> {
  client: Client;
  /** Aborted when OpenTofu is interrupted. */
  signal: AbortSignal;
  memory: Memory;
  /** Records an object as soon as it exists: if a later step fails, it is in the state and not lost. */
  keep: (state: Fields) => void;
  warn: (summary: string, detail: string) => void;
}

export interface Resource<Client> {
  block: Block;
  /** Rules between attributes. */
  check?: (config: Fields) => Diagnostic[];
  plan?: (planned: Planned, request: PlanRequest) => Planned;
  create: (call: Call<Client>, planned: Fields) => Promise<Fields>;
  /** Undefined if it no longer exists. */
  read: (call: Call<Client>, state: Fields) => Promise<Fields | undefined>;
  /** Missing if every change replaces the object. */
  update?: (call: Call<Client>, prior: Fields, planned: Fields) => Promise<Fields>;
  delete: (call: Call<Client>, state: Fields) => Promise<void>;
  /** The state of an object by its ID in `tofu import`, enough to read it. */
  identify?: (id: string) => Fields;
}

export interface DataSource<Client> {
  block: Block;
  read: (call: Call<Client>, config: Fields) => Promise<Fields>;
}

export interface Provider<Client> {
  block: Block;
  check: (config: Fields) => Diagnostic[];
  resources: Readonly<Record<string, Resource<Client>>>;
  dataSources: Readonly<Record<string, DataSource<Client>>>;
  /** Undefined if a setting is not known yet. */
  configure: (config: Fields, signal: AbortSignal) => Promise<Client | undefined>;
  /** Removes secrets from a message. */
  redact: (text: string) => string;
  close: () => Promise<void>;
}
