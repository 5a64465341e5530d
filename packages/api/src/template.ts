import { Document, isMap, isScalar, isSeq, type Node } from 'yaml';
import { infrastructure } from './infrastructure.ts';
import type { MachineKind, UsableProvider } from './infrastructure-provider.ts';
import { formatAddress, parseNetwork } from './ipv4.ts';
import { kindSchema, type Schema, schemaAt } from './schema.ts';
import type { Language } from './text.ts';

export type Template = 'single' | 'ha';

export interface Answers {
  provider: UsableProvider;
  /** The host decides without one. */
  machineKind?: MachineKind;
  template: Template;
  domain: string;
  nodeNetwork: string;
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

/** The manifest as text, with a description of every field. */
export function manifestText(answers: Answers, language: Language): string {
  const document = new Document(manifestOf(answers));
  const header = {
    en: ' A Nova cluster. Validate it: `nova-ctl validate`. Show its plan: `nova-ctl plan`.\n Show the description of a field: `nova-ctl explain Infrastructure.<field>`.',
    ru: ' Кластер Nova. Проверить: `nova-ctl validate`. Показать план: `nova-ctl plan`.\n Показать описание поля: `nova-ctl explain Infrastructure.<поле>`.',
  };
  document.commentBefore = header[language];
  const spec = document.getIn(['spec'], true) as Node;
  describeFields(spec, schemaAt(kindSchema(infrastructure), ['spec']) ?? {}, language);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function manifestOf({ provider, machineKind, template, domain, nodeNetwork }: Answers): object {
  return {
    apiVersion: infrastructure.schema.shape.apiVersion.value,
    kind: infrastructure.kind,
    metadata: { name: 'cluster' },
    spec: {
      provider: { type: provider, ...(machineKind && { machineKind }) },
      nodeGroups:
        provider === 'existing' ? withHosts(template, nodeNetwork) : groupsOf[template].map((group) => ({ ...group })),
      clusterConfiguration: {
        dnsBaseDomain: domain,
        kubernetesVersion: defaultOf('kubernetesVersion'),
        ...(provider === 'existing' && template === 'ha' && { k8sAPIAddress: addressIn(nodeNetwork, balancerOffset) }),
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

/** Offsets in the node network, for a user to replace. */
const balancerOffset = 10;
const firstHostOffset = 21;

/** The groups with hosts instead of counts: names and addresses for a user to replace. */
function withHosts(template: Template, nodeNetwork: string): object[] {
  let offset = firstHostOffset;
  return groupsOf[template].map(({ count, ...group }) => ({
    ...group,
    hosts: Array.from({ length: count }, (_, index) => {
      offset += 1;
      return { name: `${group.name}-${index + 1}`, address: addressIn(nodeNetwork, offset - 1) };
    }),
  }));
}

const addressIn = (network: string, offset: number): string => formatAddress(parseNetwork(network).first + offset);

function defaultOf(field: string): unknown {
  return schemaAt(kindSchema(infrastructure), ['spec', 'clusterConfiguration', field])?.default;
}

function describeFields(node: Node, schema: Schema, language: Language): void {
  if (isSeq(node)) {
    const [first, ...rest] = node.items as Node[];
    // All entries have the same fields: only the first gets descriptions.
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

/** Writes lists of scalars on one line. */
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
