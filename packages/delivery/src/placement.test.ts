import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { groupsOf } from '@nova-platform/api';
import type { PlannedNode } from '@nova-platform/plan';
import { type Group, plan } from '@nova-platform/plan/testing';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { fluxControllers, fluxObjects } from './flux.ts';

/** The constraints of the scheduler for the pods of a workload. */
interface Workload {
  kind: string;
  metadata: { name: string };
  spec: { template: { spec: PodSpec } };
}

interface PodSpec {
  nodeSelector?: Record<string, string>;
  tolerations?: { key?: string; operator: string; effect?: string }[];
  affinity?: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: { matchExpressions: { key: string; operator: string }[] }[];
      };
    };
  };
}

const modules = join(import.meta.dirname, '../../../release/modules');

async function moduleWorkloads(): Promise<Workload[]> {
  const names = (await readdir(modules, { recursive: true })).filter((name) => name.endsWith('.yaml'));
  const texts = await Promise.all(names.map((name) => readFile(join(modules, name), 'utf8')));
  const objects = texts.flatMap((text) => parseAllDocuments(text).map((each) => each.toJS() as Workload | null));
  return objects.flatMap((object) => (object && ['Deployment', 'DaemonSet'].includes(object.kind) ? [object] : []));
}

function fluxWorkloads(): Workload[] {
  const images = fluxControllers.map((name) => ({ name, component: name, version: '1', digest: 'sha256:0' }));
  const release = { version: '1', modules: [], images, flux: [...fluxControllers] };
  const options = { imageRepository: 'hub:5000/nova', zone: 'cluster.local', apiAddress: '10.233.0.1' };
  return fluxObjects(release, [], options).filter(({ kind }) => kind === 'Deployment') as unknown as Workload[];
}

function canRunOn(
  { nodeSelector = {}, tolerations = [], affinity }: PodSpec,
  { labels, taints }: PlannedNode,
): boolean {
  const [term] = affinity?.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms ?? [];
  return (
    Object.entries(nodeSelector).every(([key, value]) => labels[key] === value) &&
    (term?.matchExpressions ?? []).every(
      ({ key, operator }) => (operator === 'Exists') === Object.hasOwn(labels, key),
    ) &&
    taints.every((taint) => tolerations.some(({ key, effect }) => key === taint.key && effect === taint.effect))
  );
}

const separate: Group[] = [
  { name: 'control-plane', roles: ['control-plane'], count: 3 },
  { name: 'infra', roles: ['infra'], count: 2 },
  { name: 'ingress', roles: ['ingress'], count: 2 },
  { name: 'worker', roles: ['worker'], count: 2 },
];

describe.each([
  ['the template ha', groupsOf.ha as Group[]],
  ['separate nodes for every role', separate],
])('with %s', (_, nodeGroups) => {
  const { nodes } = plan({ nodeGroups });
  const nodesFor = ({ spec }: Workload) => nodes.filter((node) => canRunOn(spec.template.spec, node));

  test('platform services run on infra nodes', async () => {
    const workloads = [...(await moduleWorkloads()), ...fluxWorkloads()];
    expect(workloads).toHaveLength(11);
    const infra = nodes.filter(({ roles }) => roles.includes('infra'));
    for (const workload of workloads.filter(({ metadata }) => metadata.name !== 'traefik-ingress'))
      expect(nodesFor(workload), workload.metadata.name).toEqual(infra);
  });

  test('ingress controllers of applications run on the ingress nodes that are not infra nodes', async () => {
    const controller = (await moduleWorkloads()).find(({ metadata }) => metadata.name === 'traefik-ingress');
    const ingress = nodes.filter(({ roles }) => roles.includes('ingress') && !roles.includes('infra'));
    expect(controller && nodesFor(controller)).toEqual(ingress);
  });
});
