import { readLines } from '@nova-platform/http/browser';
import type { UniverseEvent } from './client.ts';

const firstPause = 250;
const longestPause = 5000;
/** The server sends a line every 15 seconds; after this silence it counts as unreachable. */
const longestSilence = 45_000;

interface Listener {
  onEvent: (event: UniverseEvent) => void;
  /** A connection was established or lost. */
  onConnection: (isConnected: boolean) => void;
  /** The session has expired. */
  onRefusal: () => void;
}

/**
 * Delivers each event once, until the signal aborts. Reconnects after a lost or silent connection and continues after
 * the last event.
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
