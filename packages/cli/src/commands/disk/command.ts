import type { Text } from '@nova-platform/api';
import { buildCommand } from '../../build-command.ts';
import type { ConfirmFlags } from '../../confirmed.ts';
import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { namedArguments, outputFlag, yesFlag } from '../../parameters.ts';
import type { AttachFlags, CreateFlags, GrowFlags } from './run.ts';
import type { ExportFlags, TransferFlags } from './transfer.ts';

const machineText: Text = { en: 'machine', ru: 'машина' };

const fileText: Text = { en: 'file', ru: 'файл' };

function formatFlag(t: Translate) {
  return {
    kind: 'enum',
    values: ['qcow2', 'raw'] as const,
    default: 'qcow2',
    brief: t({ en: 'Format of the file', ru: 'Формат файла' }),
  } as const;
}

export const disk = (t: Translate) => {
  const size = (brief: Text) =>
    ({
      kind: 'parsed',
      parse: String,
      placeholder: t({ en: 'size', ru: 'размер' }),
      brief: t(brief),
    }) as const;
  return group(
    t,
    { en: 'Manage additional disks of machines', ru: 'Управлять дополнительными дисками машин' },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List disks and their machines', ru: 'Показать диски и их машины' },
        [],
        async () => (await import('./run.ts')).list,
      ),
      create: buildCommand<CreateFlags, [name: string]>({
        loader: async () => (await import('./run.ts')).create,
        parameters: {
          flags: {
            size: size({ en: 'Size, such as 20Gi', ru: 'Размер, например 20Gi' }),
            format: {
              kind: 'enum',
              values: ['filesystem', 'block'] as const,
              default: 'filesystem',
              brief: t({
                en: 'filesystem is mounted in containers; block is a device of VMs, which format it',
                ru: 'filesystem монтируется в контейнерах; block — устройство виртуальных машин, они форматируют его сами',
              }),
            },
            output: outputFlag(t),
          },
          aliases: { o: 'output' },
          positional: namedArguments(t, nameText),
        },
        docs: {
          brief: t({ en: 'Create an empty disk', ru: 'Создать пустой диск' }),
          fullDescription: t({
            en: `A disk takes space on the host only for what is written to it. It outlives the machines that it is attached to.`,
            ru: `Диск занимает на хосте только то, что в него записано. Он остаётся, когда его машину удаляют.`,
          }),
          customUsage: [
            { input: 'data --size 20Gi', brief: t({ en: 'for a container', ru: 'для контейнера' }) },
            {
              input: 'data --size 20Gi --format block',
              brief: t({ en: 'for a virtual machine', ru: 'для виртуальной машины' }),
            },
          ],
        },
      }),
      grow: buildCommand<GrowFlags, [name: string]>({
        loader: async () => (await import('./run.ts')).grow,
        parameters: {
          flags: {
            size: size({ en: 'New size; a disk cannot shrink', ru: 'Новый размер; уменьшить диск нельзя' }),
            output: outputFlag(t),
          },
          aliases: { o: 'output' },
          positional: namedArguments(t, nameText),
        },
        docs: {
          brief: t({
            en: 'Grow a disk, also while its machine runs',
            ru: 'Увеличить диск, в том числе у работающей машины',
          }),
          fullDescription: t({
            en: `The file system of a container grows at once. A VM sees a larger device and grows its file system itself.`,
            ru: `Файловая система контейнера увеличивается сразу. Виртуальная машина видит устройство большего размера и
увеличивает файловую систему сама.`,
          }),
          customUsage: [{ input: 'data --size 40Gi', brief: t({ en: 'to 40 GiB', ru: 'до 40 ГиБ' }) }],
        },
      }),
      attach: buildCommand<AttachFlags, [name: string, machine: string]>({
        loader: async () => (await import('./run.ts')).attach,
        parameters: {
          flags: {
            path: {
              kind: 'parsed',
              parse: String,
              optional: true,
              placeholder: t({ en: 'path', ru: 'путь' }),
              brief: t({ en: 'Where a container mounts it', ru: 'Куда его монтирует контейнер' }),
            },
            output: outputFlag(t),
          },
          aliases: { o: 'output' },
          positional: namedArguments(t, nameText, machineText),
        },
        docs: {
          brief: t({ en: 'Attach a disk to a machine', ru: 'Подключить диск к машине' }),
          fullDescription: t({
            en: `A running machine gets the disk at once, a stopped one at its next start. A disk is attached to one machine at most.
A VM finds it as /dev/disk/by-id/virtio-NAME.`,
            ru: `Работающая машина получает диск сразу, остановленная — при следующем запуске. Диск подключается не более чем к
одной машине. Виртуальная машина видит его как /dev/disk/by-id/virtio-ИМЯ.`,
          }),
          customUsage: [
            { input: 'data m1 --path /srv/data', brief: t({ en: 'to a container', ru: 'к контейнеру' }) },
            { input: 'data vm1', brief: t({ en: 'to a virtual machine', ru: 'к виртуальной машине' }) },
          ],
        },
      }),
      detach: simpleCommand<[name: string]>(
        t,
        { en: 'Detach a disk from its machine', ru: 'Отключить диск от машины' },
        [nameText],
        async () => (await import('./run.ts')).detach,
        {
          description: {
            en: `A container must not use the disk; otherwise nothing is changed. In a VM, unmount it first: its programs would lose
the disk. The disk keeps its data.`,
            ru: `Контейнер не должен использовать диск, иначе ничего не меняется. В виртуальной машине сначала отмонтируйте его:
её программы потеряют диск. Данные на диске остаются.`,
          },
        },
      ),
      import: buildCommand<TransferFlags, [name: string, file: string]>({
        loader: async () => (await import('./transfer.ts')).importDisk,
        parameters: {
          flags: { format: formatFlag(t), output: outputFlag(t) },
          aliases: { o: 'output' },
          positional: namedArguments(t, nameText, fileText),
        },
        docs: {
          brief: t({ en: 'Create a disk for VMs from a file', ru: 'Создать диск для виртуальных машин из файла' }),
          fullDescription: t({
            en: `The disk gets a copy of the content. A file that is based on another one, or has its data in another one, is refused.`,
            ru: `Диск получает копию содержимого. Файл, который основан на другом или хранит данные в другом, не принимается.`,
          }),
          customUsage: [
            { input: 'data data.qcow2', brief: t({ en: 'a qcow2 image', ru: 'образ qcow2' }) },
            { input: 'data data.img --format raw', brief: t({ en: 'the bytes of a disk', ru: 'байты диска' }) },
          ],
        },
      }),
      export: buildCommand<ExportFlags, [name: string, file: string]>({
        loader: async () => (await import('./transfer.ts')).exportDisk,
        parameters: {
          flags: {
            machine: {
              kind: 'boolean',
              optional: true,
              withNegated: false,
              brief: t({
                en: 'The name is that of a stopped machine: export its own disk',
                ru: 'Имя — остановленной машины: выгрузить её собственный диск',
              }),
            },
            format: formatFlag(t),
            output: outputFlag(t),
          },
          aliases: { o: 'output' },
          positional: namedArguments(t, nameText, fileText),
        },
        docs: {
          brief: t({ en: 'Write the content of a disk to a file', ru: 'Записать содержимое диска в файл' }),
          fullDescription: t({
            en: `The disk must be attached to no machine. With --machine, the machine must be stopped. An existing file is not
overwritten.`,
            ru: `Диск не должен быть подключён к машине. С --machine машина должна быть остановлена. Существующий файл не
перезаписывается.`,
          }),
          customUsage: [
            { input: 'data data.qcow2', brief: t({ en: 'a disk', ru: 'диск' }) },
            { input: 'm1 m1.img --machine --format raw', brief: t({ en: 'the disk of m1', ru: 'диск машины m1' }) },
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
        docs: { brief: t({ en: 'Delete a disk and its data', ru: 'Удалить диск с данными' }) },
      }),
    },
  );
};
