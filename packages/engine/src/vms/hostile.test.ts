import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { commandResult, GuestAgent } from './guest-agent.ts';
import { Qmp } from './qmp.ts';

// The other ends of these sockets are programs that a guest can control.

const sockets: Socket[] = [];

/** Our end of a connection, and the end of a hostile program. */
async function connection(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [other] = (await once(server, 'connection')) as [Socket];
  server.close();
  other.on('error', () => undefined);
  sockets.push(own, other);
  return [own, other];
}

/** Sends the text until the connection is closed. */
async function flood(socket: Socket, text: string): Promise<void> {
  while (!socket.destroyed) if (!socket.write(text)) await Promise.race([once(socket, 'drain'), setImmediate()]);
}

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

test('a guest agent that answers without end is given up', async () => {
  const [own, other] = await connection();
  void flood(other, '{"return": 0}\n'.repeat(1000));
  await expect(GuestAgent.over(own, 500)).rejects.toThrow('does not respond');
  expect(own.destroyed).toBe(true);
});

test('output of a guest is text: an object of another type allocates no memory', () => {
  const status = { exited: true, exitcode: 0, 'out-data': 'aGk=' };
  expect(commandResult(status)?.stdout.toString()).toBe('hi');
  expect(commandResult({ exited: false })).toBeUndefined();
  for (const hostile of [{ length: 2 ** 31 - 1 }, 2 ** 31, ['a']])
    expect(() => commandResult({ ...status, 'out-data': hostile })).toThrow();
  expect(() => commandResult(null)).toThrow();
});

test('a reason that a monitor gives is shortened', async () => {
  const [own, other] = await connection();
  other.write('{"QMP": {}}\n');
  other.once('data', () => other.write(`{"error": {"class": "X", "desc": "${'a'.repeat(100_000)}"}}\n`));
  const refused: Error = await Qmp.over(own).then(
    () => expect.unreachable(),
    (error: Error) => error,
  );
  expect(refused.message).toMatch(/^qmp_capabilities: a{500}$/);
});

test('a monitor that reports events without end is disconnected', async () => {
  const [own, other] = await connection();
  other.write('{"QMP": {}}\n');
  other.once('data', () => void flood(other, '{"event": "RESET", "data": {}}\n'.repeat(100)));
  await expect(Qmp.over(own)).rejects.toThrow('too many events');
  expect(own.destroyed).toBe(true);
});
