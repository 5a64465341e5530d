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
            en: 'How long certificates are good, such as 12h or 7d; clusters get it with their next apply',
            ru: 'Срок действия сертификатов, например 12h или 7d; кластеры получат его при следующем apply',
          }),
        },
        ...siteFlags(t),
        cluster: {
          kind: 'boolean',
          default: true,
          brief: t({
            en: 'Make a first cluster where there is none',
            ru: 'Создать первый кластер, если их ещё нет',
          }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({
        en: 'Set up everything on this box and start Universe',
        ru: 'Подготовить эту машину и запустить Universe',
      }),
      fullDescription: t({
        en: `Set up everything on this box and start Universe: what is missing is installed, programs and images are
built once, networks and the engine run, Universe gets a machine of its own, this user is logged in to it, and a first
cluster is made from examples/single.yaml.

It can be repeated at any time: what is there stays, what is missing is made, and a newer release takes the place of
the one that runs, with all its data. What broke goes on where it ended.

  nova-ctl up
  nova-ctl up --no-cluster                Universe alone
  nova-ctl up --name-server 10.0.0.53     names of the company are answered by its own server
  nova-ctl up --certificate-lifetime 7d   certificates are good for a week
  nova-ctl down                           stop everything, keep it for the next time
  nova-ctl down --purge                   remove everything`,
        ru: `Подготовить эту машину и запустить Universe: недостающее устанавливается, программы и образы собираются один
раз, работают сети и движок, Universe получает собственную машину, пользователь входит в неё, а из
examples/single.yaml создаётся первый кластер.

Команду можно повторять в любой момент: что есть, остаётся, чего нет, создаётся, а новый выпуск заменяет работающий
со всеми его данными. Прерванное продолжается с места остановки.

  nova-ctl up
  nova-ctl up --no-cluster                Universe alone
  nova-ctl up --name-server 10.0.0.53     имена организации разрешает её собственный сервер
  nova-ctl up --certificate-lifetime 7d   сертификаты действуют неделю
  nova-ctl down                           остановить всё, сохранив до следующего раза
  nova-ctl down --purge                   удалить всё`,
      }),
    },
  });
