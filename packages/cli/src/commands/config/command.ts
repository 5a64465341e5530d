import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { clusterFlag, filesFlag, outputFlag, serverFlags } from '../../parameters.ts';
import type { ApplyFlags } from './apply.ts';
import type { ServeFlags } from './serve.ts';
import type { TokenFlags } from './token.ts';

export const config = (t: Translate) =>
  group(
    t,
    {
      en: 'The Configuration Manager: what nodes are approved to be',
      ru: 'Configuration Manager: какими утверждено быть узлам',
    },
    {
      serve: serve(t),
      apply: apply(t),
      token: group(
        t,
        { en: 'Tokens with which nodes enrol', ru: 'Токены для регистрации узлов' },
        { create: createToken(t) },
      ),
    },
  );

const serve = (t: Translate) =>
  buildCommand<ServeFlags, [], Context>({
    loader: async () => (await import('./serve.ts')).serve,
    parameters: {
      flags: {
        ...serverFlags(t, { name: 'config.universe.nova.internal', socket: 'NOVA_CONFIG_SOCKET' }),
        listen: {
          kind: 'parsed',
          parse: String,
          default: '0.0.0.0:8140',
          placeholder: 'host:port',
          brief: t({ en: 'Where nodes come in', ru: 'Куда обращаются узлы' }),
        },
        keyFile: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'path', ru: 'путь' }),
          brief: t({
            en: 'Key that seals the secrets in the data; made when missing [master.key in the data]',
            ru: 'Ключ, которым запечатаны секреты в данных; создаётся, если нет [master.key в данных]',
          }),
        },
        metrics: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: 'host:port',
          brief: t({ en: 'Where Prometheus finds metrics [nowhere]', ru: 'Где Prometheus найдёт метрики [нигде]' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'Run the Configuration Manager', ru: 'Запустить Configuration Manager' }),
      fullDescription: t({
        en: 'Runs in the foreground: enrols nodes, gives them the catalogs that were approved, and keeps their reports.\nOnce it is ready it prints where it listens; its log goes to standard error, one JSON document a line (NOVA_LOG=debug tells more).\nSIGINT and SIGTERM stop it in order. Keep the key file somewhere else, and stolen data is worth nothing.',
        ru: 'Работает на переднем плане: регистрирует узлы, отдаёт им утверждённые каталоги и хранит их отчёты.\nКогда готов, печатает, где слушает; журнал идёт в стандартный поток ошибок, по документу JSON в строке (подробнее: NOVA_LOG=debug).\nSIGINT и SIGTERM останавливают его по порядку. Если держать файл ключа отдельно, украденные данные ничего не дадут.',
      }),
      customUsage: [
        {
          input: '--data /var/lib/nova/config',
          brief: t({ en: 'for the machines of this box', ru: 'для машин на этой машине' }),
        },
        {
          input: '--data /var/lib/nova/config --key-file /etc/nova/config.key --metrics 127.0.0.1:9140',
          brief: t({ en: 'key kept apart, with metrics', ru: 'ключ отдельно, с метриками' }),
        },
        {
          input: '--data ./data --listen 10.120.0.5:8140 --address 10.120.0.5 --name config.mycompany.local',
          brief: t({ en: 'for hosts of your own network', ru: 'для узлов вашей сети' }),
        },
      ],
    },
  });

const apply = (t: Translate) =>
  buildCommand<ApplyFlags, [], Context>({
    loader: async () => (await import('./apply.ts')).apply,
    parameters: {
      flags: {
        file: filesFlag(t),
        cluster: clusterFlag(t),
        yes: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Approve without asking', ru: 'Утвердить, не спрашивая' }),
        },
        output: outputFlag(t),
      },
      aliases: { f: 'file', y: 'yes', o: 'output' },
    },
    docs: {
      brief: t({
        en: 'Show what a manifest would change on nodes, and approve it',
        ru: 'Показать, что манифест изменит на узлах, и утвердить это',
      }),
      fullDescription: t({
        en: 'Plans the cluster beside the others that are approved, and shows for every node what its catalog would change.\nNodes get only what was approved: on a terminal it asks, elsewhere --yes approves; without it nothing changes.\nPasswords of a Proxy document are sealed on the server and shown nowhere.',
        ru: 'Планирует кластер рядом с уже утверждёнными и показывает, что изменится в каталоге каждого узла.\nУзлы получают только утверждённое: в терминале будет вопрос, иначе утверждает --yes; без него ничего не меняется.\nПароли из документа Proxy хранятся на сервере запечатанными и нигде не показываются.',
      }),
      customUsage: [
        { input: '-f cluster.yaml', brief: t({ en: 'look, then decide', ru: 'посмотреть, затем решить' }) },
        { input: '-f cluster.yaml --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
        {
          input: '-f clusters/ --cluster prod -o json',
          brief: t({ en: 'what would change, for programs', ru: 'что изменится, для программ' }),
        },
      ],
    },
  });

const createToken = (t: Translate) =>
  buildCommand<TokenFlags, [], Context>({
    loader: async () => (await import('./token.ts')).createToken,
    parameters: {
      flags: {
        node: {
          kind: 'parsed',
          parse: String,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'The node it is for', ru: 'Для какого узла' }),
        },
        ttl: {
          kind: 'parsed',
          parse: String,
          default: '1h',
          placeholder: t({ en: 'time', ru: 'время' }),
          brief: t({ en: 'How long it is valid: 30m, 1h, 7d', ru: 'Сколько действует: 30m, 1h, 7d' }),
        },
        cloudConfig: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'file', ru: 'файл' }),
          brief: t({
            en: 'Write a #cloud-config with which a machine enrols by itself',
            ru: 'Записать #cloud-config, с которым машина зарегистрируется сама',
          }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'Make a token with which one node enrols once', ru: 'Создать одноразовый токен для узла' }),
      fullDescription: t({
        en: 'A node gets its certificate for a token that was made for it: once, and before the token ends.\nThe server keeps only a hash of it. The name is that of the plan: `nova-ctl plan` lists them.',
        ru: 'Узел получает сертификат в обмен на созданный для него токен: один раз и до истечения срока.\nСервер хранит только хеш токена. Имя узла — из плана: `nova-ctl plan`.',
      }),
      customUsage: [
        {
          input: '--node demo-main-1 --cloud-config demo-main-1.yaml',
          brief: t({ en: 'for `nova-ctl machine create`', ru: 'для `nova-ctl machine create`' }),
        },
        {
          input: '--node demo-main-1 --ttl 7d',
          brief: t({ en: 'a token that is valid for a week', ru: 'токен на неделю' }),
        },
      ],
    },
  });
