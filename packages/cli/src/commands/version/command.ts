import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { VersionFlags } from './run.ts';

export const version = (t: Translate) =>
  buildCommand<VersionFlags, []>({
    loader: async () => (await import('./run.ts')).run,
    parameters: { flags: { output: outputFlag(t) }, aliases: { o: 'output' } },
    docs: {
      brief: t({
        en: 'Show the versions of nova-ctl, Kubernetes and documents',
        ru: 'Показать версии nova-ctl, Kubernetes и документов',
      }),
    },
  });
