import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Refusal } from './refusal.ts';

const unpack = promisify(gunzip);
/** Wants and haves of a client, one per line: enough for ten thousand branches. */
const most = 1024 * 1024;

/** Reads and decompresses the body of a request. Both forms are limited in size. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined) return readSent(request);
  if (encoding !== 'gzip' && encoding !== 'x-gzip') throw new Refusal(415);
  try {
    return await unpack(await readSent(request), { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new Refusal(413);
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw new Refusal(400);
    throw error;
  }
}

async function readSent(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // A destroyed request cannot be responded to.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new Refusal(413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
