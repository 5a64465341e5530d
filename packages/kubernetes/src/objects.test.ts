import { plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import type { KubernetesObject } from './kubernetes-api.ts';
import { clusterObjects } from './objects.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const objects = clusterObjects({ ...plan(), images: { coredns: digest } }, 'hub:5000');
const ofKind = (kind: string) => objects.filter((object) => object.kind === kind);

test('CoreDNS runs the approved image by digest', () => {
  const [deployment] = ofKind('Deployment') as (KubernetesObject & {
    spec: { template: { spec: { containers: { image: string }[] } } };
  })[];
  expect(deployment?.spec.template.spec.containers[0]?.image).toBe(`hub:5000/nova/coredns:1.15.0@${digest}`);
});

test('only administrators are cluster-admin', () => {
  const bindings = ofKind('ClusterRoleBinding') as (KubernetesObject & {
    roleRef: { name: string };
    subjects: { name: string }[];
  })[];
  const admins = bindings.filter(({ roleRef }) => roleRef.name === 'cluster-admin');
  expect(admins.flatMap(({ subjects }) => subjects.map(({ name }) => name))).toEqual(['nova:administrators']);
});

test('every admission policy is enforced and fails closed', () => {
  const policies = ofKind('ValidatingAdmissionPolicy') as (KubernetesObject & { spec: { failurePolicy: string } })[];
  const bindings = ofKind('ValidatingAdmissionPolicyBinding') as (KubernetesObject & {
    spec: { policyName: string; validationActions: string[] };
  })[];
  expect(policies.length).toBeGreaterThan(0);
  for (const { metadata, spec } of policies) {
    expect(spec.failurePolicy).toBe('Fail');
    expect(bindings.map((each) => each.spec)).toContainEqual({
      policyName: metadata.name,
      validationActions: ['Deny'],
    });
  }
});

test('the Service of nova-dns reserves its address if the module is enabled', () => {
  const [service] = ofKind('Service').filter(({ metadata }) => metadata.name === 'nova-dns');
  expect(service?.spec).toMatchObject({ clusterIP: '10.233.63.254' });
  const without = clusterObjects({ ...plan(), modules: [] }, 'hub:5000');
  expect(without.filter(({ metadata }) => metadata.name === 'nova-dns')).toEqual([]);
});

test('viewers have the role view and read nodes, and no rule of theirs covers secrets or writes', () => {
  const bindings = ofKind('ClusterRoleBinding') as (KubernetesObject & {
    roleRef: { name: string };
    subjects: { name: string }[];
  })[];
  const roles = bindings.filter(({ subjects }) => subjects.some(({ name }) => name === 'nova:viewers'));
  expect(roles.map(({ roleRef }) => roleRef.name)).toEqual(['nova:viewer', 'view']);
  const [role] = ofKind('ClusterRole').filter(
    ({ metadata }) => metadata.name === 'nova:viewer',
  ) as (KubernetesObject & {
    rules: { resources: string[]; verbs: string[] }[];
  })[];
  expect(new Set(role?.rules.flatMap(({ verbs }) => verbs))).toEqual(new Set(['get', 'list', 'watch']));
  expect(role?.rules.flatMap(({ resources }) => resources)).toEqual(['nodes', 'persistentvolumes', 'storageclasses']);
});
