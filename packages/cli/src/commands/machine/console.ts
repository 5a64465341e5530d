import type { Duplex } from 'node:stream';
import { engineClient } from '@nova-platform/contracts/engine/client';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';

/** Ctrl-], as in telnet: no program needs it. */
const escapeByte = 0x1d;

/** Connects the terminal to the serial console of a VM. */
export async function console(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  const { io, t } = this;
  const connection = await engineClient.openConsole(name, 'serial');
  const isTerminal = io.stdin.isTTY === true;
  const raw = io.stdin as NodeJS.ReadStream;
  if (isTerminal) {
    const hint = t({
      en: `Connected to ${name}. Press Enter to see its prompt, Ctrl-] to leave.`,
      ru: `Подключено к ${name}. Enter — увидеть приглашение, Ctrl-] — выйти.`,
    });
    io.stderr.write(`${hint}\n`);
    raw.setRawMode(true);
  }
  try {
    await join(io, connection);
  } finally {
    if (isTerminal) raw.setRawMode(false);
  }
  return { data: {}, text: '' };
}

/** Returns when the user leaves or the machine stops. */
async function join({ stdin, stdout }: Context['io'], connection: Duplex): Promise<void> {
  const send = (chunk: Buffer) => {
    const end = chunk.indexOf(escapeByte);
    connection.write(end === -1 ? chunk : chunk.subarray(0, end));
    if (end !== -1) connection.destroy();
  };
  const leave = () => connection.destroy();
  const closed = new Promise<void>((resolve) => {
    connection.on('error', () => undefined).on('close', () => resolve());
  });
  connection.on('data', (chunk: Buffer) => stdout.write(chunk));
  stdin.on('data', send).on('end', leave);
  await closed;
  stdin.off('data', send).off('end', leave);
  stdin.pause();
}
