import type { ServerResponse } from 'node:http';
import { formatted } from '@nova-platform/api';
import type { HttpApi } from '@nova-platform/http';
import type { Event, Journal } from '@nova-platform/operations';
import { z } from 'zod';
import type { Schema } from '../store/schema.ts';
import { ClientLimit } from './client-limit.ts';

const pageSize = 500;
const heartbeat = 15_000;
/** Concurrent streams of one client: each is a connection, and a listener of every event. */
const maxStreams = 100;
/** Then the client reconnects and authenticates again: revoked permissions end here. */
const longest = 10 * 60_000;
/** A client that does not read is disconnected; it can reconnect and continue. */
const maxUnread = 4 * 1024 * 1024;

/** Server-sent events. A client that reconnects continues after its last event. */
export function serveEvents(api: HttpApi, journal: Journal<Schema>, path: string): void {
  const open = new Set<ServerResponse>();
  const limit = new ClientLimit(maxStreams, { en: 'event streams', ru: 'потоков событий' });
  api.addHook('preClose', async () => {
    for (const response of open) response.end();
  });
  api.get(
    path,
    {
      exposeHeadRoute: false,
      schema: {
        operationId: 'followEvents',
        summary: 'Streams events as text/event-stream; Last-Event-ID continues an interrupted stream',
        querystring: z.strictObject({
          cluster: formatted('label', 63).optional(),
          operation: z.coerce.number().int().optional(),
        }),
        headers: z.object({ 'last-event-id': z.coerce.number().int().min(0).optional() }),
        response: { 200: z.string() },
      },
      config: { access: 'viewer' },
    },
    async (request, reply) => {
      const { query, headers } = request;
      limit.enter(request, reply);
      // An ID in the future is from another store.
      const start = Math.min(headers['last-event-id'] ?? Number.POSITIVE_INFINITY, await journal.last());
      reply.hijack();
      open.add(reply.raw);
      reply.raw.once('close', () => open.delete(reply.raw));
      await follow(reply.raw, journal, query, start);
    },
  );
}

async function follow(
  response: ServerResponse,
  journal: Journal<Schema>,
  filter: { cluster?: string | undefined; operation?: number | undefined },
  start: number,
): Promise<void> {
  let last = start;
  let isReplaying = true;
  let isBehind = true;
  let wake = () => {};
  const isOver = () => response.writableEnded || response.destroyed;
  const write = (text: string) => {
    // Writing after end() throws.
    if (isOver()) return;
    response.write(text);
    if (response.writableLength > maxUnread) response.destroy();
  };
  const send = (event: Event) => {
    if (event.id <= last) return;
    last = event.id;
    write(`id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  // Old events are sent as fast as the client reads them.
  const drained = async () => {
    if (!response.writableNeedDrain || isOver()) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  const isWanted = ({ cluster, operation }: Event) =>
    (filter.cluster === undefined || filter.cluster === cluster) &&
    (filter.operation === undefined || filter.operation === operation);
  // Listen before reading missed events, so that none is lost. Events that arrive meanwhile are read too.
  const stop = journal.listen((event) => {
    if (!isWanted(event)) return;
    if (isReplaying) isBehind = true;
    else send(event);
  });
  const beat = setInterval(write, heartbeat, ':\n\n');
  const end = setTimeout(() => response.end(), longest);
  response.on('drain', () => wake());
  response.once('close', () => {
    stop();
    wake();
    clearInterval(beat);
    clearTimeout(end);
  });
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  write(':\n\n');
  try {
    while (isBehind && !isOver()) {
      isBehind = false;
      const page = await journal.after(last, filter, pageSize);
      for (const event of page) {
        send(event);
        await drained();
      }
      if (page.length === pageSize) isBehind = true;
    }
    isReplaying = false;
  } catch {
    // The store is unreachable; the client reconnects.
    response.destroy();
  }
}
