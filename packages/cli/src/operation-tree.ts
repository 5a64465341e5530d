import { describe, reportedProblems } from '@nova-platform/api';
import type { Operation, OperationStep } from '@nova-platform/contracts/universe/client';
import { stateOfSteps } from '@nova-platform/contracts/universe/steps';
import type { Result } from './command.ts';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { problemAsText } from './failure.ts';
import { oneLine } from './outside.ts';
import { clock, duration } from './time.ts';
import { type Branch, drawTree, table } from './tree.ts';

export type Look = Pick<Context, 't' | 'language' | 'style'>;

const mostKept = 8;

interface TreeOptions {
  /** The last log lines of running steps, by step name. */
  logs?: ReadonlyMap<string, readonly string[]>;
  /** How many lines are available. If they are too few, steps that need no attention are only counted. */
  room?: number;
}

/** A whole operation: its title, the lines of its change, its steps and its outcome. */
export function operationResult(look: Look, operation: Operation, change: readonly string[] = []): Result {
  const end = operationEnd(look, operation);
  return {
    data: operation,
    text: [
      ...operationHead(look, operation),
      '',
      ...change,
      ...operationTree(look, operation),
      ...(end === '' ? [] : ['', end]),
    ].join('\n'),
    exitCode: exitCodeOf(operation),
  };
}

export function exitCodeOf({ state }: Operation): number {
  return state === 'failed' || state === 'cancelled' ? exitCodes.failed.code : exitCodes.done.code;
}

/** `17 · Configure the nodes as declared · demo`, and its state. */
export function operationHead({ t, language, style }: Look, operation: Operation): string[] {
  const { id, title, lock, requestedBy, createdAt } = operation;
  const by = t({ en: `by ${oneLine(requestedBy)}`, ru: `запросил ${oneLine(requestedBy)}` });
  const took = duration(lasted(createdAt, operation.endedAt), language);
  return [
    [style.bold(`${id} · ${oneLine(title[language])}`), ...(lock === undefined ? [] : [oneLine(lock)])].join(' · '),
    `${stateText({ t, style }, operation)} · ${took} · ${style.dim(`${clock(createdAt)}, ${by}`)}`,
  ];
}

export function stateText({ t, style }: Pick<Look, 't' | 'style'>, { state, isCancelling }: Operation): string {
  if (state === 'done') return style.green(t({ en: 'done', ru: 'выполнена' }));
  if (state === 'failed') return style.red(t({ en: 'failed', ru: 'сбой' }));
  if (state === 'cancelled') return style.yellow(t({ en: 'cancelled', ru: 'отменена' }));
  if (isCancelling) return style.yellow(t({ en: 'cancelling', ru: 'отменяется' }));
  return style.cyan(t({ en: 'running', ru: 'выполняется' }));
}

/** The steps: ✓ done ✗ failed ● running ○ waiting ↶ rolled back. */
export function operationTree(
  look: Look,
  operation: Operation,
  { logs = new Map(), room = Number.POSITIVE_INFINITY }: TreeOptions = {},
): string[] {
  const groups = groupsOf(operation.steps);
  // To save lines, drop log lines first, then steps that need no attention.
  const layouts = [
    { tail: 3, isBrief: false },
    { tail: 1, isBrief: false },
    { tail: 1, isBrief: true },
    { tail: 0, isBrief: true },
  ];
  let lines: string[] = [];
  for (const { tail, isBrief } of layouts) {
    const tails = (step: OperationStep) =>
      tail > 0 && step.state === 'running' ? (logs.get(step.name) ?? []).slice(-tail) : [];
    lines = drawTree(
      groups.map((group) => groupBranch(look, operation, group, tails, isBrief)),
      look.style,
    );
    if (lines.length <= room) return lines;
  }
  const hidden = lines.length - room + 1;
  return [...lines.slice(0, room - 1), look.style.dim(moreLines(look, hidden))];
}

/** The outcome of an operation; empty while it runs. */
export function operationEnd(look: Look, operation: Operation): string {
  const { t, style, language } = look;
  const { id, state, kept = [] } = operation;
  if (state === 'running') return '';
  const took = duration(lasted(operation.createdAt, operation.endedAt), language);
  if (state === 'done') {
    return `${style.green('✓')} ${t({ en: `Operation ${id} is done in ${took}.`, ru: `Операция ${id} выполнена за ${took}.` })}`;
  }
  if (state === 'failed') return failureText(look, operation);
  const more = kept.length - mostKept;
  const names = [
    ...kept.slice(0, mostKept).map((name) => oneLine(name)),
    ...(more > 0 ? [t({ en: `${more} more`, ru: `ещё ${more}` })] : []),
  ].join(', ');
  return [
    `${style.yellow('↶')} ${t({ en: `Operation ${id} is cancelled.`, ru: `Операция ${id} отменена.` })}`,
    ...(kept.length === 0
      ? []
      : [
          `  ${t({
            en: `The changes of these steps cannot be rolled back: ${names}.`,
            ru: `Изменения этих шагов необратимы: ${names}.`,
          })}`,
        ]),
  ].join('\n');
}

function failureText(look: Look, { id, failure, steps, isCancelling }: Operation): string {
  const { t, style, language } = look;
  const title = steps.find(({ name }) => name === failure?.step)?.title[language];
  const step = failure?.step ? ` ${style.bold(oneLine(failure.step))}` : '';
  const what = title === undefined || title === failure?.step ? '' : ` (${oneLine(title)})`;
  const next = table([
    [
      `  nova-ctl operation resume ${id} --follow`,
      style.dim(t({ en: 'continue from this step', ru: 'продолжить с этого шага' })),
    ],
    ...(isCancelling
      ? []
      : [
          [
            `  nova-ctl operation cancel ${id}`,
            style.dim(t({ en: 'cancel it and roll back its changes', ru: 'отменить и откатить изменения' })),
          ],
        ]),
  ]);
  const failed = isCancelling
    ? t({ en: `The rollback of operation ${id} failed at`, ru: `Сбой отката операции ${id}, шаг` })
    : t({ en: `Operation ${id} failed at`, ru: `Сбой операции ${id}, шаг` });
  return [
    `${style.red('✗')} ${step === '' ? t({ en: `Operation ${id} failed.`, ru: `Сбой операции ${id}.` }) : `${failed}${step}${what}`}`,
    '',
    ...reportedProblems(failure?.problems ?? []).flatMap((each) => [problemAsText(each, language, style), '']),
    ...next,
  ].join('\n');
}

interface Group {
  name: string;
  /** True for several similar steps, false for a single one. */
  isMany: boolean;
  steps: OperationStep[];
}

/** `run/one` and `run/two` form one group. */
function groupsOf(steps: readonly OperationStep[]): Group[] {
  const groups = Map.groupBy(steps, ({ name }) => name.split('/', 1)[0] ?? name);
  return [...groups].map(([name, alike]) => ({ name, isMany: alike.some((each) => each.name !== name), steps: alike }));
}

function groupBranch(
  look: Look,
  operation: Operation,
  { isMany, steps }: Group,
  tails: (step: OperationStep) => readonly string[],
  isBrief: boolean,
): Branch {
  const { t, language, style } = look;
  const [first] = steps;
  const title = oneLine(first?.title[language] ?? '');
  const branchOf = (step: OperationStep, label: string): Branch => ({
    line: stepLine(look, operation, step.state, label, detailsOf(look, operation, step)),
    notes: [...tails(step), ...reasonsOf(look, operation, step)].map((line) => style.dim(oneLine(line))),
  });
  if (!isMany && first) return branchOf(first, title);
  const shown = isBrief ? steps.filter(({ state }) => state === 'failed' || state === 'running') : steps;
  const done = steps.filter(({ state }) => state === 'done').length;
  const hidden = steps.length - shown.length;
  return {
    line: stepLine(look, operation, stateOfSteps(steps, operation), title, [
      t({ en: `${done} of ${steps.length}`, ru: `${done} из ${steps.length}` }),
      ...durationOf(look, operation, steps),
    ]),
    children: [
      ...shown.map((step) => branchOf(step, oneLine(step.name.slice(step.name.indexOf('/') + 1)))),
      ...(hidden > 0 ? [{ line: style.dim(t({ en: `… ${hidden} more`, ru: `… ещё ${hidden}` })) }] : []),
    ],
  };
}

/** The step at which the operation failed is described below the tree. */
function reasonsOf(
  { language }: Look,
  { failure }: Operation,
  { name, state, problems = [] }: OperationStep,
): string[] {
  if (state !== 'failed' || failure?.step === name) return [];
  return reportedProblems(problems).map((each) => `${each.code} ${describe(each, language).message}`);
}

function stepLine(
  { style }: Look,
  operation: Operation,
  state: OperationStep['state'],
  label: string,
  details: readonly string[],
): string {
  const words = state === 'waiting' || (state === 'undone' && operation.state !== 'running') ? style.dim(label) : label;
  return [`${markOf(style, state)} ${words}`, ...(details.length > 0 ? [style.dim(details.join(' · '))] : [])].join(
    '  ',
  );
}

export function markOf(style: Look['style'], state: OperationStep['state']): string {
  const marks = {
    done: style.green('✓'),
    failed: style.red('✗'),
    running: style.cyan('●'),
    waiting: style.dim('○'),
    undone: style.yellow('↶'),
  };
  return marks[state];
}

function detailsOf(look: Look, operation: Operation, step: OperationStep): string[] {
  const { t } = look;
  const { state, attempts } = step;
  return [
    ...durationOf(look, operation, [step]),
    ...(attempts < 2
      ? []
      : [
          state === 'running'
            ? t({ en: `attempt ${attempts}`, ru: `попытка ${attempts}` })
            : t({ en: `${attempts} attempts`, ru: `попыток: ${attempts}` }),
        ]),
    ...(state === 'running' && operation.state !== 'running' ? [t({ en: 'interrupted', ru: 'прерван' })] : []),
    ...(state === 'undone' ? [t({ en: 'rolled back', ru: 'откачен' })] : []),
  ];
}

/** From the first start to the last end, or until now while a step runs. */
function durationOf({ language }: Look, operation: Operation, steps: readonly OperationStep[]): string[] {
  const started = steps.flatMap(({ startedAt }) => startedAt ?? []).sort();
  const [first] = started;
  const isRunning = steps.some(({ state }) => state === 'running');
  if (first === undefined || (isRunning && operation.state !== 'running')) return [];
  const last = steps
    .flatMap(({ endedAt }) => endedAt ?? [])
    .sort()
    .at(-1);
  return [duration(lasted(first, isRunning ? undefined : last), language)];
}

function lasted(from: string, until: string | undefined): number {
  return ((until === undefined ? Date.now() : Date.parse(until)) - Date.parse(from)) / 1000;
}

function moreLines({ t }: Look, hidden: number): string {
  return t({ en: `… ${hidden} more lines`, ru: `… ещё строк: ${hidden}` });
}
