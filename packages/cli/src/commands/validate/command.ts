import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { againstFlag, besideFlag, filesFlag, outputFlag } from '../../parameters.ts';
import type { ValidateFlags } from './run.ts';

export const validate = (t: Translate) =>
  buildCommand<ValidateFlags, [], Context>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: { file: filesFlag(t), against: againstFlag(t), beside: besideFlag(t), output: outputFlag(t) },
      aliases: { f: 'file', o: 'output' },
    },
    docs: {
      brief: t({
        en: 'Check documents and show everything that is wrong',
        ru: 'Проверить документы и показать все ошибки',
      }),
      fullDescription: t({
        en: 'Checks the shape of every document and the rules between them, and shows all problems of all files at once,\neach with its place, its code and what would be right. Changes nothing. `nova-ctl explain NOVA3005` tells more of a code.',
        ru: 'Проверяет форму каждого документа и правила между ними и показывает сразу все ошибки во всех файлах:\nместо, код и как исправить. Ничего не меняет. Подробнее о коде: `nova-ctl explain NOVA3005`.',
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
            en: 'also what cannot change after installation',
            ru: 'также то, что нельзя менять после установки',
          }),
        },
      ],
    },
  });
