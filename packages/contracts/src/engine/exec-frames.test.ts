import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frame, frameReader, passOn } from './exec-frames.ts';

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

test('what is not taken is not read either, until it is taken or nobody is there any more', async () => {
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

test('what nobody listens to any more is not read to its end', async () => {
  const [from, to] = [new PassThrough(), new PassThrough({ highWaterMark: 10 })];
  passOn(from, to, Buffer.alloc(10));
  to.destroy();
  await once(to, 'close');
  expect(from.isPaused()).toBe(true);
});
