import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { VersionFlags } from './run.ts';

export const version = (t: Translate) =>
  buildCommand<VersionFlags, [], Context>({
    loader: async () => (await import('./run.ts')).run,
    parameters: { flags: { output: outputFlag(t) }, aliases: { o: 'output' } },
    docs: {
      brief: t({
        en: 'Show versions of nova-ctl and of what it installs',
        ru: 'Показать версии nova-ctl и того, что он устанавливает',
      }),
    },
  });
