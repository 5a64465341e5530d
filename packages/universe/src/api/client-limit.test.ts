import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { ClientLimit } from './client-limit.ts';

function enter(limit: ClientLimit, raw: ServerResponse): void {
  const request = { from: '192.0.2.1', headers: {}, raw: raw.req };
  limit.enter(request as never, { raw, header: () => undefined } as never);
}

const response = () => new ServerResponse(new IncomingMessage(new Socket()));

test('a client that left before it was counted takes no place', () => {
  const limit = new ClientLimit(1, { en: 'requests', ru: 'запросов' });
  enter(limit, response().destroy());
  enter(limit, response());
  expect(() => enter(limit, response())).toThrow('NOVA8424');
});
