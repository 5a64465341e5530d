import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonStream } from './json-stream.ts';

it('messages are parsed however the bytes are split', () => {
  const messages = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { maxLength: 5 });
  fc.assert(
    fc.property(messages, fc.array(fc.nat(), { maxLength: 20 }), (sent, cuts) => {
      const bytes = Buffer.from(sent.map((message) => JSON.stringify(message)).join(''));
      const offsets = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
      const stream = new JsonStream();
      const received = offsets.slice(1).flatMap((end, index) => stream.push(bytes.subarray(offsets[index], end)));
      expect(JSON.stringify(received)).toBe(JSON.stringify(sent));
    }),
  );
});

it('messages are parsed byte by byte, with brackets and quotes inside of strings', () => {
  const sent = [{ a: '}{"\\', 'ключ ]': ['[', { b: '\\"' }] }, { id: null }];
  const stream = new JsonStream();
  const received = [...Buffer.from(sent.map((message) => JSON.stringify(message)).join('\n'))].flatMap((byte) =>
    stream.push(Buffer.from([byte])),
  );
  expect(received).toEqual(sent);
});
