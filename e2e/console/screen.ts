import type { Duplex } from 'node:stream';

const width = 640;
const height = 400;
/** The lengths of messages without a variable part, by their type. */
const lengths: Record<number, number> = { 0: 20, 3: 10, 4: 8, 5: 6 };

/** Speaks RFB (VNC) like the screen of a VM: one picture, and no security. */
export function serveScreen(socket: Duplex, onKey: (key: number) => void): void {
  let received = Buffer.alloc(0);
  let isDrawn = false;
  const states = [version, security, init] as ((() => number) | undefined)[];
  socket.write('RFB 003.008\n');

  function version(): number {
    if (received.length < 12) return 0;
    // One type of security: none.
    socket.write(Buffer.from([1, 1]));
    return 12;
  }
  function security(): number {
    socket.write(Buffer.alloc(4));
    return 1;
  }
  function init(): number {
    const head = Buffer.alloc(24);
    head.writeUInt16BE(width, 0);
    head.writeUInt16BE(height, 2);
    // 32 bits per pixel: blue, green, red, nothing.
    Buffer.from([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0]).copy(head, 4);
    head.writeUInt32BE(4, 20);
    socket.write(Buffer.concat([head, Buffer.from('test')]));
    return 1;
  }
  function message(): number {
    const type = received[0] ?? 0;
    const length = lengthOf(received);
    if (length === 0 || received.length < length) return 0;
    if (type === 4 && received[1] === 1) onKey(received.readUInt32BE(4));
    if (type === 3 && !isDrawn) {
      isDrawn = true;
      socket.write(picture());
    }
    return length;
  }

  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length > 0) {
      const used = (states[0] ?? message)();
      if (used === 0) return;
      states.shift();
      received = received.subarray(used);
    }
  });
}

function lengthOf(received: Buffer): number {
  const type = received[0] ?? 0;
  if (type === 2) return received.length < 4 ? 0 : 4 + 4 * received.readUInt16BE(2);
  if (type === 6) return received.length < 8 ? 0 : 8 + Math.abs(received.readInt32BE(4));
  return lengths[type] ?? received.length;
}

/** A rectangle with the whole screen: a blue bar above a dark area. */
function picture(): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(width, 8);
  head.writeUInt16BE(height, 10);
  const pixels = Buffer.alloc(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel += 1)
    pixels.set(pixel < width * 40 ? [200, 120, 20, 0] : [40, 30, 30, 0], pixel * 4);
  return Buffer.concat([head, pixels]);
}
