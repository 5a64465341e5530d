import RFB from '@novnc/novnc';
import { Button } from '@patternfly/react-core';
import { useRef } from 'react';
import { useConsole } from '../../api/consoles.ts';
import { useWords } from '../../language.tsx';
import { ConsoleFrame } from './console-frame.tsx';

/** The screen of a VM. */
export function Screen({ machine }: { machine: string }) {
  const { t } = useWords();
  const screen = useRef<RFB>(null);
  const { place, state, reconnect } = useConsole(machine, 'screen', (socket, element, onOpen) => {
    const rfb = new RFB(element, socket);
    rfb.scaleViewport = true;
    rfb.background = 'transparent';
    screen.current = rfb;
    const canvas = element.querySelector('canvas');
    canvas?.setAttribute('role', 'application');
    canvas?.setAttribute('aria-label', t('machines.screenOf', { name: machine }));
    rfb.addEventListener('connect', onOpen);
    let isConnected = true;
    rfb.addEventListener('disconnect', () => {
      isConnected = false;
    });
    return () => {
      if (isConnected) rfb.disconnect();
      element.replaceChildren();
    };
  });
  return (
    <div className="nova-console-screen">
      <ConsoleFrame
        place={place}
        state={state}
        onReconnect={reconnect}
        tools={
          <Button
            variant="secondary"
            size="sm"
            isDisabled={state.is !== 'open'}
            onClick={() => screen.current?.sendCtrlAltDel()}
          >
            Ctrl+Alt+Del
          </Button>
        }
      />
    </div>
  );
}
