import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group, type OutputFlags, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag, serverFlags } from '../../parameters.ts';
import type { ServeFlags } from './serve.ts';

export const registry = (t: Translate) =>
  group(
    t,
    { en: 'The registry: images that nodes pull', ru: 'Реестр: образы, которые загружают узлы' },
    {
      serve: serve(t),
      import: importImages(t),
      list: simpleCommand<[]>(
        t,
        { en: 'List images with tags and digests', ru: 'Перечислить образы с тегами и дайджестами' },
        [],
        async () => (await import('./list.ts')).list,
      ),
      collect: simpleCommand<[]>(
        t,
        { en: 'Remove what no image needs any more', ru: 'Удалить то, что больше не нужно ни одному образу' },
        [],
        async () => (await import('./collect.ts')).collect,
        {
          en: 'Removes images that have lost their tag to another, and the blobs only they needed. Nodes go on pulling; nothing can be brought in meanwhile.',
          ru: 'Удаляет образы, чей тег перешёл к другому, и блобы, нужные только им. Узлы продолжают загружать образы; добавлять их в это время нельзя.',
        },
      ),
    },
  );

const serve = (t: Translate) =>
  buildCommand<ServeFlags, [], Context>({
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
            en: 'Where nodes pull, with their certificates',
            ru: 'Откуда узлы загружают образы, по сертификатам',
          }),
        },
        program: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'path', ru: 'путь' }),
          brief: t({
            en: 'CNCF Distribution; by default the one that component build made',
            ru: 'CNCF Distribution; по умолчанию собранный component build',
          }),
        },
        import: {
          kind: 'parsed',
          parse: String,
          default: '127.0.0.1:5001',
          placeholder: 'host:port',
          brief: t({
            en: 'Where images are brought in; this host only',
            ru: 'Куда добавляются образы; только эта машина',
          }),
        },
        site: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'file', ru: 'файл' }),
          brief: t({
            en: "Addresses of the site, in Universe's machine: name and address follow from them",
            ru: 'Адреса площадки, в машине Universe: из них следуют имя и адрес',
          }),
        },
        groupSocket: {
          kind: 'boolean',
          default: false,
          brief: t({
            en: 'Let the group of the socket connect to it',
            ru: 'Разрешить подключение к сокету его группе',
          }),
        },
        output: outputFlag(t),
      },
      aliases: { o: 'output' },
    },
    docs: {
      brief: t({ en: 'Run the registry', ru: 'Запустить реестр' }),
      fullDescription: t({
        en: 'Runs CNCF Distribution in the foreground, twice over the same images: for nodes, who only pull and need a certificate of the platform,\nand for this host, which brings images in. Its certificate and the list of valid nodes come from the Configuration Manager (NOVA_CONFIG_SOCKET).\nOnce it is ready it prints where it listens; its log goes to standard error, one JSON document a line. SIGINT and SIGTERM stop it in order.',
        ru: 'Запускает CNCF Distribution на переднем плане дважды над одними и теми же образами: для узлов, которые только загружают и обязаны\nпредъявить сертификат платформы, и для этой машины, которая добавляет образы. Сертификат и список действительных узлов даёт\nConfiguration Manager (NOVA_CONFIG_SOCKET). Когда готов, печатает, где слушает; журнал идёт в стандартный поток ошибок, по документу JSON в строке.\nSIGINT и SIGTERM останавливают его по порядку.',
      }),
      customUsage: [
        {
          input: '--data /var/lib/nova/registry',
          brief: t({ en: 'for the machines of this box', ru: 'для машин на этой машине' }),
        },
        {
          input: '--data ./images --listen 10.120.0.5:5000 --address 10.120.0.5 --name hub.mycompany.local',
          brief: t({ en: 'for hosts of your own network', ru: 'для узлов вашей сети' }),
        },
      ],
    },
  });

const importImages = (t: Translate) =>
  buildCommand<OutputFlags, string[], Context>({
    loader: async () => (await import('./import.ts')).importImages,
    parameters: {
      flags: { output: outputFlag(t) },
      aliases: { o: 'output' },
      positional: {
        kind: 'array',
        parameter: {
          parse: String,
          placeholder: t({ en: 'component', ru: 'компонент' }),
          brief: t({
            en: 'Components; all that are built when none is named',
            ru: 'Компоненты; все собранные, если не указаны',
          }),
        },
      },
    },
    docs: {
      brief: t({ en: 'Bring images of built components in', ru: 'Добавить образы собранных компонентов' }),
      fullDescription: t({
        en: 'Images become nova/NAME:VERSION. What is there already is not sent again.',
        ru: 'Образы получают имена nova/ИМЯ:ВЕРСИЯ. То, что уже есть, повторно не передаётся.',
      }),
      customUsage: [
        { input: '', brief: t({ en: 'everything that is built', ru: 'всё, что собрано' }) },
        { input: 'coredns pause', brief: t({ en: 'only these', ru: 'только эти' }) },
      ],
    },
  });
