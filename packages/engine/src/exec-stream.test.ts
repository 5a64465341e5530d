import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frame, frameReader } from './exec-stream.ts';

test('frames come out as they went in, however the stream is cut', () => {
  const frames = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.uint8Array({ maxLength: 100 })));
  fc.assert(
    fc.property(frames, fc.integer({ min: 1, max: 50 }), (sent, size) => {
      const stream = Buffer.concat(sent.map(([type, payload]) => frame(type, Buffer.from(payload))));
      const received: [number, number[]][] = [];
      const read = frameReader((type, payload) => received.push([type, [...payload]]));
      for (let at = 0; at < stream.length; at += size) read(stream.subarray(at, at + size));
      expect(received).toEqual(sent.map(([type, payload]) => [type, [...payload]]));
    }),
  );
});

test('a frame beyond all measure is refused', () => {
  expect(() => frameReader(() => undefined)(Buffer.from([0, 255, 255, 255, 255]))).toThrow();
});
