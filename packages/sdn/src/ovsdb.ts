import { connect, type Socket } from 'node:net';
import { JsonStream } from './json-stream.ts';
import type { Operation, OperationResult, Row } from './ovsdb-values.ts';

/** The database refused the transaction; none of its operations are applied. */
export class TransactionRefused extends Error {
  readonly error: string;
  readonly details: string;
  /** The operation that failed; undefined if the transaction as a whole violates a constraint. */
  readonly operation: Operation | undefined;

  constructor(error: string, details: string, operation: Operation | undefined) {
    const where = operation ? ` (${operation.op}${'table' in operation ? ` ${operation.table}` : ''})` : '';
    super(`The database refused the transaction: ${error}${where}${details && `: ${details}`}`);
    this.name = 'TransactionRefused';
    this.error = error;
    this.details = details;
    this.operation = operation;
  }
}

/** The request was sent and no response arrived: the change may or may not have been made. */
export class OutcomeUnknown extends Error {
  constructor(socket: string, reason: string) {
    super(`${reason} (${socket}). The change may or may not be applied; apply it again.`);
    this.name = 'OutcomeUnknown';
  }
}

/** No server listens at the socket; nothing was sent. */
export class Unreachable extends Error {
  constructor(socket: string, cause?: unknown) {
    super(`No database responds at ${socket}.`, { cause });
    this.name = 'Unreachable';
  }
}

export type TableUpdates = Record<string, Record<string, { old?: Row; new?: Row }>>;

/** Called with the complete state first and after every reconnection (`fresh` is true), and then with every change. */
export type OnUpdates = (updates: TableUpdates, fresh: boolean) => void;

export interface OvsdbOptions {
  /** Milliseconds that a request waits for a connection, and then for its response. */
  timeout?: number;
}

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

interface Monitor {
  tables: Record<string, readonly string[]>;
  onUpdates: OnUpdates;
}

interface Message {
  id: unknown;
  method?: string;
  params?: unknown[];
  result?: unknown;
  error?: unknown;
}

const [firstDelay, longestDelay] = [20, 1000];

/** A client of one database of an ovsdb-server behind a Unix socket (RFC 7047). Reconnects until it is closed. */
export class Ovsdb {
  readonly #path: string;
  readonly #database: string;
  readonly #timeout: number;
  readonly #pending = new Map<number, Pending>();
  readonly #monitors = new Map<number, Monitor>();
  #nextId = 1;
  #socket: Socket | undefined;
  #connected: PromiseWithResolvers<Socket> = unhandled();
  #delay = firstDelay;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  #lastError: Error | undefined;

  constructor(path: string, database: string, { timeout = 20_000 }: OvsdbOptions = {}) {
    // Linux truncates the path to 107 bytes, which names a different file.
    if (Buffer.byteLength(path) > 107) throw new Error(`The path of a unix socket has at most 107 bytes: ${path}`);
    this.#path = path;
    this.#database = database;
    this.#timeout = timeout;
    this.#connect();
  }

  /** Applies all operations or none. */
  async transact(operations: readonly Operation[]): Promise<OperationResult[]> {
    const results = (await this.#request('transact', [this.#database, ...operations])) as (OperationResult | null)[];
    for (const [index, result] of results.entries()) {
      if (result?.error !== undefined)
        throw new TransactionRefused(result.error, result.details ?? '', operations[index]);
    }
    return results.map((result) => result ?? {});
  }

  /** A consistent snapshot of the given tables. */
  async snapshot<Table extends string>(tables: Record<Table, readonly string[]>): Promise<Record<Table, Row[]>> {
    const entries = Object.entries(tables) as [Table, readonly string[]][];
    const results = await this.transact(
      entries.map(([table, columns]) => ({ op: 'select', table, where: [], columns: ['_uuid', ...columns] })),
    );
    return Object.fromEntries(entries.map(([table], index) => [table, results[index]?.rows ?? []])) as Record<
      Table,
      Row[]
    >;
  }

  /** Returns a function that ends the monitor. */
  async monitor(tables: Record<string, readonly string[]>, onUpdates: OnUpdates): Promise<() => void> {
    // Connect before registering the monitor: a new connection subscribes all registered monitors.
    await this.#connection();
    const id = this.#nextId++;
    const monitor = { tables, onUpdates };
    this.#monitors.set(id, monitor);
    try {
      await this.#subscribe(id, monitor);
    } catch (error) {
      this.#monitors.delete(id);
      throw error;
    }
    return () => {
      this.#monitors.delete(id);
      if (this.#socket) this.#send({ id: this.#nextId++, method: 'monitor_cancel', params: [id] });
    };
  }

  /** Resolves when `accept` holds for the rows of a table. Rejects at the deadline with the text of `describe`. */
  async waitFor(
    table: string,
    columns: readonly string[],
    accept: (rows: Row[]) => boolean,
    { timeout, describe }: { timeout: number; describe: (rows: Row[]) => string },
  ): Promise<void> {
    const rows = new Map<string, Row>();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let over = false;
    const timer = setTimeout(
      () => reject(new Error(`${describe([...rows.values()])} (waited ${timeout} ms)`)),
      timeout,
    );
    const onUpdates: OnUpdates = (updates, fresh) => {
      if (fresh) rows.clear();
      for (const [id, change] of Object.entries(updates[table] ?? {})) {
        if (change.new) rows.set(id, change.new);
        else rows.delete(id);
      }
      if (accept([...rows.values()])) resolve();
    };
    // A database that is down is waited for; the caller sets the deadline.
    const watch = async () => {
      while (!over) {
        try {
          const stop = await this.monitor({ [table]: columns }, onUpdates);
          void promise.then(stop, stop);
          return;
        } catch (error) {
          if (error instanceof TransactionRefused || this.#closed) return reject(error as Error);
        }
      }
    };
    void watch();
    try {
      await promise;
    } finally {
      over = true;
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#connected.reject(new Unreachable(this.#path, new Error('closed')));
    this.#socket?.destroy();
  }

  async #subscribe(id: number, { tables, onUpdates }: Monitor): Promise<void> {
    const requests = Object.fromEntries(
      Object.entries(tables).map(([table, columns]) => [table, [{ columns: [...columns] }]]),
    );
    // Called synchronously, not in a continuation of the promise: the first change can follow the response in the same
    // chunk.
    await this.#request('monitor', [this.#database, id, requests], (initial) =>
      onUpdates(initial as TableUpdates, true),
    );
  }

  async #request(method: string, params: unknown[], onResult?: (result: unknown) => void): Promise<unknown> {
    await this.#connection();
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(
      () => reject(new OutcomeUnknown(this.#path, `The database did not respond within ${this.#timeout} ms`)),
      this.#timeout,
    );
    this.#pending.set(id, {
      resolve: (result) => {
        onResult?.(result);
        resolve(result);
      },
      reject,
    });
    this.#send({ id, method, params });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(id);
    }
  }

  async #connection(): Promise<void> {
    if (this.#socket) return;
    if (this.#closed) throw new Unreachable(this.#path, new Error('closed'));
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Unreachable(this.#path, this.#lastError)), this.#timeout);
    try {
      await Promise.race([this.#connected.promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #connect(): void {
    const socket = connect(this.#path);
    const stream = new JsonStream();
    socket.on('connect', () => {
      this.#socket = socket;
      this.#delay = firstDelay;
      this.#connected.resolve(socket);
      for (const [id, monitor] of this.#monitors) {
        // A failure means that the connection broke again; the next one retries.
        this.#subscribe(id, monitor).catch(() => undefined);
      }
    });
    socket.on('data', (chunk) => {
      try {
        for (const message of stream.push(chunk)) this.#receive(message as Message);
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    socket.on('error', (error) => {
      this.#lastError = error;
    });
    socket.on('close', () => this.#disconnected());
  }

  #disconnected(): void {
    if (this.#socket) this.#connected = unhandled();
    this.#socket = undefined;
    for (const { reject } of this.#pending.values()) {
      reject(new OutcomeUnknown(this.#path, 'The connection to the database was closed'));
    }
    this.#pending.clear();
    if (this.#closed) return;
    this.#retry = setTimeout(() => this.#connect(), this.#delay);
    this.#delay = Math.min(this.#delay * 2, longestDelay);
  }

  #receive({ id, method, params, result, error }: Message): void {
    if (method === 'echo') {
      this.#send({ id, result: params, error: null });
      return;
    }
    if (method === 'update') {
      const [monitorId, updates] = params as [number, TableUpdates];
      this.#monitors.get(monitorId)?.onUpdates(updates, false);
      return;
    }
    const pending = this.#pending.get(id as number);
    if (!pending) return;
    if (error === null || error === undefined) pending.resolve(result);
    else pending.reject(refusal(error));
  }

  #send(message: Message): void {
    this.#socket?.write(JSON.stringify(message));
  }
}

function refusal(error: unknown): TransactionRefused {
  const { error: kind, details } = (typeof error === 'object' ? error : { error }) as {
    error: string;
    details?: string;
  };
  return new TransactionRefused(String(kind), details ?? '', undefined);
}

/** A promise whose rejection may have no handler. */
function unhandled(): PromiseWithResolvers<Socket> {
  const resolvers = Promise.withResolvers<Socket>();
  resolvers.promise.catch(() => undefined);
  return resolvers;
}
