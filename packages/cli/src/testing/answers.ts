import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { novaCtl, type Outcome } from './terminal.ts';

/**
 * A stand-in for Universe with fixed responses, keyed by method and path such as `GET /v1/releases`, without the query. `missing` is
 * the body of all other responses.
 */
export async function answering(answers: Record<string, unknown>, missing: object = { problems: [] }) {
  const folder = await mkdtemp(join(tmpdir(), 'nova-answers-'));
  const socket = join(folder, 'universe.sock');
  /** Mutating requests that it received, with their bodies. */
  const asked: { request: string; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const [path = ''] = url.replace(/^\/api/, '').split('?');
    const body = await text(request);
    if (method !== 'GET')
      asked.push({ request: `${method} ${path}`, body: body === '' ? undefined : (JSON.parse(body) as unknown) });
    const answer = answers[`${method} ${path}`];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? missing));
  }).listen(socket);
  return {
    asked,
    socket,
    ctl: (args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
      novaCtl(args, { env: { NOVA_UNIVERSE_SOCKET: socket, ...env } }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}
