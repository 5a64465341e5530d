import type { Context } from './context.ts';

/** Reports the progress of long work: one updating line on a terminal, plain lines elsewhere. */
export function progressOf({ io, style }: Context): { say: (step: string) => void; end: () => void } {
  const { stderr } = io;
  const isTerminal = stderr.isTTY === true;
  const width = (stderr.columns ?? 80) - 2;
  return {
    say: (step) => void stderr.write(isTerminal ? `\r\u001b[2K${style.dim(step.slice(0, width))}` : `${step}\n`),
    end: () => {
      if (isTerminal) stderr.write('\r\u001b[2K');
    },
  };
}
