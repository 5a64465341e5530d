import type { FastifyReply } from 'fastify';
import { failureBody } from './failure.ts';

/**
 * Responds with one JSON document per line, as they are produced. If `work` fails, the last line contains `problems` or
 * a `message`, so no other line may have a field of that name. The signal aborts when the client disconnects.
 */
export async function streamLines(
  reply: Pick<FastifyReply, 'hijack' | 'raw'>,
  work: (say: (line: object) => void, left: AbortSignal) => Promise<void>,
): Promise<void> {
  const { raw } = reply;
  const left = new AbortController();
  const say = (line: object) => void raw.write(`${JSON.stringify(line)}\n`);
  reply.hijack();
  raw.on('close', () => {
    if (!raw.writableEnded) left.abort();
  });
  raw.writeHead(200, { 'content-type': 'application/x-ndjson' });
  try {
    await work(say, left.signal);
  } catch (error) {
    say(failureBody(error));
  }
  raw.end();
}
