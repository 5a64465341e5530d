import { Document, isMap, isScalar, isSeq, type Node } from 'yaml';
import { hasSdn, infrastructure, type Provider } from './infrastructure.ts';
import * as ipv4 from './ipv4.ts';
import { kindSchema, type Schema, schemaAt } from './schema.ts';
import type { Language } from './text.ts';

export type Template = 'single' | 'ha';

export interface Answers {
  provider: Provider;
  template: Template;
  domain: string;
  nodeNetwork: string;
  /** Provider `existing`: one for each node the template has. */
  hostAddresses: string[];
  /** Fields of the provider's settings. */
  settings: Record<string, string>;
}

interface Group {
  name: string;
  roles: string[];
  count: number;
  cpu: number;
  memory: string;
  disk: string;
}

export const groupsOf: Record<Template, Group[]> = {
  single: [
    {
      name: 'main',
      roles: ['control-plane', 'infra', 'ingress', 'worker'],
      count: 1,
      cpu: 2,
      memory: '4Gi',
      disk: '20Gi',
    },
  ],
  ha: [
    { name: 'control-plane', roles: ['control-plane'], count: 3, cpu: 2, memory: '4Gi', disk: '20Gi' },
    { name: 'infra', roles: ['infra', 'ingress'], count: 2, cpu: 2, memory: '4Gi', disk: '40Gi' },
    { name: 'worker', roles: ['worker'], count: 2, cpu: 2, memory: '4Gi', disk: '40Gi' },
  ],
};

/** The manifest as text, every field with its description. */
export function manifestText(answers: Answers, language: Language): string {
  const document = new Document(manifestOf(answers));
  const header = {
    en: ' A Nova cluster. Check it with `nova-ctl validate`, see what would exist with `nova-ctl plan`.\n Every field is described by `nova-ctl explain Infrastructure.<field>`.',
    ru: ' Кластер Nova. Проверить: `nova-ctl validate`, увидеть, что будет создано: `nova-ctl plan`.\n Описание любого поля: `nova-ctl explain Infrastructure.<поле>`.',
  };
  document.commentBefore = header[language];
  const spec = document.getIn(['spec'], true) as Node;
  describeFields(spec, schemaAt(kindSchema(infrastructure), ['spec']) ?? {}, language);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function manifestOf(answers: Answers): object {
  const { provider, template, domain, nodeNetwork, settings } = answers;
  const groups = groupsOf[template];
  const { first } = ipv4.parseNetwork(nodeNetwork);
  const { network, gateway, addresses, ...options } = settings;
  const providerSettings = Object.keys(options).length > 0 || provider === 'vsphere';
  const controlPlanes = groups
    .filter(({ roles }) => roles.includes('control-plane'))
    .reduce((sum, group) => sum + group.count, 0);
  return {
    apiVersion: infrastructure.schema.shape.apiVersion.value,
    kind: infrastructure.kind,
    metadata: { name: 'cluster' },
    spec: {
      provider: {
        type: provider,
        ...(providerSettings && {
          [provider]: provider === 'vsphere' ? { ...options, gateway, addresses: splitList(addresses) } : options,
        }),
      },
      ...(network &&
        provider !== 'vsphere' && { externalNetwork: { network, gateway, addresses: splitList(addresses) } }),
      nodeGroups: nodeGroups(answers, groups),
      clusterConfiguration: {
        dnsBaseDomain: domain,
        kubernetesVersion: defaultOf('kubernetesVersion'),
        ...(!hasSdn(provider) && controlPlanes > 1 && { k8sAPIAddress: ipv4.formatAddress(first + 10) }),
        nodeNetwork,
        podNetwork: defaultOf('podNetwork'),
        serviceNetwork: defaultOf('serviceNetwork'),
        cni: defaultOf('cni'),
        kubeProxyMode: defaultOf('kubeProxyMode'),
        modules: [{ name: 'metrics-server' }],
      },
    },
  };
}

function nodeGroups({ provider, hostAddresses }: Answers, groups: readonly Group[]): object[] {
  if (provider !== 'existing') return groups.map((group) => ({ ...group }));
  const addresses = [...hostAddresses];
  return groups.map(({ name, roles, count }) => ({
    name,
    roles,
    hosts: addresses.splice(0, count).map((address, index) => ({ name: `${name}-${index + 1}`, address })),
  }));
}

export function splitList(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function defaultOf(field: string): unknown {
  return schemaAt(kindSchema(infrastructure), ['spec', 'clusterConfiguration', field])?.default;
}

function describeFields(node: Node, schema: Schema, language: Language): void {
  if (isSeq(node)) {
    const [first, ...rest] = node.items as Node[];
    // Entries are alike: the first carries the explanations.
    if (first) describeFields(first, schema.items ?? {}, language);
    for (const item of [first, ...rest]) if (isMap(item)) inlineLists(item);
    return;
  }
  if (!isMap(node)) return;
  for (const { key, value } of node.items) {
    if (!isScalar(key)) continue;
    const child = schema.properties?.[String(key.value)];
    if (child?.notes) key.commentBefore = wrap(child.notes.description[language]);
    if (child && value) describeFields(value as Node, child, language);
  }
}

/** Short lists read better on one line. */
function inlineLists(node: Node): void {
  if (!isMap(node)) return;
  for (const { value } of node.items)
    if (isSeq(value) && value.items.every((item) => isScalar(item))) value.flow = true;
}

function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 90) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(` ${word}`);
  }
  return lines.join('\n');
}
