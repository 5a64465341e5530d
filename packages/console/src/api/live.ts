import { readLines } from '@nova-platform/http/browser';
import type { UniverseEvent } from './client.ts';

const firstPause = 250;
const longestPause = 5000;
/** The server says something every 15 seconds; one that is silent for this long is not there any more. */
const longestSilence = 45_000;

interface Listener {
  onEvent: (event: UniverseEvent) => void;
  /** A connection was made, or broke. */
  onConnection: (isConnected: boolean) => void;
  /** The session has ended. */
  onRefusal: () => void;
}

/**
 * Events as they happen, each once, until the signal; a connection that breaks, or over which nothing comes, is made
 * again and goes on where it was.
 */
export async function followEvents(
  { onEvent, onConnection, onRefusal }: Listener,
  signal: AbortSignal,
  { address = '/api/v1/events', silence: longest = longestSilence } = {},
): Promise<void> {
  let last: number | undefined;
  let pause = firstPause;
  while (!signal.aborted) {
    const attempt = new AbortController();
    let silence = setTimeout(() => attempt.abort(), longest);
    try {
      const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': String(last) };
      const response = await fetch(address, { headers, signal: AbortSignal.any([signal, attempt.signal]) });
      if (response.status === 401) return onRefusal();
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      onConnection(true);
      pause = firstPause;
      await readLines(response, (line) => {
        clearTimeout(silence);
        silence = setTimeout(() => attempt.abort(), longest);
        if (!line.startsWith('data: ')) return;
        const event = JSON.parse(line.slice(6)) as UniverseEvent;
        last = event.id;
        onEvent(event);
      });
    } catch {
      if (signal.aborted) return;
      onConnection(false);
      pause = Math.min(pause * 2, longestPause);
    } finally {
      clearTimeout(silence);
    }
    await new Promise((wake) => setTimeout(wake, pause));
  }
}
