import { useEffect, useRef, useState } from 'react';
import { universe } from './client.ts';
import { useLive } from './live-provider.tsx';

const pageSize = 500;
const redrawPause = 100;

export interface LogLine {
  id: number;
  at: string;
  step: string;
  line: string;
}

/** The log of an operation from its start, updated live. Lines missed while disconnected are read later. */
export function useOperationLog(id: number): LogLine[] {
  const { listen, connections } = useLive();
  const lines = useRef<LogLine[]>([]);
  const [shown, setShown] = useState<LogLine[]>([]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another operation starts with an empty log.
  useEffect(() => {
    lines.current = [];
    setShown([]);
  }, [id]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every new connection reads the lines missed before it.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const add = (added: readonly LogLine[]) => {
      const known = new Set(lines.current.map((line) => line.id));
      const fresh = added.filter((line) => !known.has(line.id));
      if (fresh.length === 0) return;
      lines.current = [...lines.current, ...fresh].sort((one, other) => one.id - other.id);
      timer ??= setTimeout(() => {
        timer = undefined;
        setShown(lines.current);
      }, redrawPause);
    };
    const stop = listen(({ kind, operation, id: event, at, step = '', data }) => {
      if (kind === 'log' && operation === id) add([{ id: event, at, step, line: String(data.line) }]);
    });
    const read = async () => {
      for (let after = lines.current.at(-1)?.id ?? 0; !isOver; ) {
        const { events } = await universe.listEvents({ query: { operation: id, after, limit: pageSize } });
        if (isOver) return;
        add(
          events
            .filter(({ kind }) => kind === 'log')
            .map(({ id: event, at, step = '', data }) => ({ id: event, at, step, line: String(data.line) })),
        );
        after = events.at(-1)?.id ?? after;
        if (events.length < pageSize) return;
      }
    };
    // After a failure, the next connection reads again.
    read().catch(() => undefined);
    return () => {
      isOver = true;
      stop();
      clearTimeout(timer);
    };
  }, [id, connections]);
  return shown;
}
