import type { Readable, Writable } from 'node:stream';

export interface OutputStream extends Writable {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** Everything a command may touch of the process it runs in. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: OutputStream;
  stderr: OutputStream;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** From now on a signal does not end the process: the first one fulfils this, so that a server can stop in order. */
  untilStopped: () => Promise<void>;
}
