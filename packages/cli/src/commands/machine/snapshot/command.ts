import type { Text } from '@nova-platform/api';
import { buildCommand } from '../../../build-command.ts';
import type { ConfirmFlags } from '../../../confirmed.ts';
import { group, nameText, simpleCommand } from '../../../group.ts';
import type { Translate } from '../../../language.ts';
import { descriptionFlag, namedArguments, outputFlag, yesFlag } from '../../../parameters.ts';
import type { CreateFlags } from './run.ts';

const machineText: Text = { en: 'machine', ru: 'машина' };

export const snapshot = (t: Translate) =>
  group(
    t,
    { en: 'Manage snapshots of the disks of a machine', ru: 'Управлять снимками дисков машины' },
    {
      list: simpleCommand<[machine: string]>(
        t,
        { en: 'List the snapshots of a machine', ru: 'Показать снимки машины' },
        [machineText],
        async () => (await import('./run.ts')).list,
      ),
      create: buildCommand<CreateFlags, [machine: string, name: string]>({
        loader: async () => (await import('./run.ts')).create,
        parameters: {
          flags: { description: descriptionFlag(t), output: outputFlag(t) },
          aliases: { o: 'output' },
          positional: namedArguments(t, machineText, nameText),
        },
        docs: {
          brief: t({
            en: 'Create a snapshot, also of a running machine',
            ru: 'Создать снимок, в том числе работающей машины',
          }),
          fullDescription: t({
            en: `A snapshot has the machine's own disk and the additional disks that are attached to it, but not its memory. Programs
cannot write while it is created. It is not a backup: it is on the same disk of the host, and is deleted with the machine.`,
            ru: `Снимок содержит собственный диск машины и подключённые к ней дополнительные диски, но не память. Пока он
создаётся, программы не могут писать. Это не резервная копия: снимок лежит на том же диске хоста и удаляется с машиной.`,
          }),
          customUsage: [
            {
              input: 'm1 before-update --description "before the update"',
              brief: t({ en: 'with a description', ru: 'с описанием' }),
            },
          ],
        },
      }),
      restore: buildCommand<ConfirmFlags, [machine: string, name: string]>({
        loader: async () => (await import('./run.ts')).restore,
        parameters: {
          flags: { yes: yesFlag(t), output: outputFlag(t) },
          aliases: { y: 'yes', o: 'output' },
          positional: namedArguments(t, machineText, nameText),
        },
        docs: {
          brief: t({
            en: 'Give a stopped machine the content of a snapshot',
            ru: 'Вернуть остановленной машине содержимое снимка',
          }),
        },
      }),
      delete: buildCommand<ConfirmFlags, [machine: string, name: string]>({
        loader: async () => (await import('./run.ts')).remove,
        parameters: {
          flags: { yes: yesFlag(t), output: outputFlag(t) },
          aliases: { y: 'yes', o: 'output' },
          positional: namedArguments(t, machineText, nameText),
        },
        docs: { brief: t({ en: 'Delete a snapshot', ru: 'Удалить снимок' }) },
      }),
    },
  );
