import { buildCommand } from '../../build-command.ts';
import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag, yesFlag } from '../../parameters.ts';
import { siteFlags } from '../../site.ts';
import type { EnterFlags } from './maintenance.ts';
import { ovirt } from './ovirt/command.ts';
import type { HostUpFlags } from './run.ts';

const port = { en: 'PORT/tcp', ru: 'ПОРТ/tcp' };

export const host = (t: Translate) =>
  group(
    t,
    { en: 'Prepare this host for machines', ru: 'Подготовить этот хост для машин' },
    {
      check: simpleCommand<[]>(
        t,
        {
          en: 'Check whether this host can run machines; changes nothing',
          ru: 'Проверить, может ли этот хост запускать машины; ничего не меняет',
        },
        [],
        async () => (await import('./run.ts')).check,
      ),
      up: buildCommand<HostUpFlags, []>({
        loader: async () => (await import('./run.ts')).up,
        parameters: { flags: { ...siteFlags(t), output: outputFlag(t) }, aliases: { o: 'output' } },
        docs: {
          brief: t({
            en: 'Install missing packages, start the networks and the engine',
            ru: 'Установить недостающие пакеты, запустить сети и движок',
          }),
        },
      }),
      open: simpleCommand<[port: string]>(
        t,
        {
          en: 'Open a port of this host to the machines of all networks',
          ru: 'Открыть порт этого хоста для машин всех сетей',
        },
        [port],
        async () => (await import('./run.ts')).open,
        {
          description: {
            en: 'Machines reach the port at the address of this host in the external network.',
            ru: 'Порт доступен машинам по адресу этого хоста во внешней сети.',
          },
          examples: [['5432/tcp', { en: 'a database on this host', ru: 'база данных на этом хосте' }]],
        },
      ),
      close: simpleCommand<[port: string]>(
        t,
        { en: 'Close an open port', ru: 'Закрыть открытый порт' },
        [port],
        async () => (await import('./run.ts')).close,
      ),
      down: simpleCommand<[]>(
        t,
        {
          en: 'Remove all machines and networks; built images are kept',
          ru: 'Удалить все машины и сети; собранные образы остаются',
        },
        [],
        async () => (await import('./run.ts')).down,
      ),
      maintenance: group(
        t,
        { en: 'Stop all machines for maintenance of this host', ru: 'Остановить все машины для обслуживания хоста' },
        {
          enter: buildCommand<EnterFlags, []>({
            loader: async () => (await import('./maintenance.ts')).enter,
            parameters: { flags: { yes: yesFlag(t), output: outputFlag(t) }, aliases: { o: 'output', y: 'yes' } },
            docs: {
              brief: t({
                en: 'Show which machines would stop, and stop them',
                ru: 'Показать, какие машины будут остановлены, и остановить их',
              }),
              fullDescription: t({
                en: `Machines of clusters stop first, that of Universe last. Until the maintenance ends, no machine can be created or
started, also after a restart of the host.`,
                ru: `Сначала останавливаются машины кластеров, последней — машина Universe. До конца обслуживания машины нельзя
ни создавать, ни запускать, в том числе после перезагрузки хоста.`,
              }),
              customUsage: [{ input: '--yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) }],
            },
          }),
          leave: simpleCommand<[]>(
            t,
            {
              en: 'End the maintenance; the machines that should run start again',
              ru: 'Завершить обслуживание; машины, которые должны работать, запустятся снова',
            },
            [],
            async () => (await import('./maintenance.ts')).leave,
          ),
          status: simpleCommand<[]>(
            t,
            {
              en: 'Show whether this host is in maintenance, and the machines that start afterwards',
              ru: 'Показать, на обслуживании ли хост, и какие машины запустятся после него',
            },
            [],
            async () => (await import('./maintenance.ts')).status,
          ),
        },
      ),
      ovirt: ovirt(t),
      clients: group(
        t,
        { en: 'Manage clients of the engine', ru: 'Управлять клиентами движка' },
        {
          list: simpleCommand<[]>(
            t,
            {
              en: 'List the certificates that the engine accepts',
              ru: 'Показать сертификаты, которые принимает движок',
            },
            [],
            async () => (await import('./clients.ts')).list,
          ),
          revoke: simpleCommand<[name: string]>(
            t,
            {
              en: 'Revoke the certificates of a client and close its connections',
              ru: 'Отозвать сертификаты клиента и закрыть его соединения',
            },
            [nameText],
            async () => (await import('./clients.ts')).revoke,
          ),
        },
      ),
    },
  );
