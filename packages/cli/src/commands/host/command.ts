import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';

const port = { en: 'PORT/tcp', ru: 'ПОРТ/tcp' };

export const host = (t: Translate) =>
  group(
    t,
    { en: 'This Linux box as a place for machines', ru: 'Эта машина с Linux как место для машин' },
    {
      check: simpleCommand<[]>(
        t,
        {
          en: 'Show what this box has and lacks; change nothing',
          ru: 'Показать, что на этой машине есть и чего нет; ничего не менять',
        },
        [],
        async () => (await import('./run.ts')).check,
      ),
      up: simpleCommand<[]>(
        t,
        {
          en: 'Install what is missing, start networks and engine',
          ru: 'Установить недостающее, запустить сети и движок',
        },
        [],
        async () => (await import('./run.ts')).up,
      ),
      open: simpleCommand<[port: string]>(
        t,
        {
          en: 'Let machines of all networks reach a port of this host at 172.30.0.1',
          ru: 'Открыть машинам всех сетей порт этого хоста по адресу 172.30.0.1',
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
