import { followEvents, type UniverseEvent } from '@nova-platform/contracts/universe/client';
import { command } from '../../command.ts';
import { Interrupted } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { oneLine, printable } from '../../outside.ts';
import { clock } from '../../time.ts';
import { universeOf } from '../../universe.ts';
import { numberOf } from '../../values.ts';

export interface OperationLogsFlags {
  step?: string;
  follow?: boolean;
  output: Output;
}

const pageSize = 500;

/** Prints lines as they arrive: a log can be long. */
export const operationLogs = command<OperationLogsFlags, [id: string]>(async function (flags, given) {
  const { io, t, style } = this;
  const { step: wanted, follow = false, output } = flags;
  const id = numberOf(given);
  const { client, connection } = universeOf(io);
  const stopped = new AbortController();
  if (follow) void io.untilStopped().then(() => stopped.abort());
  let operation = await client.showOperation({ params: { id } });
  let last = 0;
  let count = 0;
  const print = (event: UniverseEvent) => {
    last = event.id;
    const { kind, step = '', at, data } = event;
    if (kind !== 'log' || (wanted !== undefined && step !== wanted)) return;
    count += 1;
    const line = String(data.line);
    if (output === 'text') io.stdout.write(`${style.dim(clock(at))}  ${oneLine(step)} │ ${printable(line)}\n`);
    else io.stdout.write(`${JSON.stringify({ at, step, line })}\n`);
  };
  const printHistory = async () => {
    for (;;) {
      const { events } = await client.listEvents({ query: { operation: id, after: last, limit: pageSize } });
      for (const event of events) print(event);
      if (events.length < pageSize) return;
    }
  };
  await printHistory();
  while (follow && operation.state === 'running') {
    const ended = new AbortController();
    const onEvent = (event: UniverseEvent) => {
      print(event);
      if (event.kind === 'operation' && event.data.state !== 'running') ended.abort();
    };
    operation = await client.showOperation({ params: { id } });
    if (operation.state !== 'running') {
      await printHistory();
      break;
    }
    const signal = AbortSignal.any([ended.signal, stopped.signal]);
    await followEvents(connection, { after: last, operation: id }, onEvent, signal);
    if (stopped.signal.aborted) throw new Interrupted();
  }
  const none = t({ en: 'There are no log lines.', ru: 'Журнал пуст.' });
  return { data: undefined, text: count === 0 ? none : '' };
});
