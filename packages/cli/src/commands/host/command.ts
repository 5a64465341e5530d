import { buildCommand } from '../../build-command.ts';
import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import { siteFlags } from '../../site.ts';
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
