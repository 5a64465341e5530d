import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import { siteFlags } from '../../site.ts';
import type { HostUpFlags } from './run.ts';

const port = { en: 'PORT/tcp', ru: 'ПОРТ/tcp' };

export const host = (t: Translate) =>
  group(
    t,
    { en: 'This Linux host as a place for machines', ru: 'Эта машина с Linux как место для машин' },
    {
      check: simpleCommand<[]>(
        t,
        {
          en: 'Show what this host has and lacks; change nothing',
          ru: 'Показать, что на этой машине есть и чего нет; ничего не менять',
        },
        [],
        async () => (await import('./run.ts')).check,
      ),
      up: buildCommand<HostUpFlags, [], Context>({
        loader: async () => (await import('./run.ts')).up,
        parameters: { flags: { ...siteFlags(t), output: outputFlag(t) }, aliases: { o: 'output' } },
        docs: {
          brief: t({
            en: 'Install what is missing, start networks and engine',
            ru: 'Установить недостающее, запустить сети и движок',
          }),
        },
      }),
      open: simpleCommand<[port: string]>(
        t,
        {
          en: 'Let machines of all networks reach a port of this host at its address in the external network',
          ru: 'Открыть машинам всех сетей порт этого хоста по его адресу во внешней сети',
        },
        [port],
        async () => (await import('./run.ts')).open,
      ),
      close: simpleCommand<[port: string]>(
        t,
        { en: 'Close such a port again', ru: 'Снова закрыть такой порт' },
        [port],
        async () => (await import('./run.ts')).close,
      ),
      down: simpleCommand<[]>(
        t,
        {
          en: 'Remove every machine, network and trace; built images stay',
          ru: 'Удалить все машины, сети и следы; собранные образы остаются',
        },
        [],
        async () => (await import('./run.ts')).down,
      ),
      clients: group(
        t,
        { en: 'Clients that may call the engine over the network', ru: 'Клиенты, которым доступен движок по сети' },
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
              en: 'Revoke the certificates of a client and end its connections',
              ru: 'Отозвать сертификаты клиента и закрыть его соединения',
            },
            [nameText],
            async () => (await import('./clients.ts')).revoke,
          ),
        },
      ),
    },
  );
