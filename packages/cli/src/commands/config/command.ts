import { buildCommand } from '../../build-command.ts';
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
      en: 'Approve the configuration of nodes, enrol nodes',
      ru: 'Утвердить конфигурацию узлов, зарегистрировать узлы',
    },
    {
      serve: serve(t),
      apply: apply(t),
      token: group(
        t,
        { en: 'Tokens for the enrolment of nodes', ru: 'Токены для регистрации узлов' },
        { create: createToken(t) },
      ),
    },
  );

const serve = (t: Translate) =>
  buildCommand<ServeFlags, []>({
    loader: async () => (await import('./serve.ts')).serve,
    parameters: {
      flags: {
        ...serverFlags(t, { name: 'config.universe.nova.internal', socket: 'NOVA_CONFIG_SOCKET' }),
        listen: {
          kind: 'parsed',
          parse: String,
          default: '0.0.0.0:8140',
          placeholder: 'host:port',
          brief: t({ en: 'Address and port for nodes', ru: 'Адрес и порт для узлов' }),
        },
        keyFile: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'path', ru: 'путь' }),
          brief: t({
            en: 'File of the key that encrypts secrets; created if missing [master.key in the data folder]',
            ru: 'Файл ключа, которым шифруются секреты; создаётся, если его нет [master.key в каталоге данных]',
          }),
        },
        metrics: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: 'host:port',
          brief: t({
            en: 'Address and port for Prometheus metrics [none]',
            ru: 'Адрес и порт для метрик Prometheus [нет]',
          }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'Run the Configuration Manager', ru: 'Запустить менеджер конфигураций' }),
      fullDescription: t({
        en: `Runs in the foreground: enrols nodes, serves approved catalogs, and stores reports. Prints its addresses when it
is ready. Logs go to standard error as JSON lines; NOVA_LOG=debug logs more. SIGINT and SIGTERM shut it down
cleanly. Keep the key file on another disk: stolen data is useless without it.`,
        ru: `Работает на переднем плане: регистрирует узлы, отдаёт утверждённые каталоги и хранит отчёты. Когда готов,
печатает свои адреса. Журнал идёт в стандартный поток ошибок строками JSON; подробнее — NOVA_LOG=debug. SIGINT и
SIGTERM корректно завершают работу. Держите файл ключа на другом диске: без него украденные данные бесполезны.`,
      }),
      customUsage: [
        {
          input: '--data /var/lib/nova/config',
          brief: t({ en: 'for the machines of this host', ru: 'для машин этого хоста' }),
        },
        {
          input: '--data /var/lib/nova/config --key-file /etc/nova/config.key --metrics 127.0.0.1:9140',
          brief: t({ en: 'with the key elsewhere, and metrics', ru: 'ключ отдельно, с метриками' }),
        },
        {
          input: '--data ./data --listen 10.120.0.5:8140 --address 10.120.0.5 --name config.mycompany.local',
          brief: t({ en: 'for servers of your own network', ru: 'для серверов вашей сети' }),
        },
      ],
    },
  });

const apply = (t: Translate) =>
  buildCommand<ApplyFlags, []>({
    loader: async () => (await import('./apply.ts')).apply,
    parameters: {
      flags: {
        file: filesFlag(t),
        cluster: clusterFlag(t),
        yes: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Do not ask for confirmation', ru: 'Не запрашивать подтверждение' }),
        },
        output: outputFlag(t),
      },
      aliases: { f: 'file', c: 'cluster', y: 'yes', o: 'output' },
    },
    docs: {
      brief: t({
        en: 'Show how a manifest changes nodes, and approve it',
        ru: 'Показать, как манифест изменит узлы, и утвердить изменения',
      }),
      fullDescription: t({
        en: `Takes the other approved clusters into account and shows the diff of the catalog of each node. Nodes get
only approved catalogs. On a terminal, the command asks for confirmation; elsewhere, it approves only with --yes.
Passwords of a Proxy document are stored encrypted and never shown.`,
        ru: `Учитывает другие утверждённые кластеры и показывает изменения каталога каждого узла. Узлы получают только
утверждённые каталоги. В терминале команда запрашивает подтверждение, без терминала утверждает только с --yes. Пароли из
документа Proxy хранятся зашифрованными и нигде не показываются.`,
      }),
      customUsage: [
        {
          input: '-f cluster.yaml',
          brief: t({ en: 'show the changes, then ask', ru: 'показать изменения и спросить' }),
        },
        { input: '-f cluster.yaml --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
        {
          input: '-f clusters/ --cluster prod -o json',
          brief: t({ en: 'the changes, for programs', ru: 'изменения для программ' }),
        },
      ],
    },
  });

const createToken = (t: Translate) =>
  buildCommand<TokenFlags, []>({
    loader: async () => (await import('./token.ts')).createToken,
    parameters: {
      flags: {
        node: {
          kind: 'parsed',
          parse: String,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({ en: 'Name of the node', ru: 'Имя узла' }),
        },
        ttl: {
          kind: 'parsed',
          parse: String,
          default: '1h',
          placeholder: t({ en: 'time', ru: 'время' }),
          brief: t({ en: 'Lifetime: 30m, 1h, 7d', ru: 'Срок действия: 30m, 1h, 7d' }),
        },
        cloudConfig: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'file', ru: 'файл' }),
          brief: t({
            en: 'Write a #cloud-config that enrols a new machine',
            ru: 'Записать #cloud-config, который регистрирует новую машину',
          }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'Create a token that enrols one node', ru: 'Создать токен для регистрации узла' }),
      fullDescription: t({
        en: `With the token, the node gets its certificate, once. Only the hash of the token is stored. The names of nodes
are those of the plan: \`nova-ctl plan\` lists them.`,
        ru: `С этим токеном узел один раз получает сертификат. Хранится только хеш токена. Имена узлов — из плана: \`nova-ctl
plan\`.`,
      }),
      customUsage: [
        {
          input: '--node demo-main-1 --cloud-config demo-main-1.yaml',
          brief: t({ en: 'for `nova-ctl machine create`', ru: 'для `nova-ctl machine create`' }),
        },
        {
          input: '--node demo-main-1 --ttl 7d',
          brief: t({ en: 'valid for a week', ru: 'на неделю' }),
        },
      ],
    },
  });
