import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient, reportedProblems } from '@nova-platform/api';
import type { UniverseClient } from '@nova-platform/contracts/universe/client';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { Interrupted, problemAsData } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { oneLine } from '../../outside.ts';
import { clock } from '../../time.ts';
import { universeOf } from '../../universe.ts';
import { findingLines } from '../status/cluster.ts';

export interface EventsFlags {
  warnings?: boolean;
  watch?: boolean;
  output: Output;
}

type Event = Awaited<ReturnType<UniverseClient['clusterEvents']>>['events'][number];

const pause = 2000;

export const events = command<EventsFlags, [cluster: string]>(async function (flags, cluster) {
  const { io, t, language } = this;
  const { client } = universeOf(io);
  const read = async () => wanted((await client.clusterEvents({ params: { cluster } })).events, flags);
  if (flags.watch) return watch(this, read, flags.output);
  const [found, health] = await Promise.all([read(), client.clusterHealth({ params: { cluster } })]);
  const findings = findingLines(this, health);
  const lines = found.map((event) => eventLine(this, event));
  const none = t({ en: 'There are no events in the last hour.', ru: 'За последний час событий нет.' });
  return {
    data: {
      events: found,
      findings: health.findings.map(({ severity, chain }) => ({
        severity,
        chain: reportedProblems(chain).map((each) => problemAsData(each, language)),
      })),
    },
    text: [...(lines.length > 0 ? lines : [none]), ...(findings.length > 0 ? ['', ...findings] : [])].join('\n'),
  };
});

/** Oldest first. */
function wanted(found: readonly Event[], { warnings = false }: EventsFlags): Event[] {
  return found.filter(({ severity }) => !warnings || severity === 'warning').toReversed();
}

/** Prints each occurrence once, until interrupted. A transient failure of the API is retried. */
async function watch(context: Context, read: () => Promise<Event[]>, output: Output): Promise<never> {
  const { io } = context;
  const stopped = new AbortController();
  void io.untilStopped().then(() => stopped.abort());
  let printed = new Set<string>();
  // The first request fails at once: the cluster may not exist.
  for (let found = await read(); ; found = await read().catch(ignoreTransient)) {
    for (const event of found.filter((each) => !printed.has(keyOf(each))))
      io.stdout.write(`${output === 'text' ? eventLine(context, event) : JSON.stringify(event)}\n`);
    if (found.length > 0) printed = new Set(found.map(keyOf));
    await sleep(pause, undefined, { signal: stopped.signal }).catch(() => undefined);
    if (stopped.signal.aborted) throw new Interrupted();
  }
}

function ignoreTransient(error: unknown): Event[] {
  if (isTransient(error)) return [];
  throw error;
}

function keyOf(event: Event): string {
  return JSON.stringify(event);
}

function eventLine({ style }: Context, { at, severity, object, reason, message, count }: Event): string {
  const mark = severity === 'warning' ? style.yellow('!') : ' ';
  const times = count > 1 ? ` (×${count})` : '';
  return `${mark} ${style.dim(clock(at))}  ${oneLine(object)}  ${oneLine(reason)}: ${oneLine(message, 500)}${times}`;
}
