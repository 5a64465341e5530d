import {
  bytesOf,
  hasMachineKinds,
  type Language,
  type MachineKind,
  quantityText,
  sizeText,
  type Text,
} from '@nova-platform/api';
import { emulation, machineKindText } from '@nova-platform/change/view';
import type { ClusterPlan, PlannedCertificate, PlannedNode } from '@nova-platform/plan';
import { translator } from '../../language.ts';
import type { Style } from '../../style.ts';
import { type Branch, drawTree, table, wrapped } from '../../tree.ts';
import { count } from '../../words.ts';

/** Of a longer group, only the first and last nodes are shown. */
const maxNodesShown = 12;

interface Options {
  language: Language;
  style: Style;
  width?: number | undefined;
  /** The kind of machines that suits the host, if the host is known. */
  hostKind?: MachineKind | undefined;
}

/** Warns before new VMs are created on a host without KVM. */
export function emulationWarning(
  { nodes }: ClusterPlan,
  current: ClusterPlan | undefined,
  { language, style, hostKind }: Options,
): string[] {
  const isNew = ({ name }: PlannedNode) => !current?.nodes.some((node) => node.name === name);
  const isEmulated = hostKind === 'container' && nodes.some((node) => node.machineKind === 'vm' && isNew(node));
  return isEmulated ? [style.yellow(`! ${machineKindText('vm')[language]}: ${emulation[language]}`)] : [];
}

/** The plan for people: a picture of the network, then a tree of everything, then a summary line. */
export function planAsText(plan: ClusterPlan, options: Options): string {
  const { language, style, width = Number.POSITIVE_INFINITY } = options;
  const t = translator(language);
  const { cluster } = plan;
  const topology =
    cluster.topology === 'HighlyAvailable'
      ? t({ en: 'highly available', ru: 'отказоустойчивый' })
      : t({ en: 'one control plane node', ru: 'один узел управления' });
  const section = (title: string, amount: number | undefined, branches: Branch[]) => [
    '',
    style.bold(amount === undefined ? title : `${title} (${amount})`),
    ...drawTree(branches, style),
  ];
  return [
    `${style.bold(cluster.name)} · Kubernetes ${cluster.kubernetesVersion} · ${cluster.provider} · ${topology}`,
    '',
    ...picture(plan, language, style),
    ...section(t({ en: 'Nodes', ru: 'Узлы' }), plan.nodes.length, nodeBranches(plan, language)),
    ...section(t({ en: 'Network', ru: 'Сеть' }), undefined, networkBranches(plan, language)),
    ...section(t({ en: 'API', ru: 'API' }), undefined, apiBranches(plan, language)),
    ...section('DNS', plan.dns.zones.length, dnsBranches(plan, language)),
    ...section(
      t({ en: 'Certificates', ru: 'Сертификаты' }),
      plan.certificates.length + plan.authorities.length,
      certificateBranches(plan, language),
    ),
    ...section(t({ en: 'Modules', ru: 'Модули' }), plan.modules.length, moduleBranches(plan)),
    ...(plan.proxy ? section(t({ en: 'Proxy', ru: 'Прокси' }), undefined, proxyBranches(plan.proxy)) : []),
    '',
    ...emulationWarning(plan, undefined, options),
    ...wrapped(summary(plan, language), width),
  ].join('\n');
}

function summary({ nodes, certificates, authorities, modules }: ClusterPlan, language: Language): string {
  const cpu = nodes.reduce((sum, node) => sum + node.cpu, 0);
  const memory = nodes.reduce((sum, node) => sum + bytesOf(node.memory), 0);
  const disk = nodes.reduce((sum, node) => sum + bytesOf(node.disk), 0);
  const certificateCount = certificates.length + authorities.length;
  return translator(language)({
    en: `${count(nodes.length, 'machine', 'machines')} with ${cpu} CPU, ${sizeText(memory, language)} memory and ${sizeText(disk, language)} disk; ${count(certificateCount, 'certificate', 'certificates')}; ${count(modules.length, 'module', 'modules')}. Nothing was created.`,
    ru: `Машин: ${nodes.length} (CPU: ${cpu}, памяти ${sizeText(memory, language)}, диска ${sizeText(disk, language)}), сертификатов: ${certificateCount}, модулей: ${modules.length}. Ничего не создано.`,
  });
}

/** Draws the cluster's network between Universe and the outside. */
function picture({ network, nodes, api }: ClusterPlan, language: Language, style: Style): string[] {
  const t = translator(language);
  if (network.kind === 'site') {
    return [
      `  ${network.network} ── ${t({ en: `your network, ${count(nodes.length, 'node', 'nodes')}, API ${api.address}`, ru: `ваша сеть, узлов: ${nodes.length}, API ${api.address}` })}`,
    ];
  }
  const outside = `${t({ en: 'outside', ru: 'снаружи' })} ${network.external.network}`;
  const universe = `Universe ${network.integration.universe.address}`;
  const left = Math.max(outside.length, universe.length);
  const up = ` ${network.router.externalAddress} `;
  const down = ` ${network.router.transitAddress} `;
  const middle = Math.max(up.length, down.length);
  const line = (text: string) => text.padEnd(middle, '─');
  const nodesText = t({ en: count(nodes.length, 'node', 'nodes'), ru: `узлов: ${nodes.length}` });
  return [
    `  ${outside.padEnd(left)} ─${line(up)}─┐`,
    `  ${' '.repeat(left)}  ${' '.repeat(middle)} ├── ${style.bold(network.router.name)} ── ${network.service.network} ── ${nodesText}`,
    `  ${universe.padEnd(left)} ─${line(down)}─┘`,
    `  ${style.dim(`${' '.repeat(left)}  ${t({ en: `through the transit network ${network.transit.network}`, ru: `через транзитную сеть ${network.transit.network}` })}`)}`,
  ];
}

/** Undefined for providers with only one kind. */
function kindText(provider: ClusterPlan['cluster']['provider'], node: PlannedNode | undefined): Text | undefined {
  if (node?.machineKind) return machineKindText(node.machineKind);
  return hasMachineKinds(provider)
    ? { en: 'VM on a host with KVM, else container', ru: 'ВМ на хосте с KVM, иначе контейнер' }
    : undefined;
}

function nodeBranches({ cluster, nodes }: ClusterPlan, language: Language): Branch[] {
  const t = translator(language);
  const size = (quantity = '0') => t(quantityText(quantity));
  const groups = [...new Set(nodes.map(({ group }) => group))];
  return groups.map((group) => {
    const members = nodes.filter((node) => node.group === group);
    const shown = members.length > maxNodesShown ? [...members.slice(0, 3), ...members.slice(-1)] : members;
    const [first] = members;
    const kind = kindText(cluster.provider, first);
    const rows = table(
      shown.map((node) => [
        node.name,
        node.address,
        node.externalAddress && node.externalAddress !== node.address ? `→ ${node.externalAddress}` : '',
        `${t({ en: 'pods', ru: 'поды' })} ${node.podNetwork}`,
      ]),
    ).map((line): Branch => ({ line }));
    const hidden = members.length - shown.length;
    if (hidden > 0)
      rows.splice(3, 0, {
        line: t({ en: `… ${hidden} more (--output json shows all)`, ru: `… ещё ${hidden} (все — в --output json)` }),
      });
    return {
      line: `${group} (${members.length}): ${first?.roles.join(', ')}; ${first?.cpu} CPU, ${size(first?.memory)}, ${t({ en: 'disk', ru: 'диск' })} ${size(first?.disk)}${kind ? `; ${t(kind)}` : ''}`,
      children: rows,
    };
  });
}

function networkBranches({ network, services }: ClusterPlan, language: Language): Branch[] {
  const t = translator(language);
  const serviceBranch: Branch = {
    line: `${t({ en: 'pods', ru: 'поды' })} ${services.podNetwork}, ${t({ en: 'services', ru: 'службы' })} ${services.serviceNetwork}`,
    children: [
      { line: `kubernetes ${services.kubernetes}, kube-dns ${services.kubeDns}, nova-dns ${services.novaDns}` },
    ],
  };
  const names = (entries: { name: string; addresses: string[] }[]) =>
    table(entries.map(({ name, addresses }) => [name, addresses.join(', ')])).map((line): Branch => ({ line }));
  if (network.kind === 'site') {
    return [
      {
        line: `${t({ en: 'nodes', ru: 'узлы' })} ${network.network}${network.gateway ? `, ${t({ en: 'gateway', ru: 'шлюз' })} ${network.gateway}` : ''}`,
      },
      serviceBranch,
      {
        line: t({ en: 'names in the hosts files of nodes', ru: 'имена в файлах hosts на узлах' }),
        children: names(network.hosts),
      },
    ];
  }
  return [
    {
      line: `${t({ en: 'service network', ru: 'сервисная сеть' })} ${network.service.network}, ${t({ en: 'gateway', ru: 'шлюз' })} ${network.service.gateway}`,
    },
    serviceBranch,
    {
      line: `${t({ en: 'router', ru: 'маршрутизатор' })} ${network.router.name}`,
      children: [
        { line: `${t({ en: 'external address', ru: 'внешний адрес' })} ${network.snat.to} (SNAT)` },
        {
          line: `${t({ en: 'transit', ru: 'транзит' })} ${network.router.transitAddress} ${t({ en: 'of', ru: 'из' })} ${network.transit.network}`,
        },
      ],
    },
    {
      line: `${t({ en: 'routes', ru: 'маршруты' })} (${network.routes.length})`,
      children: table(
        network.routes.map(({ router, network: to, via }) => [router, to, `${t({ en: 'via', ru: 'через' })} ${via}`]),
      ).map((line) => ({ line })),
    },
    {
      line: `${t({ en: 'published', ru: 'опубликовано' })} (${network.published.length})`,
      children: table(
        network.published
          .slice(0, maxNodesShown)
          .map(({ name, externalAddress, address, ports = [] }) => [
            externalAddress,
            `→ ${address}`,
            name,
            ports.join(', '),
          ]),
      ).map((line) => ({ line })),
    },
    {
      line: `${t({ en: 'names of the DNS interceptor', ru: 'имена перехватчика DNS' })} (${network.interceptor.length})`,
      children: names(network.interceptor),
    },
  ];
}

function apiBranches({ api }: ClusterPlan, language: Language): Branch[] {
  const t = translator(language);
  const { balancing } = api;
  const by = {
    sdn: t({ en: 'balanced by the network with health checks between', ru: 'балансировка сетью (с проверками) между' }),
    external: t({ en: 'balanced by your load balancer between', ru: 'балансировка вашим балансировщиком между' }),
    none: t({ en: 'not balanced:', ru: 'без балансировки:' }),
  }[balancing.by];
  return [
    {
      line: `${t({ en: 'for users', ru: 'для пользователей' })} https://${api.fqdn ?? api.externalAddress}:${api.port}`,
    },
    { line: `${t({ en: 'for nodes', ru: 'для узлов' })} https://${api.address}:${api.port}` },
    { line: `${by} ${balancing.backends.join(', ')}` },
  ];
}

function dnsBranches({ dns }: ClusterPlan, language: Language): Branch[] {
  const t = translator(language);
  return table(
    dns.zones.map((zone) => [
      zone.name,
      {
        coredns: t({ en: 'served by CoreDNS', ru: 'обслуживает CoreDNS' }),
        'nova-dns': `${t({ en: 'served by Nova DNS', ru: 'обслуживает Nova DNS' })} ${zone.servers?.join(', ')}`,
        forward: `${t({ en: 'forwarded to', ru: 'перенаправляется на' })} ${zone.servers?.join(', ')}`,
      }[zone.answeredBy],
      zone.records ? `* → ${zone.records[0]?.values.join(', ')}` : '',
    ]),
  ).map((line) => ({ line }));
}

function certificateBranches({ authorities, certificates }: ClusterPlan, language: Language): Branch[] {
  const t = translator(language);
  const unit = (name: 'day' | 'year', amount: number) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'long' }).format(amount);
  const days = (hours: number) => (hours >= 24 * 365 ? unit('year', hours / 24 / 365) : unit('day', hours / 24));
  const issuers = [...new Set([...authorities.map(({ name }) => name), ...certificates.map(({ issuer }) => issuer)])];
  const where = ({ key }: PlannedCertificate) =>
    key.in === 'secret'
      ? `Secret ${key.namespace}/${key.name}`
      : t({ en: 'key created on the node', ru: 'ключ создаётся на узле' });
  return issuers.map((issuer) => {
    const authority = authorities.find(({ name }) => name === issuer);
    const own = certificates.filter((each) => each.issuer === issuer);
    const names = [...new Set(own.map(({ name }) => name))];
    return {
      line: `${issuer}: ${authority ? t({ en: `its own CA, ${days(authority.lifetimeHours)}, key in Universe`, ru: `собственный CA, ${days(authority.lifetimeHours)}, ключ в Universe` }) : t({ en: 'the CA of Universe', ru: 'CA Universe' })}`,
      children: table(
        names.map((name) => {
          const alike = own.filter((each) => each.name === name);
          const [first] = alike;
          return first ? [name, `× ${alike.length}`, days(first.lifetimeHours), where(first)] : [];
        }),
      ).map((line) => ({ line })),
    };
  });
}

function moduleBranches({ modules }: ClusterPlan): Branch[] {
  return table(
    modules.map(({ name, category, settings }) => [
      name,
      category,
      Object.entries(settings)
        .map(([key, value]) => `${key}=${String(value)}`)
        .join(' '),
    ]),
  ).map((line) => ({ line }));
}

function proxyBranches({ http, https, noProxy }: NonNullable<ClusterPlan['proxy']>): Branch[] {
  return [
    ...(http ? [{ line: `HTTP ${http}` }] : []),
    ...(https ? [{ line: `HTTPS ${https}` }] : []),
    { line: `noProxy ${noProxy.join(',')}` },
  ];
}
