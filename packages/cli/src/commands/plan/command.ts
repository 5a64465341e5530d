import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { againstFlag, besideFlag, clusterFlag, filesFlag, outputFlag } from '../../parameters.ts';
import type { PlanFlags } from './run.ts';

export const plan = (t: Translate) =>
  buildCommand<PlanFlags, [], Context>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: {
        file: filesFlag(t),
        cluster: clusterFlag(t),
        against: againstFlag(t),
        beside: besideFlag(t),
        output: outputFlag(t),
      },
      aliases: { f: 'file', o: 'output' },
    },
    docs: {
      brief: t({
        en: 'Show everything that would exist, before anything does',
        ru: 'Показать всё, что будет создано, ещё до создания',
      }),
      fullDescription: t({
        en: 'Shows nodes with names and addresses, networks and routes, the API, DNS, certificates and modules, and changes nothing.\nThe same documents always give the same plan. Against an earlier plan it shows what would be added, changed and removed,\nand marks what users would notice.',
        ru: 'Показывает узлы с именами и адресами, сети и маршруты, API, DNS, сертификаты и модули; ничего не меняет.\nОдни и те же документы всегда дают один и тот же план. По сравнению с прежним планом показывает, что будет добавлено,\nизменено и удалено, и отмечает то, что заметят пользователи.',
      }),
      customUsage: [
        { input: '-f cluster.yaml', brief: t({ en: 'the plan as a tree', ru: 'план в виде дерева' }) },
        { input: '-f cluster.yaml -o json > plan.json', brief: t({ en: 'keep it', ru: 'сохранить план' }) },
        { input: '-f cluster.yaml --against plan.json', brief: t({ en: 'what would change', ru: 'что изменится' }) },
      ],
    },
  });
