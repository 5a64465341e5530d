import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import { siteFlags } from '../../site.ts';
import type { UpFlags } from './run.ts';

export const up = (t: Translate) =>
  buildCommand<UpFlags, []>({
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
            en: 'DNS server for all other names; repeatable',
            ru: 'Сервер DNS для остальных имён; можно повторять',
          }),
        },
        certificateLifetime: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'time', ru: 'время' }),
          brief: t({
            en: 'Lifetime of certificates, such as 12h or 7d; clusters get it at their next apply',
            ru: 'Срок действия сертификатов, например 12h или 7d; кластеры получат его при следующем apply',
          }),
        },
        ...siteFlags(t),
        cluster: {
          kind: 'boolean',
          default: true,
          brief: t({ en: 'Do not create a first cluster', ru: 'Не создавать первый кластер' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({
        en: 'Start a site on this host: Universe and a first cluster',
        ru: 'Запустить площадку на этом хосте: Universe и первый кластер',
      }),
      fullDescription: t({
        en: `Installs missing packages, builds programs and images once, starts the networks and the engine, creates the
machine of Universe, logs you in, and creates a first cluster from examples/single.yaml.

Run it again at any time: it creates only what is missing, continues after an interruption, and upgrades an
older release without a loss of data.

Networks and domain are chosen at the first run and cannot change later. If they overlap with routes of this
host, nothing is created.`,
        ru: `Устанавливает недостающие пакеты, один раз собирает программы и образы, запускает сети и движок, создаёт машину
Universe, выполняет вход и создаёт первый кластер из examples/single.yaml.

Команду можно повторять в любой момент: она создаёт только недостающее, продолжает после прерывания и обновляет
прежний выпуск без потери данных.

Сети и домен выбираются при первом запуске и потом не меняются. Если они пересекаются с маршрутами хоста, ничего
не создаётся.`,
      }),
      customUsage: [
        { input: '', brief: t({ en: 'Universe and a first cluster', ru: 'Universe и первый кластер' }) },
        { input: '--no-cluster', brief: t({ en: 'only Universe', ru: 'только Universe' }) },
        {
          input: '--name-server 172.30.0.1',
          brief: t({
            en: 'resolve names of the company through a DNS server on this host',
            ru: 'разрешать имена организации через сервер DNS на этом хосте',
          }),
        },
        {
          input: '--certificate-lifetime 7d',
          brief: t({ en: 'certificates for a week', ru: 'сертификаты на неделю' }),
        },
        {
          input: '--external-network 192.168.64.0/20 --domain cloud.example.com',
          brief: t({ en: 'your own addresses', ru: 'свои адреса' }),
        },
      ],
    },
  });
