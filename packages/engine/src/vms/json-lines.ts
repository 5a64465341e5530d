import type { Socket } from 'node:net';

/** Longer than the largest answer: 16 MiB of output of a command, in base64. */
const maxLine = 64 * 1024 * 1024;

/** The JSON objects, one per line, that a program sends over a socket. What precedes a byte 0xFF is left out. */
export async function* jsonLines(socket: Socket): AsyncGenerator<Record<string, unknown>> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    let rest = chunk;
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      const line = Buffer.concat([...parts, rest.subarray(0, end)]);
      [parts, length, rest] = [[], 0, rest.subarray(end + 1)];
      const text = line.subarray(line.lastIndexOf(0xff) + 1).toString();
      if (text.trim() !== '') yield JSON.parse(text) as Record<string, unknown>;
    }
    parts.push(rest);
    length += rest.length;
    if (length > maxLine) throw new Error('a line is too long');
  }
}
