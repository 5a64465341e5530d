import { connect } from 'node:net';
import { JsonStream } from './json-stream.ts';

/** Sends a command to the control socket of an Open vSwitch or OVN daemon, like `ovs-appctl`. */
export async function control(path: string, method: string, timeout: number): Promise<string> {
  return await new Promise((resolve, reject) => {
    const socket = connect(path);
    const stream = new JsonStream();
    socket.setTimeout(timeout, () => socket.destroy(new Error(`${method} at ${path} took more than ${timeout} ms`)));
    socket.on('error', reject);
    socket.on('close', () =>
      reject(Object.assign(new Error(`${path} closed the connection without a response`), { code: 'ECONNRESET' })),
    );
    socket.on('connect', () => socket.write(JSON.stringify({ id: 0, method, params: [] })));
    socket.on('data', (chunk) => {
      const [answer] = stream.push(chunk) as { result: string | null; error: string | null }[];
      if (!answer) return;
      socket.destroy();
      if (answer.error === null) resolve(answer.result ?? '');
      else reject(new Error(answer.error));
    });
  });
}
