import { useSyncExternalStore } from 'react';
import { useWords } from '../language.tsx';

/** One timer for all times on a page, regardless of their number. */
const clock = (() => {
  const followers = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    now: () => now,
    follow: (update: () => void) => {
      if (followers.size === 0) {
        now = Date.now();
        timer = setInterval(() => {
          now = Date.now();
          for (const each of followers) each();
        }, 1000);
      }
      followers.add(update);
      return () => {
        followers.delete(update);
        if (followers.size === 0) clearInterval(timer);
      };
    },
  };
})();

const never = () => () => undefined;

/** The current time, updated while running. All times on a page change at the same moment. */
export function useNow(isRunning: boolean): number {
  return useSyncExternalStore(isRunning ? clock.follow : never, clock.now);
}

/** `5 minutes ago`, with the exact time as a tooltip. */
export function Ago({ at }: { at: string | undefined }) {
  const { relative, dateTime } = useWords();
  // Renders only when the text changes.
  const text = useSyncExternalStore(clock.follow, () => (at === undefined ? '' : relative(at, clock.now())));
  if (at === undefined) return <span className="nova-quiet">—</span>;
  return (
    <time dateTime={at} title={dateTime(at)}>
      {text}
    </time>
  );
}

/** How long something took, or has taken so far. */
export function Lasting({ from, until, isRunning }: { from: string; until: string | undefined; isRunning: boolean }) {
  const { duration } = useWords();
  const now = useNow(isRunning);
  const took = isRunning || until === undefined ? soFar(from, now) : Math.max(0, Date.parse(until) - Date.parse(from));
  return <span className="nova-number">{duration(took)}</span>;
}

/** Milliseconds since then, in full seconds, as in `10 seconds ago` beside it. */
export function soFar(from: string, now: number): number {
  return Math.max(1, Math.floor((now - Date.parse(from)) / 1000)) * 1000;
}
