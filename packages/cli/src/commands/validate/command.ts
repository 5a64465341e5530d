import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { againstFlag, besideFlag, filesFlag, outputFlag } from '../../parameters.ts';
import type { ValidateFlags } from './run.ts';

export const validate = (t: Translate) =>
  buildCommand<ValidateFlags, []>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: { file: filesFlag(t), against: againstFlag(t), beside: besideFlag(t), output: outputFlag(t) },
      aliases: { f: 'file', o: 'output' },
    },
    docs: {
      brief: t({ en: 'Check documents and show all problems', ru: 'Проверить документы и показать все ошибки' }),
      fullDescription: t({
        en: `Checks the form of each document and the rules between documents. Shows all problems of all files at once, each
with its place, its code and the fix. \`nova-ctl explain NOVA3005\` describes a code.`,
        ru: `Проверяет форму каждого документа и правила между документами. Показывает сразу все ошибки во всех файлах:
место, код и исправление. Описание кода: \`nova-ctl explain NOVA3005\`.`,
      }),
      customUsage: [
        { input: '-f cluster.yaml', brief: t({ en: 'one file', ru: 'один файл' }) },
        {
          input: '-f clusters/ -f proxy.yaml',
          brief: t({ en: 'folders and files together', ru: 'каталоги и файлы вместе' }),
        },
        { input: '-f - < cluster.yaml', brief: t({ en: 'standard input', ru: 'стандартный ввод' }) },
        {
          input: '-f cluster.yaml --against plan.json',
          brief: t({
            en: 'also check fields that cannot change after installation',
            ru: 'проверить и поля, которые нельзя менять после установки',
          }),
        },
      ],
    },
  });
