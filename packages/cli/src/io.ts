import type { Readable, Writable } from 'node:stream';

export interface OutputStream extends Writable {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** Everything that a command may use of its process. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Stops signals from ending the process. Resolves on the first signal, so that a server can shut down gracefully. */
  untilStopped: () => Promise<void>;
}
