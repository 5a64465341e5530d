import type { Language } from '@nova-platform/api';
import type { CommandContext, StricliProcess } from '@stricli/core';
import type { Io } from './io.ts';
import { type Translate, translator } from './language.ts';
import { type Style, styleFor } from './style.ts';

/** Passed to every command as `this`. */
export interface Context extends CommandContext {
  process: StricliProcess;
  io: Io;
  language: Language;
  t: Translate;
  style: Style;
}

export function contextFor(io: Io, language: Language): Context {
  return {
    process: { stdout: io.stdout, stderr: io.stderr, env: io.env },
    io,
    language,
    t: translator(language),
    style: styleFor(io.stdout, io.env),
  };
}
