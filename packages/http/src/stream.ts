import type { FastifyReply } from 'fastify';
import { failureBody } from './failure.ts';

/**
 * Answers with one JSON document a line, as they come. Work that fails has `problems` or a `message` as its last line,
 * so no other line may have a field of that name. The signal tells that nobody listens any more.
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
