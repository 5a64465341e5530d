import type { Duplex } from 'node:stream';
import { ProblemError } from '@nova-platform/api';

/** The connection becomes a stream of this protocol. */
export function accept(socket: Duplex, protocol: string): void {
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ${protocol}\r\n\r\n`);
}

/** Answers like other calls, and closes the connection. */
export function refuse(socket: Duplex, error: unknown): void {
  const body = error instanceof ProblemError ? { problems: error.problems } : { message: (error as Error).message };
  const status = error instanceof ProblemError ? '422 Unprocessable Entity' : '400 Bad Request';
  const text = JSON.stringify(body);
  const head = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${text}`);
}
