import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Refusal } from './refusal.ts';

const unpack = promisify(gunzip);
/** What a client wants and has, a line each: enough for ten thousand branches. */
const most = 1024 * 1024;

/** A request's body as it was before it was compressed; neither form of it may be too large. */
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
  // Destroyed, it could not be answered any more.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new Refusal(413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
