import { connect, type Socket } from 'node:net';
import { JsonStream } from './json-stream.ts';
import type { Operation, OperationResult, Row } from './ovsdb-values.ts';

/** A transaction the database refused: nothing of it was done. */
export class TransactionRefused extends Error {
  readonly error: string;
  readonly details: string;
  /** The operation it stumbled over; absent when the transaction as a whole breaks a constraint. */
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

/** The request was sent and the answer never came: it may or may not have been done. */
export class OutcomeUnknown extends Error {
  constructor(socket: string, reason: string) {
    super(`${reason} at ${socket} before it answered; whether the change was made is unknown, apply it again.`);
    this.name = 'OutcomeUnknown';
  }
}

/** Nobody listens at the socket: nothing was sent. */
export class Unreachable extends Error {
  constructor(socket: string, cause?: unknown) {
    super(`No database answers at ${socket}.`, { cause });
    this.name = 'Unreachable';
  }
}

export type TableUpdates = Record<string, Record<string, { old?: Row; new?: Row }>>;

/** Called once with everything (also after every reconnection, `fresh` then being true) and then with every change. */
export type OnUpdates = (updates: TableUpdates, fresh: boolean) => void;

export interface OvsdbOptions {
  /** How long a request waits for a connection, and then for its answer. */
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

/** One database of an ovsdb-server behind a unix socket (RFC 7047). Reconnects for as long as it is not closed. */
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
    // Linux cuts the path off at 107 bytes and then names a different file.
    if (Buffer.byteLength(path) > 107) throw new Error(`The path of a unix socket has at most 107 bytes: ${path}`);
    this.#path = path;
    this.#database = database;
    this.#timeout = timeout;
    this.#connect();
  }

  /** All of the operations or none of them. */
  async transact(operations: readonly Operation[]): Promise<OperationResult[]> {
    const results = (await this.#request('transact', [this.#database, ...operations])) as (OperationResult | null)[];
    for (const [index, result] of results.entries()) {
      if (result?.error !== undefined)
        throw new TransactionRefused(result.error, result.details ?? '', operations[index]);
    }
    return results.map((result) => result ?? {});
  }

  /** Rows of every table named, as they are together at one moment. */
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

  /** Returns the function that ends it. */
  async monitor(tables: Record<string, readonly string[]>, onUpdates: OnUpdates): Promise<() => void> {
    // Connected first: whoever is known when a connection comes is subscribed by it.
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

  /** Resolves when `accept` holds for the rows of a table; rejects at the deadline with what `describe` says of them. */
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
    // A database that is down for a while only makes it wait: the deadline is the caller's.
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
    // Told at once, not when the promise is: the first change may stand right behind the answer in the same chunk.
    await this.#request('monitor', [this.#database, id, requests], (initial) =>
      onUpdates(initial as TableUpdates, true),
    );
  }

  async #request(method: string, params: unknown[], onResult?: (result: unknown) => void): Promise<unknown> {
    await this.#connection();
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(
      () => reject(new OutcomeUnknown(this.#path, `The database was silent for ${this.#timeout} ms`)),
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
        // If this fails, the connection broke again, and the next one tries anew.
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
      reject(new OutcomeUnknown(this.#path, 'The connection to the database ended'));
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

/** A promise nobody may be waiting for when it fails. */
function unhandled(): PromiseWithResolvers<Socket> {
  const resolvers = Promise.withResolvers<Socket>();
  resolvers.promise.catch(() => undefined);
  return resolvers;
}
