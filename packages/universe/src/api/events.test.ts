import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { followEvents } from '@nova-platform/contracts/universe/client';
import type { Event, NewEvent } from '@nova-platform/operations';
import { eachStore } from '@nova-platform/store/testing';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { eventually, startTestUniverse, type TestUniverse } from '../testing/universe.ts';

// Other tests may use the same processors.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

interface Listener {
  events: Event[];
  status: () => number;
  isEnded: () => boolean;
  /** Breaks the connection. */
  cut: () => void;
  pause: () => void;
  resume: () => void;
}

eachStore('events', (open) => {
  let universe: TestUniverse;
  let token: string;
  const listeners: Listener[] = [];
  beforeAll(async () => {
    universe = await startTestUniverse({ store: await open() });
    token = await universe.token('viewer');
  });
  afterEach(() => {
    for (const { cut } of listeners.splice(0)) cut();
  });
  afterAll(() => universe.close());

  const emit = (...events: NewEvent[]) =>
    universe.universe.parts.journal.write(async (_transaction, say) => {
      for (const event of events) await say(event);
    });
  const line = (number: number, more: Partial<NewEvent> = {}): NewEvent => ({
    kind: 'log',
    data: { number },
    ...more,
  });
  const numbersOf = (events: readonly Event[]) => events.map(({ data }) => data.number);

  function listen({ after, query = '' }: { after?: number; query?: string } = {}): Listener {
    const events: Event[] = [];
    let status = 0;
    let isEnded = false;
    let response: NodeJS.ReadableStream | undefined;
    const headers = after === undefined ? {} : { 'last-event-id': String(after) };
    const { headers: own, ...connection } = universe.connection(token);
    const outgoing = request(
      { ...connection, agent: false, path: `/api/v1/events${query}`, headers: { ...own, ...headers } },
      (incoming) => {
        response = incoming;
        status = incoming.statusCode ?? 0;
        let rest = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => {
          const blocks = (rest + chunk).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) {
            const [, data] = /^data: (.*)$/m.exec(block) ?? [];
            if (data !== undefined) events.push(JSON.parse(data) as Event);
          }
        });
        incoming.on('close', () => {
          isEnded = true;
        });
        incoming.on('error', () => undefined);
      },
    );
    outgoing.on('error', () => undefined).end();
    const listener = {
      events,
      status: () => status,
      isEnded: () => isEnded,
      cut: () => outgoing.destroy(),
      pause: () => void response?.pause(),
      resume: () => void response?.resume(),
    };
    listeners.push(listener);
    return listener;
  }
  async function listening(options?: Parameters<typeof listen>[0]): Promise<Listener> {
    const listener = listen(options);
    await eventually(() => listener.status() === 200);
    return listener;
  }

  test('a new listener gets later events, in order', async () => {
    await emit(line(-1));
    const listener = await listening();
    for (let number = 0; number < 20; number += 1) await emit(line(number));
    await eventually(() => listener.events.length === 20);
    expect(numbersOf(listener.events)).toEqual(Array.from({ length: 20 }, (_, number) => number));
  });

  test('filters by operation and cluster', async () => {
    const [all, alpha, seven] = await Promise.all([
      listening(),
      listening({ query: '?cluster=alpha' }),
      listening({ query: '?operation=7' }),
    ]);
    await emit(
      line(1, { cluster: 'alpha', operation: 7 }),
      line(2, { cluster: 'beta', operation: 7 }),
      line(3, { cluster: 'alpha' }),
      line(4),
    );
    await eventually(() => all.events.length === 4);
    await eventually(() => alpha.events.length === 2 && seven.events.length === 2);
    expect(numbersOf(alpha.events)).toEqual([1, 3]);
    expect(numbersOf(seven.events)).toEqual([1, 2]);
    const history = await universe.local.listEvents({ query: { cluster: 'alpha', operation: 7 } });
    expect(numbersOf(history.events as Event[])).toEqual([1]);
  });

  test('each event is delivered exactly once, even if connections break while others write', async () => {
    const start = await universe.universe.parts.journal.last();
    const count = 500;
    const heard: Event[] = [];
    const abort = new AbortController();
    // The connection of a follower breaks often; it continues after its last event.
    const following = (async () => {
      let last = start;
      while (heard.length < count) {
        const listener = listen({ after: last });
        // Counted from the first event, which can take a while on a busy machine.
        while (listener.events.length === 0) await sleep(5);
        const until = Date.now() + 20 + Math.random() * 60;
        while (Date.now() < until && heard.length + listener.events.length < count) await sleep(5);
        listener.cut();
        await sleep(1);
        heard.push(...listener.events);
        last = heard.at(-1)?.id ?? last;
      }
    })();
    const clients: Event[] = [];
    const client = followEvents(
      universe.connection(token),
      { after: start },
      (event) => void clients.push(event as Event),
      abort.signal,
    );
    const writers = Array.from({ length: 5 }, async (_, writer) => {
      for (let number = writer; number < count; number += 5) {
        await emit(line(number));
        if (number % 50 === 0) await sleep(1);
      }
    });
    await Promise.all([following, ...writers]);
    await eventually(() => clients.length === count);
    abort.abort();
    await client;
    const stored = (await universe.universe.parts.journal.after(start, {}, 10_000)).map(({ id }) => id);
    expect(stored).toHaveLength(count);
    expect(heard.map(({ id }) => id)).toEqual(stored);
    expect(clients.map(({ id }) => id)).toEqual(stored);
  });

  test('a follower continues after the server restarts', async () => {
    const start = await universe.universe.parts.journal.last();
    const heard: unknown[] = [];
    const abort = new AbortController();
    const client = followEvents(
      universe.connection(token),
      { after: start },
      ({ data }) => void heard.push(data.number),
      abort.signal,
    );
    await emit(line(1));
    await eventually(() => heard.length === 1);
    await universe.restart();
    await emit(line(2));
    await eventually(() => heard.length === 2);
    await emit(line(3));
    await eventually(() => heard.length === 3);
    expect(heard).toEqual([1, 2, 3]);
    abort.abort();
    await client;
  });

  test('a future Last-Event-ID hides no events', async () => {
    const listener = await listening({ after: 1_000_000_000 });
    await emit(line(1));
    await eventually(() => listener.events.length === 1);
  });

  test('a listener that does not read is disconnected, uses no memory, and can continue later', async () => {
    const { journal } = universe.universe.parts;
    const start = await journal.last();
    const slow = await listening();
    slow.pause();
    const large = 'x'.repeat(20_000);
    const before = process.memoryUsage().external + process.memoryUsage().heapUsed;
    for (let round = 0; round < 100; round += 1)
      await emit(
        ...Array.from({ length: 10 }, (_, index) =>
          line(round * 10 + index, { data: { number: round * 10 + index, large } }),
        ),
      );
    const grown = process.memoryUsage().external + process.memoryUsage().heapUsed - before;
    expect(grown).toBeLessThan(150e6);
    slow.resume();
    await eventually(slow.isEnded);
    // The received events are complete and in order; the rest is delivered to a new connection.
    const heard = numbersOf(slow.events);
    expect(heard.length).toBeLessThan(1000);
    expect(heard).toEqual(heard.map((_, index) => index));
    const again = await listening({ after: slow.events.at(-1)?.id ?? start });
    await eventually(() => again.events.length === 1000 - heard.length);
    expect(numbersOf(again.events)).toEqual(
      Array.from({ length: 1000 - heard.length }, (_, index) => heard.length + index),
    );
    // The server waits for a slow reader of old events, which gets all of them.
    const late = await listening({ after: start });
    late.pause();
    await sleep(300);
    expect(late.isEnded()).toBe(false);
    late.resume();
    await eventually(() => late.events.length === 1000);
    expect(late.isEnded()).toBe(false);
    await emit(line(1000));
    await eventually(() => late.events.length === 1001);
  });
});
