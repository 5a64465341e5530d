import { buildCommand } from '../../build-command.ts';
import type { ConfirmFlags } from '../../confirmed.ts';
import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { descriptionFlag, namedArguments, outputFlag, yesFlag } from '../../parameters.ts';
import type { CreateFlags } from './run.ts';

export const template = (t: Translate) =>
  group(
    t,
    { en: 'Manage templates: images created from machines', ru: 'Управлять шаблонами: образами, созданными из машин' },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List templates', ru: 'Показать шаблоны' },
        [],
        async () => (await import('./run.ts')).list,
      ),
      create: buildCommand<CreateFlags, [name: string, machine: string]>({
        loader: async () => (await import('./run.ts')).create,
        parameters: {
          flags: { description: descriptionFlag(t), output: outputFlag(t) },
          aliases: { o: 'output' },
          positional: namedArguments(t, nameText, { en: 'machine', ru: 'машина' }),
        },
        docs: {
          brief: t({ en: 'Create a template from a stopped machine', ru: 'Создать шаблон из остановленной машины' }),
          fullDescription: t({
            en: `New machines can be created from a template as from any image. They get the files of the machine, but neither its
name, keys and certificates nor its logs. Additional disks and volumes are not part of it.`,
            ru: `Из шаблона, как из любого образа, создаются новые машины. Они получают файлы этой машины, но не её имя, ключи,
сертификаты и журналы. Дополнительные диски и тома в шаблон не входят.`,
          }),
          customUsage: [
            {
              input: 'web m1 --description "with nginx"',
              brief: t({ en: 'after nova-ctl machine stop m1', ru: 'после nova-ctl machine stop m1' }),
            },
          ],
        },
      }),
      delete: buildCommand<ConfirmFlags, [name: string]>({
        loader: async () => (await import('./run.ts')).remove,
        parameters: {
          flags: { yes: yesFlag(t), output: outputFlag(t) },
          aliases: { y: 'yes', o: 'output' },
          positional: namedArguments(t, nameText),
        },
        docs: {
          brief: t({
            en: 'Delete a template that no machine uses',
            ru: 'Удалить шаблон, которым не пользуются машины',
          }),
        },
      }),
    },
  );
