import { setTimeout as sleep } from 'node:timers/promises';
import { describe, isTransient, reportedProblems } from '@nova-platform/api';
import {
  followEvents,
  type Operation,
  type OperationStep,
  type UniverseEvent,
} from '@nova-platform/contracts/universe/client';
import type { Result } from './command.ts';
import type { Context } from './context.ts';
import { Interrupted } from './failure.ts';
import { exitCodeOf, markOf, operationEnd, operationHead, operationResult, operationTree } from './operation-tree.ts';
import type { Output } from './output.ts';
import { oneLine } from './outside.ts';
import { duration } from './time.ts';
import { cutTo } from './tree.ts';
import type { UniverseAccess } from './universe.ts';

const pageSize = 500;
const pause = 1000;
const redrawPause = 100;
const keptLines = 3;

interface FollowOptions {
  output: Output;
  /** Shows only events after this one; by default all events. */
  after?: number;
}

/**
 * Shows an operation until it ends: on a terminal, its steps are redrawn in place; elsewhere, each event is a line. The
 * server may restart meanwhile. An interrupt only stops following: the operation continues.
 */
export async function followOperation(
  context: Context,
  { client, connection }: UniverseAccess,
  known: Operation,
  { output, after = 0 }: FollowOptions,
): Promise<Result> {
  const { id } = known;
  const stopped = new AbortController();
  void context.io.untilStopped().then(() => stopped.abort());
  const current = () => untilReachable(() => client.showOperation({ params: { id } }), stopped.signal);
  const eventsAfter = (event: number) =>
    untilReachable(
      () => client.listEvents({ query: { operation: id, after: event, limit: pageSize } }),
      stopped.signal,
    );
  let last = after;
  let operation = known;
  const view = viewOf(context, output, operation);
  const readHistory = async () => {
    for (;;) {
      const { events } = await eventsAfter(last);
      for (const event of events) view.event(event, operation);
      last = events.at(-1)?.id ?? last;
      if (events.length < pageSize) return;
    }
  };
  try {
    await readHistory();
    // The state read here is at least as new as the history.
    operation = await current();
    view.operation(operation);
    if (operation.state !== 'running') await readHistory();
    while (operation.state === 'running') {
      const ended = new AbortController();
      const signal = AbortSignal.any([ended.signal, stopped.signal]);
      const onEvent = (event: UniverseEvent) => {
        last = event.id;
        apply(operation, event);
        view.event(event, operation);
        if (event.kind === 'operation' && event.data.state !== 'running') ended.abort();
      };
      await followEvents(connection, { after: last, operation: id, onConnection: view.connection }, onEvent, signal);
      if (stopped.signal.aborted) throw new Interrupted();
      // Another user may have resumed the operation immediately.
      operation = await current();
    }
  } catch (error) {
    view.end();
    if (error instanceof Interrupted) context.io.stderr.write(`${stillRunning(context, operation)}\n`);
    throw error;
  }
  view.end();
  return view.result(operation);
}

/** The last event of an operation: later events are new. */
export async function lastEventOf({ client }: UniverseAccess, id: number): Promise<number> {
  for (let last = 0; ; ) {
    const { events } = await client.listEvents({ query: { operation: id, after: last, limit: pageSize } });
    last = events.at(-1)?.id ?? last;
    if (events.length < pageSize) return last;
  }
}

/** Retries until the server is reachable. */
async function untilReachable<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw new Interrupted();
    }
  }
}

function apply(operation: Operation, { kind, step: name, data, at }: UniverseEvent): void {
  if (kind === 'operation') {
    if (data.isCancelling === true) operation.isCancelling = true;
    return;
  }
  const step = operation.steps.find((each) => each.name === name);
  if (kind !== 'step' || !step) return;
  const { state, attempts } = data as Pick<OperationStep, 'state' | 'attempts'>;
  Object.assign(step, { state, attempts });
  if (state !== 'running') step.endedAt = at;
  else {
    step.startedAt = at;
    delete step.endedAt;
  }
}

function stillRunning({ t }: Context, { id }: Operation): string {
  return t({
    en: `Operation ${id} is still running. To follow it again: nova-ctl operation show ${id} --follow`,
    ru: `Операция ${id} продолжается. Чтобы следить дальше: nova-ctl operation show ${id} --follow`,
  });
}

interface View {
  operation: (operation: Operation) => void;
  event: (event: UniverseEvent, operation: Operation) => void;
  connection: (isConnected: boolean) => void;
  end: () => void;
  result: (operation: Operation) => Result;
}

function viewOf(context: Context, output: Output, operation: Operation): View {
  if (output !== 'text') return silentView(context);
  return context.io.stdout.isTTY === true ? terminalView(context, operation) : plainView(context, operation);
}

function silentView(context: Context): View {
  const nothing = () => undefined;
  return {
    operation: nothing,
    event: nothing,
    connection: nothing,
    end: nothing,
    result: (operation) => operationResult(context, operation),
  };
}

/** The tree of steps, redrawn in place after each change. */
function terminalView(context: Context, first: Operation): View {
  const { io, t, style } = context;
  const { stdout } = io;
  const logs = new Map<string, string[]>();
  let operation = first;
  let isConnected = true;
  let height = 0;
  let timer: NodeJS.Timeout | undefined;
  const erase = () => {
    const text = height > 0 ? `\u001b[${height}A\r\u001b[J` : '';
    height = 0;
    return text;
  };
  const draw = () => {
    timer = undefined;
    const head = operationHead(context, operation);
    const lost = isConnected ? [] : ['', style.yellow(t(lostText))];
    const room = Math.max(4, (stdout.rows || 24) - head.length - lost.length - 2);
    const tree = operationTree(context, operation, { logs, room });
    const lines = [...head, '', ...tree, ...lost].map((line) => cutTo(line, stdout.columns || 80));
    stdout.write(`${erase()}${lines.join('\n')}\n`);
    height = lines.length;
  };
  const drawSoon = () => {
    timer ??= setTimeout(draw, redrawPause);
  };
  // Durations increase even without events.
  const clock = setInterval(drawSoon, 1000);
  draw();
  return {
    operation: (next) => {
      operation = next;
      drawSoon();
    },
    event: ({ kind, step = '', data }) => {
      if (kind === 'log') logs.set(step, [...(logs.get(step) ?? []), String(data.line)].slice(-keptLines));
      drawSoon();
    },
    connection: (isUp) => {
      if (isUp !== isConnected) drawSoon();
      isConnected = isUp;
    },
    end: () => {
      clearInterval(clock);
      clearTimeout(timer);
      stdout.write(erase());
    },
    result: (ended) => operationResult(context, ended),
  };
}

const lostText = { en: 'Universe is unreachable; retrying…', ru: 'Universe недоступен; новая попытка…' };

/** One line per event. */
function plainView(context: Context, operation: Operation): View {
  const { io, t, style, language } = context;
  const print = (line: string) => void io.stdout.write(`${line}\n`);
  const started = new Map<string, string>();
  let isConnected = true;
  const [head = ''] = operationHead(context, operation);
  print(head);

  const printStep = (name: string, { data, at }: UniverseEvent, { steps }: Operation) => {
    const { state, attempts, problems = [] } = data as Pick<OperationStep, 'state' | 'attempts' | 'problems'>;
    const title = steps.find((step) => step.name === name)?.title[language];
    const from = started.get(name);
    if (state === 'running') started.set(name, at);
    const details = [
      ...(state === 'running' && title !== undefined && title !== name ? [oneLine(title)] : []),
      ...(state === 'running' && attempts > 1 ? [t({ en: `attempt ${attempts}`, ru: `попытка ${attempts}` })] : []),
      ...((state === 'done' || state === 'failed') && from !== undefined
        ? [duration((Date.parse(at) - Date.parse(from)) / 1000, language)]
        : []),
    ];
    print([`${markOf(style, state)} ${oneLine(name)}`, ...details].join('  '));
    for (const each of reportedProblems(problems))
      print(`  ${each.code}  ${oneLine(describe(each, language).message)}`);
  };
  return {
    operation: () => undefined,
    event: (event, current) => {
      const { kind, step = '', data } = event;
      if (kind === 'log') print(`  ${oneLine(step)} │ ${oneLine(String(data.line), 500)}`);
      else if (kind === 'step') printStep(step, event, current);
      else if (data.isCancelling === true) print(`↶ ${t({ en: 'cancelling', ru: 'отменяется' })}`);
    },
    connection: (isUp) => {
      if (!isUp && isConnected) io.stderr.write(`${t(lostText)}\n`);
      isConnected = isUp;
    },
    end: () => undefined,
    result: (ended) => ({
      data: ended,
      text: `\n${operationEnd(context, ended)}`,
      exitCode: exitCodeOf(ended),
    }),
  };
}
