import { consoleEnds } from '@nova-platform/contracts/universe/consoles';
import { Alert, Button } from '@patternfly/react-core';
import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from 'react';
import type { ConsoleState } from '../../api/consoles.ts';
import { type PlainKey, useWords } from '../../language.tsx';
import { Message } from '../../parts/message.tsx';
import { alertLabel, Failure } from '../../parts/problems.tsx';
import { StateLabel } from '../../parts/states.tsx';
import './console-frame.css';

interface ConsoleFrameProps {
  /** Where the view of the console is. */
  place: RefObject<HTMLDivElement | null>;
  state: ConsoleState;
  onReconnect: () => void;
  tools?: ReactNode;
}

const ends: Record<number, PlainKey> = {
  [consoleEnds.stopped]: 'machines.endStopped',
  [consoleEnds.restart]: 'machines.endRestart',
  [consoleEnds.revoked]: 'machines.endRevoked',
  [consoleEnds.idle]: 'machines.endIdle',
  [consoleEnds.tooLong]: 'machines.endTooLong',
};

/** The frame of a console in the browser: its state, its tools, and a key that leaves it. */
export function ConsoleFrame({ place, state, onReconnect, tools }: ConsoleFrameProps) {
  const { t } = useWords();
  const entrance = useRef<HTMLButtonElement>(null);
  /** The console gets all other keys, also Tab, so only this button and the mouse give it the focus. */
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    entrance.current?.focus();
  };
  return (
    <div className="nova-stack" aria-busy={state.is === 'connecting'}>
      <div className="nova-list-tools">
        <span role="status">
          {state.is === 'open' && <StateLabel look="good" text={t('nodes.agentConnected')} isCompact />}
          {state.is === 'connecting' && <StateLabel look="busy" text={t('machines.connecting')} isCompact />}
          {state.is === 'ended' && <StateLabel look="quiet" text={t('machines.disconnected')} isCompact />}
        </span>
        <Button
          ref={entrance}
          size="sm"
          isDisabled={state.is !== 'open'}
          onClick={() => place.current?.querySelector<HTMLElement>('canvas, textarea')?.focus()}
        >
          {t('machines.enterConsole')}
        </Button>
        <Button variant="secondary" size="sm" onClick={onReconnect}>
          {t('machines.reconnect')}
        </Button>
        {tools}
        <Button variant="secondary" size="sm" onClick={() => void place.current?.requestFullscreen()}>
          {t('machines.fullScreen')}
        </Button>
        <span className="nova-quiet">
          <Message of="machines.leaveConsole" />
        </span>
      </div>
      {state.is === 'ended' &&
        (state.refusal ? (
          <Failure error={state.refusal} />
        ) : (
          <Alert variant="info" isInline title={t(ends[state.code] ?? 'machines.endLost')} {...alertLabel(t)} />
        ))}
      <div ref={place} className="nova-console" onKeyDownCapture={leave} />
    </div>
  );
}
