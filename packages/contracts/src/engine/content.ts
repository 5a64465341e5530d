import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Connection, failure, requestTo } from '@nova-platform/http/client';
import { z } from 'zod';

/** The file formats of disks for import and export. */
export const contentFormats = ['qcow2', 'raw'] as const;
export type ContentFormat = (typeof contentFormats)[number];

export const contentQuery = z.object({ format: z.enum(contentFormats).default('qcow2') });

/** The content of a disk, or of the own disk of a machine. */
export const contentPath = (kind: 'disks' | 'machines', name: string): string =>
  `/v1/${kind}/${encodeURIComponent(name)}/content`;

/** Writes the content of a disk to a stream. */
export async function download(target: Connection, path: string, format: ContentFormat, to: Writable): Promise<void> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    requestTo({ ...target, path: `${path}?format=${format}` }, resolve)
      .on('error', reject)
      .end();
  });
  if (response.statusCode !== 200) throw failure(await text(response));
  await pipeline(response, to);
}

/** Sends the content of a new disk. Returns what the engine created. */
export async function upload<T>(target: Connection, path: string, format: ContentFormat, from: Readable): Promise<T> {
  const headers = { 'content-type': 'application/octet-stream' };
  const answered = await new Promise<{ status: number; body: string }>((resolve, reject) => {
    let reason: unknown = new Error('the connection was closed');
    let hasAnswer = false;
    const outgoing = requestTo({ ...target, method: 'PUT', path: `${path}?format=${format}`, headers }, (response) => {
      hasAnswer = true;
      // The engine may refuse the content before it is complete.
      text(response)
        .finally(() => from.destroy())
        .then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    const failed = (error: unknown) => {
      reason = error;
    };
    outgoing.on('error', failed);
    // An answer explains why the engine reads no more.
    outgoing.once('close', () => hasAnswer || reject(reason));
    pipeline(from, outgoing).catch(failed);
  });
  if (answered.status !== 200) throw failure(answered.body);
  return JSON.parse(answered.body) as T;
}
