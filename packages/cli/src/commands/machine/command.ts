import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { CreateFlags, ResizeFlags } from './run.ts';

export const machine = (t: Translate) =>
  group(
    t,
    { en: 'Machines on this box', ru: 'Машины на этой машине' },
    {
      create: buildCommand<CreateFlags, [name: string], Context>({
        loader: async () => (await import('./run.ts')).create,
        parameters: {
          flags: {
            image: {
              kind: 'parsed',
              parse: String,
              default: 'node',
              placeholder: t({ en: 'image', ru: 'образ' }),
              brief: t({ en: 'What it is cloned from', ru: 'Из чего клонируется' }),
            },
            network: {
              kind: 'parsed',
              parse: String,
              placeholder: t({ en: 'network', ru: 'сеть' }),
              brief: t({ en: 'Where it is plugged in', ru: 'Куда подключается' }),
            },
            cpu: {
              kind: 'parsed',
              parse: Number,
              default: '1',
              placeholder: 'n',
              brief: t({ en: 'Processors', ru: 'Процессоры' }),
            },
            memory: {
              kind: 'parsed',
              parse: String,
              default: '512Mi',
              placeholder: t({ en: 'size', ru: 'размер' }),
              brief: t({ en: 'Memory, such as 512Mi or 2Gi', ru: 'Память, например 512Mi или 2Gi' }),
            },
            disk: {
              kind: 'parsed',
              parse: String,
              optional: true,
              placeholder: t({ en: 'size', ru: 'размер' }),
              brief: t({
                en: 'Limit of its disk, such as 20Gi; otherwise it can fill that of the host',
                ru: 'Предел диска, например 20Gi; иначе она может занять весь диск хоста',
              }),
            },
            address: {
              kind: 'parsed',
              parse: String,
              optional: true,
              placeholder: 'a.b.c.d',
              brief: t({ en: 'Its address; otherwise one is chosen', ru: 'Адрес; иначе выбирается сам' }),
            },
            cloudConfig: {
              kind: 'parsed',
              parse: String,
              optional: true,
              placeholder: t({ en: 'file', ru: 'файл' }),
              brief: t({ en: 'A #cloud-config file', ru: 'Файл #cloud-config' }),
            },
            output: outputFlag(t),
          },
          aliases: { o: 'output' },
          positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: t(nameText), brief: t(nameText) }] },
        },
        docs: {
          brief: t({ en: 'Make a machine and boot it', ru: 'Создать машину и запустить её' }),
          customUsage: [
            {
              input: 'm1 --image node --network lab --cpu 1 --memory 512Mi',
              brief: t({ en: 'a small machine', ru: 'небольшая машина' }),
            },
            {
              input: 'm2 --network lab --cpu 2 --memory 2Gi --disk 20Gi',
              brief: t({ en: 'one that cannot fill the disk of the host', ru: 'не может занять весь диск хоста' }),
            },
          ],
        },
      }),
      resize: buildCommand<ResizeFlags, [name: string], Context>({
        loader: async () => (await import('./run.ts')).resize,
        parameters: {
          flags: {
            cpu: {
              kind: 'parsed',
              parse: Number,
              optional: true,
              placeholder: 'n',
              brief: t({ en: 'Processors', ru: 'Процессоры' }),
            },
            memory: {
              kind: 'parsed',
              parse: String,
              optional: true,
              placeholder: t({ en: 'size', ru: 'размер' }),
              brief: t({
                en: 'Memory, such as 2Gi; while it runs not less than it uses',
                ru: 'Память, например 2Gi; пока машина работает, не меньше занятой',
              }),
            },
            disk: {
              kind: 'parsed',
              parse: String,
              optional: true,
              placeholder: t({ en: 'size', ru: 'размер' }),
              brief: t({ en: 'Disk, such as 40Gi; it can only grow', ru: 'Диск, например 40Gi; только больше' }),
            },
            output: outputFlag(t),
          },
          aliases: { o: 'output' },
          positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: t(nameText), brief: t(nameText) }] },
        },
        docs: {
          brief: t({ en: 'Change the size of a machine', ru: 'Изменить размер машины' }),
          fullDescription: t({
            en: 'A running machine has its new size at once and does not restart. A stopped one has it from its next start. What cannot change while it runs is refused, and nothing is changed.',
            ru: 'Работающая машина получает новый размер сразу, без перезапуска. Остановленная — со следующего запуска. Если размер нельзя изменить на ходу, команда откажет и ничего не изменит.',
          }),
          customUsage: [
            {
              input: 'm1 --cpu 2 --memory 2Gi',
              brief: t({ en: 'more processors and memory, at once', ru: 'больше процессоров и памяти, сразу' }),
            },
            { input: 'm1 --disk 40Gi', brief: t({ en: 'a larger disk', ru: 'диск больше' }) },
          ],
        },
      }),
      list: simpleCommand<[]>(
        t,
        { en: 'List machines', ru: 'Перечислить машины' },
        [],
        async () => (await import('./run.ts')).list,
      ),
      shell: simpleCommand<[name: string]>(
        t,
        { en: 'A shell in a machine', ru: 'Оболочка в машине' },
        [nameText],
        async () => (await import('./run.ts')).shell,
      ),
      exec: buildCommand<Record<never, never>, [name: string, ...command: string[]], Context>({
        loader: async () => (await import('./run.ts')).exec,
        parameters: {
          positional: {
            kind: 'array',
            minimum: 2,
            parameter: {
              parse: String,
              placeholder: t({ en: 'name -- command', ru: 'имя -- команда' }),
              brief: t({ en: 'The machine, then the command', ru: 'Машина, затем команда' }),
            },
          },
          // The library cannot express a name followed by a list.
        } as never,
        docs: {
          brief: t({ en: 'Run a command in a machine', ru: 'Выполнить команду в машине' }),
          customUsage: [
            {
              input: 'm1 -- systemctl is-system-running',
              brief: t({ en: 'its exit code becomes ours', ru: 'её код завершения становится нашим' }),
            },
          ],
        },
      }),
      logs: simpleCommand<[name: string]>(
        t,
        { en: 'What a machine wrote to its console', ru: 'Что машина вывела на консоль' },
        [nameText],
        async () => (await import('./run.ts')).logs,
      ),
      restart: simpleCommand<[name: string]>(
        t,
        { en: 'Shut a machine down and boot it again', ru: 'Перезапустить машину' },
        [nameText],
        async () => (await import('./run.ts')).restart,
      ),
      stop: simpleCommand<[name: string]>(
        t,
        { en: 'Shut a machine down', ru: 'Остановить машину' },
        [nameText],
        async () => (await import('./run.ts')).stop,
      ),
      delete: simpleCommand<[name: string]>(
        t,
        { en: 'Remove a machine and its disk', ru: 'Удалить машину и её диск' },
        [nameText],
        async () => (await import('./run.ts')).remove,
      ),
    },
  );
