import { buildCommand } from '../../build-command.ts';
import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { CreateFlags, ResizeFlags } from './run.ts';
import { snapshot } from './snapshot/command.ts';

export const machine = (t: Translate) =>
  group(
    t,
    { en: 'Manage the machines of this host', ru: 'Управлять машинами этого хоста' },
    {
      create: buildCommand<CreateFlags, [name: string]>({
        loader: async () => (await import('./run.ts')).create,
        parameters: {
          flags: {
            image: {
              kind: 'parsed',
              parse: String,
              default: 'node',
              placeholder: t({ en: 'image', ru: 'образ' }),
              brief: t({ en: 'Image of the machine', ru: 'Образ машины' }),
            },
            network: {
              kind: 'parsed',
              parse: String,
              placeholder: t({ en: 'network', ru: 'сеть' }),
              brief: t({ en: 'Network of the machine', ru: 'Сеть машины' }),
            },
            cpu: {
              kind: 'parsed',
              parse: Number,
              default: '1',
              placeholder: 'n',
              brief: t({ en: 'Number of CPUs', ru: 'Число CPU' }),
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
                en: 'Disk limit, such as 20Gi [the disk of the host]',
                ru: 'Ограничение диска, например 20Gi [диск хоста]',
              }),
            },
            address: {
              kind: 'parsed',
              parse: String,
              optional: true,
              placeholder: 'a.b.c.d',
              brief: t({ en: 'Address [the next free one]', ru: 'Адрес [следующий свободный]' }),
            },
            cloudConfig: {
              kind: 'parsed',
              parse: String,
              optional: true,
              placeholder: t({ en: 'file', ru: 'файл' }),
              brief: t({ en: '#cloud-config file for the first boot', ru: 'Файл #cloud-config для первой загрузки' }),
            },
            output: outputFlag(t),
          },
          aliases: { o: 'output' },
          positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: t(nameText), brief: t(nameText) }] },
        },
        docs: {
          brief: t({ en: 'Create and boot a machine', ru: 'Создать и запустить машину' }),
          customUsage: [
            {
              input: 'm1 --image node --network lab --cpu 1 --memory 512Mi',
              brief: t({ en: 'a small machine', ru: 'небольшая машина' }),
            },
            {
              input: 'm2 --network lab --cpu 2 --memory 2Gi --disk 20Gi',
              brief: t({ en: 'with a limited disk', ru: 'с ограниченным диском' }),
            },
          ],
        },
      }),
      resize: buildCommand<ResizeFlags, [name: string]>({
        loader: async () => (await import('./run.ts')).resize,
        parameters: {
          flags: {
            cpu: {
              kind: 'parsed',
              parse: Number,
              optional: true,
              placeholder: 'n',
              brief: t({ en: 'Number of CPUs', ru: 'Число CPU' }),
            },
            memory: {
              kind: 'parsed',
              parse: String,
              optional: true,
              placeholder: t({ en: 'size', ru: 'размер' }),
              brief: t({
                en: 'Memory, such as 2Gi; a running machine cannot have less than it uses',
                ru: 'Память, например 2Gi; у работающей машины — не меньше занятой',
              }),
            },
            disk: {
              kind: 'parsed',
              parse: String,
              optional: true,
              placeholder: t({ en: 'size', ru: 'размер' }),
              brief: t({
                en: 'Disk, such as 40Gi; a disk can only grow',
                ru: 'Диск, например 40Gi; диск можно только увеличить',
              }),
            },
            output: outputFlag(t),
          },
          aliases: { o: 'output' },
          positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: t(nameText), brief: t(nameText) }] },
        },
        docs: {
          brief: t({ en: 'Change the size of a machine', ru: 'Изменить размер машины' }),
          fullDescription: t({
            en: `A running machine is resized at once, without a restart; a stopped one at its next start. If a running container
cannot get the new size, nothing is changed. A running VM gets what it can at once, and all else at its next start.`,
            ru: `Работающая машина меняется сразу, без перезапуска, остановленная — при следующем запуске. Если работающий контейнер
не может получить новый размер, ничего не меняется. Работающая ВМ получает сразу что может, остальное — при следующем запуске.`,
          }),
          customUsage: [
            {
              input: 'm1 --cpu 2 --memory 2Gi',
              brief: t({ en: 'more CPU and memory', ru: 'больше CPU и памяти' }),
            },
            { input: 'm1 --disk 40Gi', brief: t({ en: 'a larger disk', ru: 'диск больше' }) },
          ],
        },
      }),
      list: simpleCommand<[]>(
        t,
        { en: 'List machines', ru: 'Показать машины' },
        [],
        async () => (await import('./run.ts')).list,
      ),
      shell: simpleCommand<[name: string]>(
        t,
        { en: 'Open a shell in a machine', ru: 'Открыть командную оболочку в машине' },
        [nameText],
        async () => (await import('./run.ts')).shell,
      ),
      exec: buildCommand<Record<never, never>, [name: string, ...command: string[]]>({
        loader: async () => (await import('./run.ts')).exec,
        parameters: {
          positional: {
            kind: 'array',
            minimum: 2,
            parameter: {
              parse: String,
              placeholder: t({ en: 'name, command', ru: 'имя, команда' }),
              brief: t({ en: 'Machine, then the command', ru: 'Машина, затем команда' }),
            },
          },
          // The library cannot express a name followed by a list.
        } as never,
        docs: {
          brief: t({ en: 'Run a command in a machine', ru: 'Выполнить команду в машине' }),
          usage: t({ en: '<name> -- <command>...', ru: '<имя> -- <команда>...' }),
          arguments: [
            [t(nameText), t({ en: 'Name of the machine', ru: 'Имя машины' })],
            [
              t({ en: 'command...', ru: 'команда...' }),
              t({ en: 'After --, with its arguments', ru: 'После --, со своими аргументами' }),
            ],
          ],
          customUsage: [
            {
              input: 'm1 -- systemctl is-system-running',
              brief: t({ en: 'exits with the code of the command', ru: 'завершается с кодом команды' }),
            },
          ],
        },
      }),
      console: simpleCommand<[name: string]>(
        t,
        { en: 'Connect to the serial console of a VM', ru: 'Подключиться к последовательной консоли ВМ' },
        [nameText],
        async () => (await import('./console.ts')).console,
        {
          description: {
            en: 'Opens a shell of root in a VM, also while its network does not work. Press Ctrl-] to leave.',
            ru: 'Открывает оболочку root в ВМ, даже когда её сеть не работает. Выход — Ctrl-].',
          },
        },
      ),
      snapshot: snapshot(t),
      logs: simpleCommand<[name: string]>(
        t,
        { en: 'Show the console output of a machine', ru: 'Показать вывод консоли машины' },
        [nameText],
        async () => (await import('./run.ts')).logs,
      ),
      restart: simpleCommand<[name: string]>(
        t,
        { en: 'Restart a machine', ru: 'Перезапустить машину' },
        [nameText],
        async () => (await import('./run.ts')).restart,
      ),
      stop: simpleCommand<[name: string]>(
        t,
        { en: 'Shut down a machine', ru: 'Остановить машину' },
        [nameText],
        async () => (await import('./run.ts')).stop,
      ),
      delete: simpleCommand<[name: string]>(
        t,
        { en: 'Delete a machine and its disk', ru: 'Удалить машину и её диск' },
        [nameText],
        async () => (await import('./run.ts')).remove,
      ),
    },
  );
