import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import { siteFlags } from '../../site.ts';
import type { UpFlags } from './run.ts';

export const up = (t: Translate) =>
  buildCommand<UpFlags, [], Context>({
    loader: async () => (await import('./run.ts')).up,
    parameters: {
      flags: {
        nameServer: {
          kind: 'parsed',
          parse: String,
          variadic: true,
          optional: true,
          placeholder: t({ en: 'address', ru: 'адрес' }),
          brief: t({
            en: 'Name server of the company, for names that are not ours; repeatable',
            ru: 'DNS-сервер организации для чужих имён; можно повторять',
          }),
        },
        certificateLifetime: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'time', ru: 'время' }),
          brief: t({
            en: 'How long certificates are valid, such as 12h or 7d; clusters get it with their next apply',
            ru: 'Срок действия сертификатов, например 12h или 7d; кластеры получат его при следующем apply',
          }),
        },
        ...siteFlags(t),
        cluster: {
          kind: 'boolean',
          default: true,
          brief: t({
            en: 'Create a first cluster if there is none',
            ru: 'Создать первый кластер, если их ещё нет',
          }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({
        en: 'Set up everything on this host and start Universe',
        ru: 'Подготовить этот хост и запустить Universe',
      }),
      fullDescription: t({
        en: `Set up everything on this host and start Universe: install missing packages, build programs and images once, start
networks and engine, create the machine of Universe, log this user in, and create a first cluster from
examples/single.yaml.

The command can be repeated at any time. It creates only what is missing, continues what was interrupted, and replaces
an older release while it keeps all data.

Networks and domain are chosen at the first run and kept from then on. Overlaps with routes of this host are reported
before anything is made.

  nova-ctl up
  nova-ctl up --no-cluster                Universe alone
  nova-ctl up --name-server 10.0.0.53     names of the company are resolved by its own server
  nova-ctl up --certificate-lifetime 7d   certificates are valid for a week
  nova-ctl up --external-network 192.168.64.0/20 --domain cloud.example.com
  nova-ctl down                           stop everything, keep it for the next time
  nova-ctl down --purge                   remove everything that was not built`,
        ru: `Подготовить этот хост и запустить Universe: недостающее устанавливается, программы и образы собираются один
раз, работают сети и движок, Universe получает собственную машину, пользователь входит в неё, а из
examples/single.yaml создаётся первый кластер.

Команду можно повторять в любой момент: что есть, остаётся, чего нет, создаётся, а новый выпуск заменяет работающий
со всеми его данными. Прерванное продолжается с места остановки.

Сети и домен выбираются при первом запуске и затем сохраняются. О пересечениях с маршрутами хоста сообщается до того,
как что-либо создано.

  nova-ctl up
  nova-ctl up --no-cluster                только Universe
  nova-ctl up --name-server 10.0.0.53     имена организации разрешает её собственный сервер
  nova-ctl up --certificate-lifetime 7d   сертификаты действуют неделю
  nova-ctl up --external-network 192.168.64.0/20 --domain cloud.example.com
  nova-ctl down                           остановить всё, сохранив до следующего раза
  nova-ctl down --purge                   удалить всё, кроме собранного`,
      }),
    },
  });
