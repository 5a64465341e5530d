import type { Text } from '@nova-platform/api';
import { type Component, doingText, type Progress } from '@nova-platform/distro';
import type { Context } from '../../context.ts';
import { styleFor } from '../../style.ts';
import { duration } from '../../time.ts';

const plainInterval = 15_000;
const terminalInterval = 100;
const barWidth = 20;

export interface BuildProgress {
  start: (component: Component) => void;
  tell: (progress: Progress) => void;
  /** Prints a line that stays on the screen, about a component that is finished. */
  finish: (component: string, line: string) => void;
  end: () => void;
}

/** Progress of builds: one updating line on a terminal, occasional plain lines elsewhere. */
export function buildProgress(context: Context, verb: Text, count: number): BuildProgress {
  const { io, t } = context;
  const { stderr } = io;
  const isTerminal = stderr.isTTY === true;
  let current: Component | undefined;
  let index = 0;
  let started = 0;
  let last: (Progress & { at: number }) | undefined;
  let isDrawn = false;

  const clear = () => {
    if (isDrawn) stderr.write('\r\u001b[2K');
    isDrawn = false;
  };
  const show = () => {
    if (!current) return;
    const state = { name: current.name, index, count, elapsed: (performance.now() - started) / 1000, last };
    if (isTerminal) stderr.write(`\r\u001b[2K${terminalLine(context, state)}`);
    else stderr.write(`${plainLine(context, state)}\n`);
    isDrawn = isTerminal;
  };
  const timer = setInterval(show, isTerminal ? terminalInterval : plainInterval);
  return {
    start(component) {
      current = component;
      index += 1;
      started = performance.now();
      last = undefined;
      if (!isTerminal) stderr.write(`${component.name} ${component.version}: ${t(verb)} (${index}/${count})\n`);
    },
    tell(progress) {
      // The previous component is still being linked.
      if (progress.component !== current?.name) return;
      last = { ...progress, at: performance.now() };
      if (!isTerminal && progress.doing === 'waiting') show();
    },
    finish(component, line) {
      clear();
      stderr.write(`${line}\n`);
      if (current?.name === component) current = undefined;
    },
    end() {
      clearInterval(timer);
      clear();
    },
  };
}

interface State {
  name: string;
  index: number;
  count: number;
  elapsed: number;
  last: (Progress & { at: number }) | undefined;
}

function plainLine({ t, language }: Context, { name, last, elapsed }: State): string {
  const what = last ? [t(doingText[last.doing]), last.detail].filter(Boolean).join(' ') : '';
  const left = leftOf(last);
  return [
    `${name}: ${percentOf(last)}%`,
    ...(what === '' ? [] : [what]),
    duration(elapsed, language),
    ...(left === undefined ? [] : [leftText(left, { t, language })]),
  ].join(', ');
}

function terminalLine({ t, language, io }: Context, { name, index, count, last, elapsed }: State): string {
  const style = styleFor(io.stderr, io.env);
  const part = last?.part ?? 0;
  const filled = Math.round(barWidth * part);
  const left = leftOf(last);
  const head = `${name}${count > 1 ? ` ${index}/${count}` : ''} `;
  const bar = `${'━'.repeat(filled)}${'╌'.repeat(barWidth - filled)}`;
  const percent = ` ${String(percentOf(last)).padStart(3)}%  `;
  const time = left === undefined ? duration(elapsed, language) : leftText(left, { t, language });
  const room = (io.stderr.columns || 80) - head.length - bar.length - percent.length - time.length - 4;
  const what = last ? shortened(t(doingText[last.doing]), last.detail ?? '', room) : '';
  return `${style.bold(head)}${style.green(bar.slice(0, filled))}${style.dim(bar.slice(filled))}${percent}${time}  ${style.dim(what)}`;
}

function percentOf(last: Progress | undefined): number {
  return Math.floor((last?.part ?? 0) * 100);
}

/** The estimate counts down between updates, but never reaches zero before the build ends. */
function leftOf(last: (Progress & { at: number }) | undefined): number | undefined {
  if (last?.seconds === undefined) return undefined;
  return Math.max(1, last.seconds - (performance.now() - last.at) / 1000);
}

function leftText(seconds: number, { t, language }: Pick<Context, 't' | 'language'>): string {
  // An estimate above a minute is not precise to the second.
  const rounded = seconds > 60 ? Math.ceil(seconds / 60) * 60 : Math.ceil(seconds / 5) * 5;
  const text = rounded >= 60 ? duration(rounded, language).replace(/ 0 (s|с)$/, '') : duration(rounded, language);
  return t({ en: `about ${text} left`, ru: `ещё около ${text}` });
}

/** Keeps the end of a package path, because the end is more specific than the beginning. */
function shortened(verb: string, detail: string, room: number): string {
  if (verb.length > room) return '';
  const left = room - verb.length - 1;
  if (detail.length <= left) return `${verb} ${detail}`;
  return left < 8 ? verb : `${verb} …${detail.slice(1 - left)}`;
}
