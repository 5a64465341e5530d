import type { KubernetesObject } from '@nova-platform/kubernetes';
import { allRoles, plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { factsOf } from './facts.ts';
import { fluxObjects } from './flux.ts';
import { moduleObjects, sourceObjects } from './kustomizations.ts';
import type { Release } from './release.ts';
import { commonValuesOf, moduleValuesOf } from './values.ts';

const site = { clusterId: 'a836c40c-1f77-4c81-a43b-3e69269442d2', imageRepository: 'hub:5000/nova' };
const controllers = [
  'source-controller',
  'kustomize-controller',
  'helm-controller',
  'notification-controller',
  'image-reflector-controller',
  'image-automation-controller',
];
const release: Release = {
  version: '0.1.0',
  modules: [],
  flux: controllers,
  images: controllers.map((name, index) => ({
    name,
    component: `flux-${name}`,
    version: '1.0.0',
    digest: `sha256:${String(index).padStart(64, '0')}`,
  })),
};
const flux = fluxObjects(release, ['kind: CustomResourceDefinition\nmetadata: { name: one }\n'], {
  imageRepository: site.imageRepository,
  zone: 'cluster.local',
  apiAddress: '10.233.0.1',
});

interface PodTemplate {
  spec: { template: { spec: { serviceAccountName: string; containers: { image: string; args: string[] }[] } } };
}

const argsOf = (name: string): string[] => {
  const found = flux.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name);
  return (found as unknown as PodTemplate).spec.template.spec.containers[0]?.args ?? [];
};

test('Flux is six controllers from our own images, each with its own service account', () => {
  const deployments = flux.filter(({ kind }) => kind === 'Deployment') as unknown as (KubernetesObject & PodTemplate)[];
  expect(deployments.map(({ metadata }) => metadata.name)).toEqual(controllers);
  for (const { metadata, spec } of deployments) {
    expect(metadata.namespace).toBe('nova-gitops');
    expect(spec.template.spec.serviceAccountName).toBe(metadata.name);
    expect(spec.template.spec.containers[0]?.image).toMatch(
      new RegExp(`^hub:5000/nova/${metadata.name}:1.0.0@sha256:\\d{64}$`),
    );
  }
});

test('Flux is locked down', () => {
  for (const name of controllers.filter((each) => each !== 'source-controller'))
    expect(argsOf(name), name).toContain('--no-cross-namespace-refs=true');
  for (const name of ['kustomize-controller', 'helm-controller'])
    expect(argsOf(name), name).toContain('--default-service-account=default');
  expect(argsOf('kustomize-controller')).toContain('--no-remote-bases=true');
});

test('only the account of system Kustomizations is cluster-admin, and no controller creates tokens for others', () => {
  const bindings = flux.filter(({ kind }) => kind === 'ClusterRoleBinding') as unknown as {
    roleRef: { name: string };
    subjects: { name: string }[];
  }[];
  const admins = bindings.filter(({ roleRef }) => roleRef.name === 'cluster-admin');
  expect(admins.flatMap(({ subjects }) => subjects.map(({ name }) => name))).toEqual(['kustomize-controller']);
  expect(JSON.stringify(flux)).not.toContain('serviceaccounts/token');
});

test('teams write Flux objects, but neither their status nor their finalizers', () => {
  const role = flux.find(({ metadata }) => metadata.name === 'nova:flux:edit') as unknown as {
    rules: { resources: string[] }[];
  };
  const resources = role.rules.flatMap((rule) => rule.resources);
  expect(resources).toContain('kustomizations');
  expect(resources.filter((each) => /[*/]/.test(each))).toEqual([]);
});

test('every module is one Kustomization with its path, dependencies, values, account and health checks', () => {
  const planned = plan({ config: { modules: [{ name: 'metrics-server' }] } });
  const released = planned.modules.map(({ name, category, needs }) => ({
    name,
    category,
    needs,
    version: '1',
    images: [],
    description: {
      en: '',
      ru: '',
    },
  }));
  const kustomizations = moduleObjects(planned, released).filter(({ kind }) => kind === 'Kustomization');
  expect(kustomizations.map(({ metadata }) => metadata.name)).toEqual([
    'local-path',
    'ingress',
    'nova-dns',
    'metrics-server',
  ]);
  expect(kustomizations[2]?.spec).toEqual({
    interval: '10m',
    retryInterval: '30s',
    timeout: '5m',
    sourceRef: { kind: 'GitRepository', name: 'nova-release-git-main' },
    path: './modules/nova-dns',
    dependsOn: [{ name: 'ingress' }],
    postBuild: {
      substituteFrom: [
        { kind: 'ConfigMap', name: 'nova-gitops-common-substitute-config' },
        { kind: 'ConfigMap', name: 'nova-gitops-nova-dns-substitute-config' },
      ],
    },
    serviceAccountName: 'kustomize-controller',
    prune: true,
    wait: true,
  });
});

test('the source is the tag of a release, with the credentials of Flux', () => {
  const [secret, source] = sourceObjects('0.1.0', { url: 'https://git/release.git', authority: 'PEM', token: 'word' });
  expect(source?.spec).toMatchObject({ interval: '10m', url: 'https://git/release.git', ref: { tag: 'v0.1.0' } });
  expect(secret?.data).toMatchObject({ password: Buffer.from('word').toString('base64') });
});

test('the values for all modules have fixed keys', () => {
  expect(commonValuesOf(plan(), site).data).toEqual({
    clusterId: site.clusterId,
    controlPlaneTopology: 'SingleReplica',
    dnsBaseDomain: 'demo.nova.local',
    imageRepository: 'hub:5000/nova',
    infraNodesCount: '1',
    k8sDefaultDnsZone: 'cluster.local',
    mirrorRepoType: 'universe',
  });
});

test('nodes with both roles share one set of ingress controllers, otherwise each role has its own', () => {
  const classOf = (declared: Parameters<typeof plan>[0]) => {
    const planned = plan(declared);
    const module = planned.modules.find(({ name }) => name === 'ingress');
    return (module && moduleValuesOf(factsOf(planned), module)?.data) as Record<string, string>;
  };
  expect(classOf({})).toEqual({ infraIngressClass: '', infraNginxClass: 'nginx' });
  expect(
    classOf({
      nodeGroups: [
        { name: 'main', roles: allRoles.filter((role) => role !== 'ingress') },
        { name: 'edge', roles: ['ingress'] },
      ],
    }),
  ).toEqual({ infraIngressClass: 'nova-infra', infraNginxClass: 'none' });
});

test('names of applications resolve to ingress nodes that are not infra nodes', () => {
  const planned = plan({
    nodeGroups: [
      { name: 'control-plane', roles: ['control-plane'] },
      { name: 'infra', roles: ['infra'] },
      { name: 'ingress', roles: ['ingress'] },
    ],
  });
  const [infra, ingress] = planned.nodes.slice(1).map(({ externalAddress }) => externalAddress);
  const module = planned.modules.find(({ name }) => name === 'nova-dns');
  const { zone = '' } = (module && (moduleValuesOf(factsOf(planned), module)?.data as Record<string, string>)) ?? {};
  expect(JSON.parse(zone)).toContain(`\n*.demo.nova.local. 60 IN A ${ingress}\n`);
  expect(JSON.parse(zone)).toContain(`\ndemo.nova.local. 60 IN A ${infra}\n`);
  expect(JSON.parse(zone)).toContain('\nnova-console.demo.nova.local. 60 IN CNAME demo.nova.local.\n');
});

test('a value that is a whole field of a manifest stays a string', () => {
  const planned = plan();
  const valuesOf = (name: string) => {
    const module = planned.modules.find((each) => each.name === name);
    return (module && moduleValuesOf(factsOf(planned), module)?.data) as Record<string, string>;
  };
  expect(valuesOf('local-path')).toEqual({ volumesPath: '/var/lib/nova/volumes', isDefaultClass: '"true"' });
  const { zone = '', zoneDigest = '' } = valuesOf('nova-dns');
  expect(JSON.parse(zone)).toContain('\n*.demo.nova.local. 60 IN CNAME demo.nova.local.\n');
  // Without quotes, a digest of digits only would be a number.
  expect(JSON.parse(zoneDigest)).toMatch(/^[0-9a-f]{12}$/);
});
