import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, type Connection, clientOf, failure, requestTo } from '@nova-platform/http/client';
import { type UniverseEvent, universeContract } from './contract.ts';

export type { Health, Modules, Operation, OperationStep, Preview, Status, UniverseEvent } from './contract.ts';
export type UniverseClient = ReturnType<typeof universeClient>;

const firstPause = 250;
const longestPause = 5000;
/** The server says something every 15 seconds; one that is silent for this long is not there any more. */
const longestSilence = 45_000;

/** Universe as commands and the console see it. */
export function universeClient(client: ApiClient) {
  return clientOf(universeContract, client, '/api');
}

interface FollowOptions {
  /** Only what happens after this event. */
  after: number;
  operation?: number;
  /** Told whether there is a connection: when one is made, and when one breaks or cannot be made. */
  onConnection?: (isConnected: boolean) => void;
}

/**
 * Events as they happen, each once, until the signal. A connection that breaks is made again, and goes on where it was:
 * the server may restart meanwhile.
 */
export async function followEvents(
  connection: Connection,
  { after, operation, onConnection = () => undefined }: FollowOptions,
  onEvent: (event: UniverseEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = after;
  let pause = firstPause;
  while (!signal.aborted) {
    const query = operation === undefined ? '' : `?operation=${operation}`;
    try {
      await readEvents(connection, `/api/v1/events${query}`, last, signal, onConnection, (event) => {
        last = event.id;
        pause = firstPause;
        onEvent(event);
      });
    } catch (error) {
      if (error instanceof Refused) throw error.reason;
      if (!signal.aborted) onConnection(false);
      pause = Math.min(pause * 2, longestPause);
    }
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
}

/** The server answered, and will say the same again. */
class Refused extends Error {
  readonly reason: Error;

  constructor(reason: Error) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Too many streams at once are a reason to wait, and none to give up. */
function isRefusal(status = 0): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

function readEvents(
  connection: Connection,
  path: string,
  last: number,
  signal: AbortSignal,
  onConnection: (isConnected: boolean) => void,
  onEvent: (event: UniverseEvent) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const own = 'headers' in connection ? connection.headers : {};
    const headers = { ...own, accept: 'text/event-stream', 'last-event-id': String(last) };
    const outgoing = requestTo({ ...connection, path, headers, signal }, (response) => {
      let rest = '';
      if (response.statusCode === 200) onConnection(true);
      response.setEncoding('utf8').on('data', (chunk: string) => {
        rest += chunk;
        if (response.statusCode !== 200) return;
        const blocks = rest.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const [, data] = /^data: (.*)$/m.exec(block) ?? [];
          if (data !== undefined) onEvent(JSON.parse(data) as UniverseEvent);
        }
      });
      response.once('error', reject);
      response.once('end', () => (isRefusal(response.statusCode) ? reject(new Refused(failure(rest))) : resolve()));
    });
    outgoing.setTimeout(longestSilence, () => outgoing.destroy(new Error('the server is silent')));
    outgoing.once('error', reject).end();
  });
}
