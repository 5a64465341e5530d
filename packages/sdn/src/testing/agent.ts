import { createHash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, createServer, type Server } from 'node:net';

/** Runs inside a test machine: serves and sends traffic on request. Each request gets one response. */
export interface Request {
  id: number;
  do: 'listen' | 'close' | 'tcp' | 'udp' | 'dns' | 'seen';
  address?: string;
  port?: number;
  /** The source address. */
  from?: string;
  /** Number of bytes to send; they must come back unchanged. */
  bytes?: number;
  query?: string;
  timeout?: number;
}

export interface Answer {
  id: number;
  result?: unknown;
  error?: string;
}

const name = process.argv[2] ?? '';
const servers = new Map<number, Server>();
const seen: string[] = [];

const tcpServer = () =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write(`${name} ${socket.remoteAddress}\n`);
    socket.pipe(socket);
  });

const udpServer = createSocket('udp4', (message, { address, port }) => {
  seen.push(address);
  udpServer.send(Buffer.concat([Buffer.from(`${name} ${address}\n`), message]), port, address);
});

async function listen({ port = 7 }: Request): Promise<void> {
  const server = tcpServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '0.0.0.0', resolve));
  servers.set(port, server);
}

/** Closes a port; it refuses connections, as after a crash. */
async function close({ port = 7 }: Request): Promise<void> {
  const server = servers.get(port);
  servers.delete(port);
  await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
}

async function tcp({ address = '', port = 7, from, bytes = 100_000, timeout = 3000 }: Request): Promise<string> {
  const payload = randomBytes(bytes);
  return await new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, ...(from && { localAddress: from }) });
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new Error('timed out')), timeout);
    const chunks: Buffer[] = [];
    let length = 0;
    socket.on('connect', () => socket.write(payload));
    socket.on('error', fail);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      length += chunk.length;
      const all = length >= bytes ? Buffer.concat(chunks) : undefined;
      const end = all?.indexOf('\n') ?? -1;
      if (!all || end < 0 || all.length < end + 1 + bytes) return;
      clearTimeout(timer);
      socket.destroy();
      const [there, back] = [payload, all.subarray(end + 1)].map((part) =>
        createHash('sha256').update(part).digest('hex'),
      );
      if (there === back) resolve(all.subarray(0, end).toString());
      else reject(new Error('the bytes that came back differ'));
    });
  });
}

async function udp({ address = '', port = 7, from, bytes = 1000, timeout = 1000 }: Request): Promise<string> {
  const reply = await datagram(randomBytes(bytes), { address, port, timeout, ...(from && { from }) });
  return reply.subarray(0, reply.indexOf('\n')).toString();
}

/** The query and the response are packets in hexadecimal. */
async function dns({ address = '', query = '', timeout = 1000 }: Request): Promise<string> {
  return (await datagram(Buffer.from(query, 'hex'), { address, port: 53, timeout })).toString('hex');
}

async function datagram(
  payload: Buffer,
  { address, port, from, timeout }: { address: string; port: number; from?: string; timeout: number },
): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const finish = (act: () => void) => {
      clearTimeout(timer);
      socket.close();
      act();
    };
    const timer = setTimeout(() => finish(() => reject(new Error('timed out'))), timeout);
    socket.once('error', (error) => finish(() => reject(error)));
    socket.once('message', (message) => finish(() => resolve(message)));
    socket.bind(0, from, () => socket.send(payload, port, address));
  });
}

const actions = { listen, close, tcp, udp, dns, seen: async () => seen };

process.on('message', async (request: Request) => {
  try {
    const result = await actions[request.do](request);
    process.send?.({ id: request.id, result } satisfies Answer);
  } catch (error) {
    process.send?.({ id: request.id, error: (error as Error).message } satisfies Answer);
  }
});
process.on('disconnect', () => process.exit());

udpServer.bind(7, '0.0.0.0');
await listen({ id: 0, do: 'listen' });
process.send?.({ id: 0 } satisfies Answer);
