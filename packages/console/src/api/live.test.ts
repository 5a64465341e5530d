import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { UniverseEvent } from './client.ts';
import { followEvents } from './live.ts';

const silence = 2000;

/** Follows the events of a server that handles each connection differently, in the given order. */
async function follow(answers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[]) {
  let made = 0;
  const server = createServer((request, response) => {
    made += 1;
    answers[made - 1]?.(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const seen: (number | boolean)[] = [];
  const end = new AbortController();
  const followed = followEvents(
    {
      onEvent: ({ id }) => seen.push(id),
      onConnection: (isConnected) => seen.push(isConnected),
      onRefusal: () => end.abort(),
    },
    end.signal,
    { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, silence },
  );
  return {
    seen,
    made: () => made,
    close: async () => {
      end.abort();
      server.closeAllConnections();
      server.close();
      await followed;
    },
  };
}

const open = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });
const say = (response: ServerResponse, id: number) => {
  const event: UniverseEvent = { id, at: '2026-11-15T10:00:00Z', kind: 'operation', data: {} };
  response.write(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`);
};

test('the client reconnects after the last event when the server is connected but silent', async () => {
  const after: unknown[] = [];
  const { seen, close } = await follow([
    (_request, response) => say(open(response), 7),
    (request, response) => {
      after.push(request.headers['last-event-id']);
      say(open(response), 8);
    },
  ]);
  // Only the client's timeout ends this connection.
  await expect.poll(() => seen.slice(0, 5), { timeout: 10 * silence }).toEqual([true, 7, false, true, 8]);
  expect(after[0]).toBe('7');
  await close();
});

test('the client reconnects when the server accepts a connection and never responds', async () => {
  const { seen, close } = await follow([() => undefined, (_request, response) => say(open(response), 1)]);
  await expect.poll(() => seen.slice(0, 3), { timeout: 10 * silence }).toEqual([false, true, 1]);
  await close();
});

test('the client stays connected to a server that sends keep-alives', async () => {
  let beat: NodeJS.Timeout | undefined;
  const { seen, made, close } = await follow([
    (_request, response) => {
      open(response);
      beat = setInterval(() => response.write(': here\n\n'), silence / 8);
    },
  ]);
  await new Promise((wake) => setTimeout(wake, 2 * silence));
  expect(seen).toEqual([true]);
  expect(made()).toBe(1);
  clearInterval(beat);
  await close();
});
