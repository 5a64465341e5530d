import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modules } from '@nova-platform/api';
import type { KubernetesObject } from '@nova-platform/kubernetes';
import { plan } from '@nova-platform/plan/testing';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { fluxControllers, fluxObjects } from './flux.ts';
import { moduleObjects } from './kustomizations.ts';
import { moduleProxyObjects, moduleProxyPlaces, podProxy } from './proxy.ts';

const authority = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const planned = plan({
  proxy: {
    httpProxy: { server: 'http://proxy.local', port: 3128 },
    noProxy: '.mycompany.local',
    trustedCA: Buffer.from(authority).toString('base64'),
  },
});
const noProxy = planned.proxy?.noProxy.join(',') ?? '';
const proxyWith = (password: string) =>
  podProxy(planned, { HTTP_PROXY: `http://ann:${password}@proxy.local:3128`, NO_PROXY: noProxy });

interface Workload extends KubernetesObject {
  spec: {
    template: {
      metadata: { annotations?: Record<string, string> };
      spec: {
        containers: { env?: { name: string; value?: string }[]; envFrom?: object[]; volumeMounts?: object[] }[];
        volumes?: object[];
      };
    };
  };
}

const secretReference = { name: 'nova-proxy' };
const mount = { name: 'proxy', mountPath: '/etc/nova/proxy', readOnly: true };

describe('Flux', () => {
  const images = fluxControllers.map((name) => ({ name, component: name, version: '1', digest: 'sha256:0' }));
  const release = { version: '1', modules: [], images, flux: [...fluxControllers] };
  const options = { imageRepository: 'hub:5000/nova', zone: 'cluster.local', apiAddress: '10.233.0.1' };
  const objects = (password?: string) =>
    fluxObjects(release, [], { ...options, proxy: password === undefined ? undefined : proxyWith(password) });
  const deployments = (password?: string) =>
    objects(password).filter(({ kind }) => kind === 'Deployment') as unknown as Workload[];

  test('controllers with external connections use the proxy and trust its certificates', () => {
    const others = deployments('word').filter(({ metadata }) => metadata.name !== 'kustomize-controller');
    expect(others).toHaveLength(5);
    for (const { spec } of others) {
      const { containers, volumes } = spec.template.spec;
      expect(containers[0]?.envFrom).toEqual([{ secretRef: secretReference }]);
      expect(containers[0]?.volumeMounts).toContainEqual(mount);
      expect(volumes).toContainEqual({ name: 'proxy', configMap: secretReference });
    }
  });

  test('the controller that builds manifests of teams stays confined', () => {
    const confined = deployments('word').find(({ metadata }) => metadata.name === 'kustomize-controller');
    const [container] = confined?.spec.template.spec.containers ?? [];
    expect(container?.envFrom).toBeUndefined();
    expect(container?.env).toContainEqual({ name: 'HTTPS_PROXY', value: 'http://127.0.0.1:1' });
  });

  test('credentials are only in a Secret', () => {
    const leaking = objects('swordfish').filter((object) => JSON.stringify(object).includes('swordfish'));
    expect(leaking).toEqual([]);
    const secret = objects('swordfish').find(({ kind }) => kind === 'Secret') as unknown as {
      data: { HTTP_PROXY: string };
    };
    expect(atob(secret.data.HTTP_PROXY)).toBe('http://ann:swordfish@proxy.local:3128');
  });

  test('pods are replaced when the proxy changes, and have no proxy if none is declared', () => {
    const digests = [...deployments('one'), ...deployments('other'), ...deployments()].map(
      ({ spec }) => spec.template.metadata.annotations?.['nova-platform.io/proxy'],
    );
    expect(new Set(digests).size).toBe(3);
    expect(JSON.stringify(objects())).not.toContain('nova-proxy');
  });
});

test('pods bypass the proxy for everything that nodes do, and for names of services with a trailing dot', () => {
  const { variables, authorities } = proxyWith('word');
  expect(variables.NO_PROXY?.split(',')).toEqual([...(planned.proxy?.noProxy ?? []), '.cluster.local.']);
  expect(variables.SSL_CERT_DIR).toBe('/etc/nova/proxy');
  expect(authorities).toBe(authority);
});

describe('modules', () => {
  const folder = join(import.meta.dirname, '../../../release/modules');

  test('every workload uses the proxy of its namespace, if it has one', async () => {
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.yaml'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    const workloads = texts
      .flatMap((text) => parseAllDocuments(text).map((each) => each.toJS() as Workload))
      .filter((object) => ['Deployment', 'DaemonSet', 'StatefulSet', 'Job', 'CronJob'].includes(object?.kind));
    expect(workloads.length).toBeGreaterThan(4);
    for (const { metadata, spec } of workloads) {
      const { containers, volumes } = spec.template.spec;
      const optional = { ...secretReference, optional: true };
      expect(containers[0]?.envFrom, metadata.name).toEqual([{ secretRef: optional }]);
      expect(containers[0]?.volumeMounts, metadata.name).toContainEqual(mount);
      expect(volumes, metadata.name).toContainEqual({ name: 'proxy', configMap: optional });
      expect(spec.template.metadata.annotations, metadata.name).toMatchObject({
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Flux substitutes it.
        'nova-platform.io/proxy': '${proxyDigest:=none}',
      });
    }
  });

  test('every namespace with pods of a module gets the proxy before the module is delivered', () => {
    const secrets = moduleProxyObjects(planned, proxyWith('word')).filter(({ kind }) => kind === 'Secret');
    expect(secrets.map(({ metadata }) => metadata.namespace)).toEqual(['nova-storage', 'nova-ingress', 'nova-dns']);
  });

  test('the values of Flux contain the digest of a declared proxy', () => {
    const sources = (declared: typeof planned) => JSON.stringify(moduleObjects(declared, []));
    expect(sources(planned)).toContain('nova-gitops-proxy-substitute-config');
    expect(sources(plan())).not.toContain('nova-gitops-proxy-substitute-config');
  });
});

test('credentials are removed from namespaces whose modules do not use them, and from all without a proxy', () => {
  const secretsIn = (objects: KubernetesObject[]) =>
    objects.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => metadata.namespace);
  expect(secretsIn(moduleProxyPlaces(planned))).toEqual(['kube-system']);
  expect(new Set(secretsIn(moduleProxyPlaces(plan())))).toEqual(new Set(modules.map(({ namespace }) => namespace)));
});
