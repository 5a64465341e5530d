import { buildCommand } from '../../build-command.ts';
import { group, nameText, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag } from '../../parameters.ts';
import type { CatalogFlags } from './catalog.ts';
import type { JoinFlags } from './join.ts';
import type { JoinCommandFlags } from './join-command.ts';
import type { PackagesFlags } from './packages.ts';
import type { ReportsFlags } from './reports.ts';
import type { RunFlags } from './run.ts';

export const node = (t: Translate) =>
  group(
    t,
    { en: 'Inspect nodes, run their agents', ru: 'Посмотреть узлы, запустить их агенты' },
    {
      list: simpleCommand<[]>(
        t,
        { en: 'List nodes with the last run of their agents', ru: 'Показать узлы и последние запуски агентов' },
        [],
        async () => (await import('./list.ts')).list,
        {
          description: {
            en: `CHANGES is the number of changes in the last run, DRIFT the number of reverted manual changes among them.
PENDING is the number of changes that are not approved yet, because the code or the facts of the node changed.
\`nova-ctl node catalog NAME --diff\` shows them.`,
            ru: `ИЗМЕНЕНИЙ — число изменений при последнем запуске, ОТКАЧЕНО — сколько среди них откатов ручных изменений. НЕ
УТВЕРЖДЕНО — число изменений, которые ещё не утверждены, потому что изменились код или факты узла. Подробно:
\`nova-ctl node catalog ИМЯ --diff\`.`,
          },
        },
      ),
      facts: simpleCommand<[name: string]>(
        t,
        { en: 'Show the facts of a node', ru: 'Показать факты узла' },
        [nameText],
        async () => (await import('./facts.ts')).facts,
        {
          description: {
            en: `Facts are what the agent found at its last run: hardware, system, networks. Catalogs can depend on them.`,
            ru: `Факты — то, что агент собрал при последнем запуске: оборудование, система, сети. От них могут зависеть каталоги.`,
          },
        },
      ),
      reports: reports(t),
      catalog: catalog(t),
      run: run(t),
      join: join(t),
      'join-command': joinCommand(t),
      packages: packages(t),
      revoke: simpleCommand<[name: string]>(
        t,
        { en: 'Revoke the certificates of a node', ru: 'Отозвать сертификаты узла' },
        [nameText],
        async () => (await import('./revoke.ts')).revoke,
        {
          description: {
            en: `From its next request, the node is refused: it gets no catalogs, keys or certificates. The node itself does not
change. To enrol it again, create a token: \`nova-ctl config token create\`.`,
            ru: `Со следующего запроса узел получает отказ: ни каталогов, ни ключей, ни сертификатов. Сам узел не меняется. Чтобы
зарегистрировать его снова, создайте токен: \`nova-ctl config token create\`.`,
          },
        },
      ),
    },
  );

const named = (t: Translate) =>
  ({
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: t(nameText), brief: t(nameText) }],
  }) as const;

const reports = (t: Translate) =>
  buildCommand<ReportsFlags, [name: string]>({
    loader: async () => (await import('./reports.ts')).reports,
    parameters: {
      flags: {
        last: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Show the last report in detail', ru: 'Показать последний отчёт подробно' }),
        },
        limit: {
          kind: 'parsed',
          parse: String,
          default: '20',
          placeholder: 'n',
          brief: t({ en: 'Number of entries, newest first', ru: 'Сколько показать, начиная с новых' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
      positional: named(t),
    },
    docs: {
      brief: t({ en: 'List the reports of a node', ru: 'Показать отчёты узла' }),
      fullDescription: t({
        en: 'Lists stored reports, newest first. DRIFT is the number of manual changes that the run reverted.',
        ru: 'Показывает сохранённые отчёты, начиная с новых. ОТКАЧЕНО — сколько ручных изменений откатил запуск.',
      }),
      customUsage: [
        {
          input: 'demo-main-1 --last',
          brief: t({
            en: 'failures, changes and warnings of the last run',
            ru: 'сбои, изменения и предупреждения последнего запуска',
          }),
        },
        { input: 'demo-main-1 --limit 100 -o json', brief: t({ en: 'for programs', ru: 'для программ' }) },
      ],
    },
  });

const catalog = (t: Translate) =>
  buildCommand<CatalogFlags, [name: string]>({
    loader: async () => (await import('./catalog.ts')).catalog,
    parameters: {
      flags: {
        diff: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Show only changes', ru: 'Показать только изменения' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
      positional: named(t),
    },
    docs: {
      brief: t({ en: 'Show the approved catalog of a node', ru: 'Показать утверждённый каталог узла' }),
      fullDescription: t({
        en: `Shows the approved catalog piece by piece. With --diff, shows the changes of the catalog since the last run, and
changes that are not approved yet: + added, ~ changed, ↻ restarted or run again, − no longer managed. A run also repairs
drift, which only nova-ctl node run NAME --noop shows.`,
        ru: `Показывает утверждённый каталог по частям. С --diff показывает изменения каталога после последнего запуска
и ещё не утверждённые: + добавится, ~ изменится, ↻ перезапустится, − больше не управляется. Запуск также исправляет
ручные изменения; их показывает только nova-ctl node run NAME --noop.`,
      }),
      customUsage: [
        { input: 'demo-main-1', brief: t({ en: 'the whole catalog', ru: 'весь каталог' }) },
        { input: 'demo-main-1 --diff', brief: t({ en: 'only changes', ru: 'только изменения' }) },
      ],
    },
  });

const run = (t: Translate) =>
  buildCommand<RunFlags, [name: string]>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: {
        noop: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Show the changes, but do not apply them', ru: 'Показать изменения, но не применять' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
      positional: named(t),
    },
    docs: {
      brief: t({ en: 'Run the agent of a node now', ru: 'Запустить агент узла сейчас' }),
      fullDescription: t({
        en: `Shows the log of the run and its result. The exit code is 1 if the run failed. Agents poll for runs: if the node
is busy or unreachable, the command waits for it.`,
        ru: `Показывает журнал и результат запуска. Если запуск не удался, код завершения 1. Агенты сами обращаются за заданиями:
если узел занят или недоступен, команда ждёт его.`,
      }),
      customUsage: [
        { input: 'demo-main-1', brief: t({ en: 'apply the approved catalog', ru: 'применить утверждённый каталог' }) },
        { input: 'demo-main-1 --noop', brief: t({ en: 'only show the changes', ru: 'только показать изменения' }) },
      ],
    },
  });

const joinCommand = (t: Translate) =>
  buildCommand<JoinCommandFlags, [name: string]>({
    loader: async () => (await import('./join-command.ts')).joinCommand,
    parameters: {
      flags: {
        ttl: {
          kind: 'parsed',
          parse: String,
          default: '1h',
          placeholder: t({ en: 'time', ru: 'срок' }),
          brief: t({ en: 'How long the command works, at most 1d', ru: 'Сколько действует команда, не больше 1d' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
      positional: named(t),
    },
    docs: {
      brief: t({
        en: 'Print the command that makes an existing host a node',
        ru: 'Вывести команду, которая делает существующий хост узлом',
      }),
      fullDescription: t({
        en: `Prints one line for root's shell on the host. It pins the CA of Universe by its fingerprint and contains a token that
works once. The host must be declared in the manifest of a cluster with the provider existing.`,
        ru: `Выводит одну строку для оболочки root на хосте. В ней отпечаток CA Universe и одноразовый токен. Хост должен быть
описан в манифесте кластера с провайдером existing.`,
      }),
      customUsage: [
        { input: 'rack1-n1', brief: t({ en: 'a command for the next hour', ru: 'команда на ближайший час' }) },
        { input: 'rack1-n1 --ttl 15m', brief: t({ en: 'a shorter time', ru: 'на более короткий срок' }) },
      ],
    },
  });

const join = (t: Translate) =>
  buildCommand<JoinFlags, string[]>({
    loader: async () => (await import('./join.ts')).join,
    parameters: {
      flags: {
        ssh: {
          kind: 'parsed',
          parse: String,
          placeholder: t({ en: 'user@host', ru: 'user@host' }),
          brief: t({
            en: 'How to log in; only the user for several hosts, whose addresses are in the manifest',
            ru: 'Как входить; для нескольких хостов — только пользователь, адреса есть в манифесте',
          }),
        },
        knownHosts: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'file', ru: 'файл' }),
          brief: t({
            en: 'Host keys to accept, in the format of OpenSSH; others are refused',
            ru: 'Принимаемые ключи хостов в формате OpenSSH; остальные отклоняются',
          }),
        },
        identity: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'file', ru: 'файл' }),
          brief: t({ en: 'Private key to log in with', ru: 'Закрытый ключ для входа' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
      positional: {
        kind: 'array',
        parameter: { brief: t(nameText), placeholder: t(nameText), parse: String },
        minimum: 1,
      },
    },
    docs: {
      brief: t({ en: 'Make existing hosts nodes over SSH', ru: 'Сделать существующие хосты узлами по SSH' }),
      fullDescription: t({
        en: `Runs the command of nova-ctl node join-command on hosts over OpenSSH, on up to 16 of them at once. On a terminal,
OpenSSH asks you to confirm unknown host keys; elsewhere they must be known. Users other than root need sudo without a password.`,
        ru: `Выполняет команду из nova-ctl node join-command на хостах по OpenSSH, до 16 одновременно. В терминале OpenSSH просит
подтвердить неизвестные ключи хостов; иначе они должны быть известны. Пользователю, кроме root, нужен sudo без пароля.`,
      }),
      customUsage: [
        { input: 'rack1-n1 --ssh root@10.130.0.21', brief: t({ en: 'one host', ru: 'один хост' }) },
        {
          input: 'rack1-n1 rack1-n2 --ssh admin --known-hosts hosts.keys',
          brief: t({
            en: 'several hosts at their addresses in the manifest',
            ru: 'несколько хостов по адресам из манифеста',
          }),
        },
      ],
    },
  });

const packages = (t: Translate) =>
  buildCommand<PackagesFlags, []>({
    loader: async () => (await import('./packages.ts')).packages,
    parameters: {
      flags: {
        update: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Download the packages again', ru: 'Загрузить пакеты заново' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({
        en: 'Give Universe the packages and programs of existing hosts',
        ru: 'Передать в Universe пакеты и программы для существующих хостов',
      }),
      fullDescription: t({
        en: `Collects the packages of Debian 12 and 13 that nodes need, with all dependencies, signs them with the key of this
site, and sends them to Universe together with the programs of nodes. Run it as root on the host of Universe, which
needs a Debian mirror for the first time and for --update. Existing hosts then need no mirror.`,
        ru: `Собирает нужные узлам пакеты Debian 12 и 13 со всеми зависимостями, подписывает их ключом этой площадки и передаёт
в Universe вместе с программами узлов. Запускайте от имени root на хосте Universe; в первый раз и для --update ему нужно
зеркало Debian. Самим хостам зеркало не нужно.`,
      }),
      customUsage: [
        { input: '', brief: t({ en: 'collect and send', ru: 'собрать и передать' }) },
        { input: '--update', brief: t({ en: 'with newer packages', ru: 'с более новыми пакетами' }) },
      ],
    },
  });
