import { useEffect, useState, useSyncExternalStore } from 'react';
import { useWords } from '../language.tsx';

/** The current time, updated while running. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}

/** One timer for all times on a page, regardless of their number. */
const minuteHand = (() => {
  const followers = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    now: () => now,
    follow: (tell: () => void) => {
      if (followers.size === 0) {
        now = Date.now();
        timer = setInterval(() => {
          now = Date.now();
          for (const each of followers) each();
        }, 10_000);
      }
      followers.add(tell);
      return () => {
        followers.delete(tell);
        if (followers.size === 0) clearInterval(timer);
      };
    },
  };
})();

/** `5 minutes ago`, with the exact time as a tooltip. */
export function Ago({ at }: { at: string | undefined }) {
  const { relative, dateTime } = useWords();
  const now = useSyncExternalStore(minuteHand.follow, minuteHand.now);
  if (at === undefined) return <span className="nova-quiet">—</span>;
  return (
    <time dateTime={at} title={dateTime(at)}>
      {relative(at, now)}
    </time>
  );
}

/** How long something took, or has taken so far. */
export function Lasting({ from, until, isRunning }: { from: string; until: string | undefined; isRunning: boolean }) {
  const { duration } = useWords();
  const now = useNow(isRunning);
  const end = isRunning || until === undefined ? now : Date.parse(until);
  return <span className="nova-number">{duration(Math.max(0, end - Date.parse(from)))}</span>;
}
