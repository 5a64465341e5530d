/** The streams of a command over one connection: each frame has a type, a length and that many bytes. */
export const frameTypes = { stdin: 0, stdout: 1, stderr: 2, end: 3, exit: 4 } as const;

const maxFrame = 1024 * 1024;

export function frame(type: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(type, 0);
  head.writeUInt32BE(payload.length, 1);
  return Buffer.concat([head, payload]);
}

/** Calls `take` for every complete frame of a stream. */
export function frameReader(take: (type: number, payload: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5) {
      const length = rest.readUInt32BE(1);
      if (length > maxFrame) throw new Error('a frame is too large');
      if (rest.length < 5 + length) return;
      take(rest.readUInt8(0), rest.subarray(5, 5 + length));
      rest = rest.subarray(5 + length);
    }
  };
}

/** Forwards bytes, and pauses the source while the destination is full. */
export function passOn(from: NodeJS.ReadableStream, to: NodeJS.WritableStream, bytes: Buffer): void {
  if (!to.writable || to.write(bytes)) return;
  const goOn = () => {
    to.off('drain', goOn).off('close', goOn);
    // Resume only while there is a reader.
    if (from.listenerCount('data') > 0) from.resume();
  };
  to.on('drain', goOn).on('close', goOn);
  from.pause();
}
