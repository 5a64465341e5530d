import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frame, frameReader, passOn } from './exec-frames.ts';

test('frames are decoded unchanged, however the stream is split', () => {
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

test('an oversized frame is refused', () => {
  expect(() => frameReader(() => undefined)(Buffer.from([0, 255, 255, 255, 255]))).toThrow();
});

test('the source is paused while its destination is full, until the destination drains or closes', async () => {
  for (const goOn of [(to: PassThrough) => to.resume(), (to: PassThrough) => to.destroy()]) {
    const [from, to] = [new PassThrough(), new PassThrough({ highWaterMark: 10 })];
    from.on('data', () => undefined);
    passOn(from, to, Buffer.alloc(5));
    expect(from.isPaused()).toBe(false);
    passOn(from, to, Buffer.alloc(10));
    expect(from.isPaused()).toBe(true);
    goOn(to);
    await expect.poll(() => from.isPaused()).toBe(false);
  }
});

test('a source without listeners stays paused after its destination closes', async () => {
  const [from, to] = [new PassThrough(), new PassThrough({ highWaterMark: 10 })];
  passOn(from, to, Buffer.alloc(10));
  to.destroy();
  await once(to, 'close');
  expect(from.isPaused()).toBe(true);
});
