import { errors, sizeText, type Text } from '@nova-platform/api';
import type { Status } from '@nova-platform/contracts/universe/client';
import type { SiteAddresses } from '@nova-platform/plan';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { oneLine } from '../../outside.ts';
import { ago, clock, duration } from '../../time.ts';
import { table } from '../../tree.ts';
import { universeOf } from '../../universe.ts';
import { findingLines } from './cluster.ts';

const leastFree = 0.1;
const serviceNames: Record<string, Text> = {
  store: { en: 'database', ru: 'база данных' },
  'configuration manager': { en: 'Configuration Manager', ru: 'менеджер конфигураций' },
  registry: { en: 'registry', ru: 'реестр образов' },
  resolver: { en: 'DNS server', ru: 'сервер DNS' },
};

export async function universeStatus(this: Context): Promise<Result> {
  const { client, server } = universeOf(this.io);
  const [status, site] = await Promise.all([client.status({}), client.site({})]);
  const isReady = status.services.every((service) => service.isReady);
  return {
    data: { server, ...status, site },
    text: statusText(this, server, status, site),
    exitCode: isReady ? exitCodes.done.code : exitCodes.failed.code,
  };
}

function statusText(context: Context, server: string, status: Status, site: SiteAddresses): string {
  const { t, style, language } = context;
  const { disk, memoryBytes, counts, endingCertificates, updates, findings } = status;
  const since = duration((Date.now() - Date.parse(status.startedAt)) / 1000, language);
  const services = table(
    status.services.map(({ name, isReady, version = '', reason = '' }) => [
      `${isReady ? style.green('✓') : style.red('✗')} ${serviceName(context, name)}`,
      isReady ? version && style.dim(oneLine(version)) : oneLine(reason),
    ]),
  );
  const failed =
    counts.failedOperations > 0
      ? style.red(t({ en: `${counts.failedOperations} failed`, ru: `со сбоем: ${counts.failedOperations}` }))
      : '';
  const running = t({ en: `${counts.runningOperations} running`, ru: `выполняется: ${counts.runningOperations}` });
  const facts = table([
    [t({ en: 'disk', ru: 'диск' }), diskText(context, disk)],
    [t({ en: 'memory', ru: 'память' }), sizeText(memoryBytes, language)],
    [t({ en: 'clusters', ru: 'кластеры' }), String(counts.clusters)],
    [t({ en: 'nodes', ru: 'узлы' }), String(counts.nodes)],
    [t({ en: 'operations', ru: 'операции' }), [running, failed].filter(Boolean).join(', ')],
    [t({ en: 'updates', ru: 'обновления' }), updatesText(context, updates)],
  ]);
  const networks = table([
    [t({ en: 'external network', ru: 'внешняя сеть' }), site.externalNetwork],
    [t({ en: 'integration network', ru: 'интеграционная сеть' }), site.integrationNetwork],
    [t({ en: 'transit network', ru: 'транзитная сеть' }), site.transitNetwork],
    [t({ en: 'domain', ru: 'домен' }), site.domain],
  ]);
  const certificates = table(
    endingCertificates.map(({ name, node, notAfter }) => [
      `${style.yellow('!')} ${oneLine(name)}`,
      oneLine(node ?? ''),
      t({ en: `expires ${clock(notAfter)}`, ru: `истекает ${clock(notAfter)}` }),
    ]),
  );
  const next = advice(context, status);
  return [
    `${style.bold(`Universe ${status.version}`)} · ${server} · ${t({ en: `up for ${since}`, ru: `работает ${since}` })}`,
    '',
    ...services,
    '',
    ...facts,
    '',
    ...networks,
    ...(certificates.length === 0
      ? []
      : [
          '',
          t({ en: 'Certificates with overdue renewal', ru: 'Сертификаты с просроченным обновлением' }),
          ...certificates,
        ]),
    ...(findings.length === 0 ? [] : ['', ...findingLines(context, status)]),
    ...(next.length === 0 ? [] : ['', ...table(next)]),
  ].join('\n');
}

/** Missing security updates of machines, and when they were last checked. */
function updatesText({ t, style, language }: Context, { checkedAt, machines }: Status['updates']): string {
  if (checkedAt === undefined) return style.dim(t({ en: 'not checked yet', ru: 'ещё не проверялись' }));
  const when = t({ en: `checked ${ago(checkedAt, language)}`, ru: `проверено ${ago(checkedAt, language)}` });
  if (machines.length === 0)
    return t({
      en: `no security updates are missing, ${when}`,
      ru: `все обновления безопасности установлены, ${when}`,
    });
  const names = machines.map(({ name }) => oneLine(name)).join(', ');
  return style.yellow(
    t({
      en: `security updates are missing on ${names}, ${when}`,
      ru: `не хватает обновлений безопасности: ${names}, ${when}`,
    }),
  );
}

function serviceName({ t }: Context, name: string): string {
  const known = Object.hasOwn(serviceNames, name) ? serviceNames[name] : undefined;
  return known ? t(known) : oneLine(name);
}

function diskText({ t, style, language }: Context, { totalBytes, freeBytes }: Status['disk']): string {
  const [free, total] = [sizeText(freeBytes, language), sizeText(totalBytes, language)];
  const text = t({ en: `${free} free of ${total}`, ru: `свободно ${free} из ${total}` });
  return isTight({ totalBytes, freeBytes }) ? style.red(text) : text;
}

function isTight({ totalBytes, freeBytes }: Status['disk']): boolean {
  return freeBytes < totalBytes * leastFree;
}

/** Commands that help with the current problems. */
function advice({ t, style }: Context, { services, disk, counts, endingCertificates }: Status): string[][] {
  const line = (command: string, why: string) => [`  ${style.green('→')} ${command}`, style.dim(why)];
  const codes = services.flatMap(({ isReady, reason = '' }) => (isReady ? [] : (/^NOVA\d{4}(?= )/.exec(reason) ?? [])));
  const isDown = services.some(({ isReady }) => !isReady);
  const node = endingCertificates.find((each) => each.node !== undefined)?.node;
  return [
    ...[...new Set(codes)]
      .filter((code) => Object.hasOwn(errors, code))
      .map((code) =>
        line(`nova-ctl explain ${code}`, t({ en: 'meaning and remedy', ru: 'что это значит и что делать' })),
      ),
    ...(isDown
      ? [line('nova-ctl up', t({ en: 'on its host: repairs the services', ru: 'на его хосте: восстановит службы' }))]
      : []),
    ...(counts.failedOperations > 0
      ? [
          line(
            'nova-ctl operation list --state failed',
            t({ en: 'list failed operations', ru: 'показать операции со сбоем' }),
          ),
        ]
      : []),
    ...(isTight(disk)
      ? [
          line(
            'nova-ctl registry collect',
            t({ en: 'frees space: removes unused images', ru: 'освободит место: удалит неиспользуемые образы' }),
          ),
        ]
      : []),
    ...(node === undefined
      ? []
      : [
          line(
            `nova-ctl node run ${oneLine(node)}`,
            t({ en: 'renews its certificates', ru: 'обновит его сертификаты' }),
          ),
        ]),
  ];
}
