import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, type Connection, clientOf, failure, requestTo } from '@nova-platform/http/client';
import { type UniverseEvent, universeContract } from './contract.ts';

export type {
  Health,
  Modules,
  Operation,
  OperationStep,
  Preview,
  ProviderChecks,
  Status,
  UniverseEvent,
} from './contract.ts';
export type UniverseClient = ReturnType<typeof universeClient>;

const firstPause = 250;
const longestPause = 5000;
/** The server sends something every 15 seconds; after this long without data the connection is considered dead. */
const longestSilence = 45_000;

/** The client for commands and the console. */
export function universeClient(client: ApiClient) {
  return clientOf(universeContract, client, '/api');
}

interface FollowOptions {
  /** Follow only events after this one. */
  after: number;
  operation?: number;
  /** Called when a connection is established, and when it breaks or cannot be established. */
  onConnection?: (isConnected: boolean) => void;
}

/**
 * Follows events, each exactly once, until the signal aborts. A broken connection is established again and continues
 * after the last event: the server may restart meanwhile.
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

/** A response that a retry would not change. */
class Refused extends Error {
  readonly reason: Error;

  constructor(reason: Error) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Too many streams (429) are worth a retry. */
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
    outgoing.setTimeout(longestSilence, () => outgoing.destroy(new Error('the server sends no data')));
    outgoing.once('error', reject).end();
  });
}
