import { setTimeout as sleep } from 'node:timers/promises';
import { isTransient } from '@nova-platform/api';
import { command, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { Interrupted } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { clusterStatus } from './cluster.ts';
import { universeStatus } from './universe.ts';

export interface StatusFlags {
  watch?: boolean;
  output: Output;
}

const pause = 2000;
const clearScreen = '\u001b[2J\u001b[H';

export const run = command<StatusFlags, [cluster?: string]>(async function ({ watch = false, output }, cluster) {
  const read = () => (cluster === undefined ? universeStatus.call(this) : clusterStatus.call(this, cluster));
  return watch ? watchStatus(this, read, output) : read();
});

/**
 * Shows the state until interrupted: on a terminal in place, elsewhere again after each change. A transient failure of the
 * API is retried.
 */
async function watchStatus(context: Context, read: () => Promise<Result>, output: Output): Promise<never> {
  const { io, t, style } = context;
  const stopped = new AbortController();
  void io.untilStopped().then(() => stopped.abort());
  const unreachable = t({ en: 'Universe is unreachable; retrying…', ru: 'Universe недоступен; новая попытка…' });
  let shown = '';
  const show = ({ data, text }: Result) => {
    const content = JSON.stringify(data);
    if (output === 'text' && io.stdout.isTTY === true) io.stdout.write(`${clearScreen}${text}\n`);
    else if (content !== shown) io.stdout.write(output === 'text' ? `${text}\n\n` : `${content}\n`);
    shown = content;
  };
  // The first request fails at once: the cluster may not exist.
  show(await read());
  for (;;) {
    await sleep(pause, undefined, { signal: stopped.signal }).catch(() => undefined);
    if (stopped.signal.aborted) throw new Interrupted();
    const next = await read().catch((error: unknown) => {
      if (!isTransient(error)) throw error;
      io.stderr.write(`${style.yellow(unreachable)}\n`);
      return undefined;
    });
    if (next) show(next);
  }
}
