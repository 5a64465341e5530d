import { usableProviders } from '@nova-platform/api';
import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { InitFlags } from './run.ts';

export const init = (t: Translate) =>
  buildCommand<InitFlags, [], Context>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: {
        file: {
          kind: 'parsed',
          parse: String,
          default: 'cluster.yaml',
          placeholder: t({ en: 'path', ru: 'путь' }),
          brief: t({
            en: 'File to write, or - for standard output',
            ru: 'Какой файл записать или - для стандартного вывода',
          }),
        },
        template: {
          kind: 'enum',
          values: ['single', 'ha'],
          optional: true,
          brief: t({
            en: 'One node for everything, or a highly available cluster',
            ru: 'Один узел для всего или отказоустойчивый кластер',
          }),
        },
        provider: {
          kind: 'enum',
          values: usableProviders,
          optional: true,
          brief: t({ en: 'Where the machines come from', ru: 'Откуда берутся машины' }),
        },
        domain: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({
            en: 'Base domain; its first label names the cluster',
            ru: 'Базовый домен; его первая метка — имя кластера',
          }),
        },
        yes: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Ask nothing, take the defaults', ru: 'Ничего не спрашивать, взять значения по умолчанию' }),
        },
        force: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Overwrite the file if it exists', ru: 'Перезаписать файл, если он есть' }),
        },
        output: outputFlag(t),
      },
      aliases: { f: 'file', y: 'yes', o: 'output' },
    },
    docs: {
      brief: t({ en: 'Write a manifest with comments', ru: 'Создать манифест с пояснениями' }),
      fullDescription: t({
        en: 'Asks what it cannot guess and writes a manifest that is valid as it stands, every field with its explanation.',
        ru: 'Спрашивает только то, чего нельзя угадать, и создаёт готовый манифест с пояснением к каждому полю.',
      }),
      customUsage: [
        {
          input: '--file prod.yaml',
          brief: t({ en: 'ask, then write prod.yaml', ru: 'задать вопросы и создать prod.yaml' }),
        },
        { input: '--template single --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
        {
          input: '--template ha --domain prod.mycompany.local',
          brief: t({ en: 'answer some questions beforehand', ru: 'часть ответов заранее' }),
        },
      ],
    },
  });
