import { styleText } from 'node:util';
import type { Io, OutputStream } from './io.ts';

export type Style = ReturnType<typeof styleFor>;

/** Colours for a stream; plain text if it is not a terminal or the user disables colours (no-color.org). */
export function styleFor(stream: OutputStream, env: Io['env']) {
  const isColoured = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const as =
    (...format: Parameters<typeof styleText>[0] & unknown[]) =>
    (text: string) =>
      isColoured ? styleText(format as Parameters<typeof styleText>[0], text, { validateStream: false }) : text;
  return {
    isColoured,
    bold: as('bold'),
    dim: as('dim'),
    red: as('red'),
    green: as('green'),
    yellow: as('yellow'),
    cyan: as('cyan'),
    code: as('bold', 'red'),
  };
}
