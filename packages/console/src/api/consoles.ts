import { type ConsoleKind, machineConsolePath } from '@nova-platform/contracts/universe/consoles';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { page } from './client.ts';

export type { ConsoleKind };

export type ConsoleState =
  | { is: 'connecting' | 'open' }
  /** With the code of WebSocket's close event, and the error if the server refused it. */
  | { is: 'ended'; code: number; refusal?: unknown };

interface Console {
  place: RefObject<HTMLDivElement | null>;
  state: ConsoleState;
  reconnect: () => void;
}

/**
 * Connects a console with a view in `place`. `show` calls `onOpen` once the view takes keys, and returns what ends the
 * view.
 */
export function useConsole(
  machine: string,
  kind: ConsoleKind,
  show: (socket: WebSocket, place: HTMLElement, onOpen: () => void) => () => void,
): Console {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(show);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<ConsoleState>({ is: 'connecting' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is a new connection.
  useEffect(() => {
    if (!place.current) return undefined;
    let isOver = false;
    let wasOpen = false;
    setState({ is: 'connecting' });
    const path = machineConsolePath(machine, kind);
    const socket = new WebSocket(path);
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => {
      wasOpen = true;
    });
    socket.addEventListener('close', async ({ code }) => {
      if (isOver) return;
      // A browser does not tell a page why a WebSocket was refused.
      const refusal = wasOpen ? undefined : await page.call('GET', path).catch((error: unknown) => error);
      if (!isOver) setState({ is: 'ended', code, ...(refusal instanceof Error && { refusal }) });
    });
    const end = shown.current(socket, place.current, () => setState({ is: 'open' }));
    return () => {
      isOver = true;
      end();
      socket.close();
    };
  }, [machine, kind, attempt]);
  return { place, state, reconnect: () => setAttempt((before) => before + 1) };
}
