import '@xterm/xterm/css/xterm.css';
import { Terminal } from '@xterm/xterm';
import { useConsole } from '../../api/consoles.ts';
import { useWords } from '../../language.tsx';
import { ConsoleFrame } from './console-frame.tsx';
import { withoutStyleElements } from './without-style-elements.ts';

/** A serial console has no size of its own, and programs assume this one. */
const size = { cols: 80, rows: 24 };

/** The serial console of a VM, as a terminal. */
export function Serial({ machine }: { machine: string }) {
  const { t } = useWords();
  const { place, state, reconnect } = useConsole(machine, 'serial', (socket, element, onOpen) => {
    const style = getComputedStyle(element);
    Terminal.strings.promptLabel = t('machines.serialOf', { name: machine });
    const terminal = new Terminal({
      ...size,
      screenReaderMode: true,
      scrollback: 5000,
      fontFamily: style.getPropertyValue('--pf-t--global--font--family--mono'),
      fontSize: 13,
      theme: {
        background: style.getPropertyValue('--nova-terminal'),
        foreground: style.getPropertyValue('--nova-terminal-text'),
      },
    });
    withoutStyleElements(() => terminal.open(element));
    terminal.textarea?.setAttribute('tabindex', '-1');
    socket.addEventListener('open', onOpen);
    const bytes = new TextEncoder();
    const send = (data: Uint8Array<ArrayBuffer>) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(data);
    };
    terminal.onData((text) => send(bytes.encode(text)));
    terminal.onBinary((text) => send(Uint8Array.from(text, (character) => character.charCodeAt(0))));
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => terminal.write(new Uint8Array(data)));
    return () => terminal.dispose();
  });
  return <ConsoleFrame place={place} state={state} onReconnect={reconnect} />;
}
