import { buildCommand } from '../../build-command.ts';
import { group, type OutputFlags, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag, serverFlags } from '../../parameters.ts';
import type { ServeFlags } from './serve.ts';

export const registry = (t: Translate) =>
  group(
    t,
    { en: 'Manage the image registry', ru: 'Управлять реестром образов' },
    {
      serve: serve(t),
      import: importImages(t),
      list: simpleCommand<[]>(
        t,
        { en: 'List images with tags and digests', ru: 'Показать образы с тегами и дайджестами' },
        [],
        async () => (await import('./list.ts')).list,
      ),
      collect: simpleCommand<[]>(
        t,
        { en: 'Remove untagged images and unused blobs', ru: 'Удалить образы без тегов и неиспользуемые блобы' },
        [],
        async () => (await import('./collect.ts')).collect,
        {
          description: {
            en: 'Nodes can pull images meanwhile; imports are refused until the command ends.',
            ru: 'Узлы в это время могут загружать образы; импорт отклоняется до завершения команды.',
          },
        },
      ),
    },
  );

const serve = (t: Translate) =>
  buildCommand<ServeFlags, []>({
    loader: async () => (await import('./serve.ts')).serve,
    parameters: {
      flags: {
        ...serverFlags(t, { name: 'hub.universe.nova.internal', socket: 'NOVA_REGISTRY_SOCKET' }),
        listen: {
          kind: 'parsed',
          parse: String,
          default: '0.0.0.0:5000',
          placeholder: 'host:port',
          brief: t({
            en: 'Address and port for nodes, which need a certificate',
            ru: 'Адрес и порт для узлов, узлам нужен сертификат',
          }),
        },
        program: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'path', ru: 'путь' }),
          brief: t({
            en: 'Path of CNCF Distribution [the build of nova-ctl component build]',
            ru: 'Путь к CNCF Distribution [сборка nova-ctl component build]',
          }),
        },
        import: {
          kind: 'parsed',
          parse: String,
          default: '127.0.0.1:5001',
          placeholder: 'host:port',
          brief: t({
            en: 'Address and port for imports, on this host only',
            ru: 'Адрес и порт для импорта, только на этом хосте',
          }),
        },
        site: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'file', ru: 'файл' }),
          brief: t({
            en: 'File with the addresses of the site: sets name and address',
            ru: 'Файл с адресами площадки: задаёт имя и адрес',
          }),
        },
        groupSocket: {
          kind: 'boolean',
          default: false,
          brief: t({ en: 'Allow the group of the socket to connect', ru: 'Разрешить подключение к сокету его группе' }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'Run the registry', ru: 'Запустить реестр' }),
      fullDescription: t({
        en: `Runs CNCF Distribution in the foreground, twice with the same images: read-only for nodes, which need a
certificate of the platform, and for imports from this host. Its certificate and the list of valid nodes come
from the Configuration Manager (NOVA_CONFIG_SOCKET). Prints its addresses when it is ready. Logs go to standard
error as JSON lines. SIGINT and SIGTERM shut it down cleanly.`,
        ru: `Запускает CNCF Distribution на переднем плане дважды с одними и теми же образами: только для чтения узлами,
которым нужен сертификат платформы, и для импорта с этого хоста. Сертификат и список действительных
узлов берутся у менеджера конфигураций (NOVA_CONFIG_SOCKET). Когда готов, печатает свои адреса. Журнал идёт в
стандартный поток ошибок строками JSON. SIGINT и SIGTERM корректно завершают работу.`,
      }),
      customUsage: [
        {
          input: '--data /var/lib/nova/registry',
          brief: t({ en: 'for the machines of this host', ru: 'для машин этого хоста' }),
        },
        {
          input: '--data ./images --listen 10.120.0.5:5000 --address 10.120.0.5 --name hub.mycompany.local',
          brief: t({ en: 'for servers of your own network', ru: 'для серверов вашей сети' }),
        },
      ],
    },
  });

const importImages = (t: Translate) =>
  buildCommand<OutputFlags, string[]>({
    loader: async () => (await import('./import.ts')).importImages,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: {
        kind: 'array',
        parameter: {
          parse: String,
          placeholder: t({ en: 'component', ru: 'компонент' }),
          brief: t({ en: 'Components [all built ones]', ru: 'Компоненты [все собранные]' }),
        },
      },
    },
    docs: {
      brief: t({ en: 'Import the images of built components', ru: 'Импортировать образы собранных компонентов' }),
      fullDescription: t({
        en: 'The images are named nova/NAME:VERSION. Images that exist are not sent again.',
        ru: 'Образы получают имена nova/ИМЯ:ВЕРСИЯ. Образы, которые уже есть, повторно не передаются.',
      }),
      customUsage: [
        { input: '', brief: t({ en: 'all built components', ru: 'все собранные компоненты' }) },
        { input: 'coredns pause', brief: t({ en: 'only these', ru: 'только эти' }) },
      ],
    },
  });
