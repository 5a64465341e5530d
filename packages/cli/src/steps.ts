import type { Step } from '@nova-platform/installer';
import type { Context } from './context.ts';
import { styleFor } from './style.ts';
import { duration } from './time.ts';

const plainInterval = 15_000;

/**
 * Runs steps in order and shows their progress: on a terminal a list with an updating last line, elsewhere plain lines.
 * Returns the titles of the steps that changed something.
 */
export async function runSteps(context: Context, steps: readonly Step[]): Promise<string[]> {
  const changed: string[] = [];
  for (const step of steps) {
    if (await runStep(context, step)) changed.push(step.title.en);
  }
  return changed;
}

async function runStep({ io, t, language }: Context, { title, run }: Step): Promise<boolean> {
  const { stderr } = io;
  const style = styleFor(stderr, io.env);
  const isTerminal = stderr.isTTY === true;
  const width = (stderr.columns || 80) - 1;
  const started = performance.now();
  const elapsed = () => duration((performance.now() - started) / 1000, language);
  let progress = '';
  const show = () => {
    if (isTerminal)
      stderr.write(`\r\u001b[2K${style.cyan('●')} ${`${t(title)}  ${elapsed()}  ${progress}`.slice(0, width - 2)}`);
    else stderr.write(`  ${t(title)}: ${progress} (${elapsed()})\n`);
  };
  const timer = setInterval(show, isTerminal ? 200 : plainInterval);
  const finish = (mark: string, rest: string) =>
    stderr.write(`${isTerminal ? '\r\u001b[2K' : ''}${mark} ${t(title)}${rest === '' ? '' : `  ${style.dim(rest)}`}\n`);
  try {
    const outcome = await run((line) => {
      progress = (typeof line === 'string' ? line : t(line)).trim();
      if (isTerminal) show();
    });
    if (typeof outcome === 'object') {
      finish(style.yellow('!'), elapsed());
      stderr.write(`  ${t(outcome.warning)}\n`);
      return true;
    }
    finish(style.green('✓'), outcome ? elapsed() : t({ en: 'no changes', ru: 'без изменений' }));
    return outcome;
  } catch (error) {
    finish(style.red('✗'), elapsed());
    throw error;
  } finally {
    clearInterval(timer);
  }
}
