import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModuleDeclaration, moduleOf, modules, systemNamespaces } from '@nova-platform/api';
import { isTenantName } from '@nova-platform/delivery';
import { buildRelease, fluxComponents, readModules } from '@nova-platform/delivery/build';
import { readComponents } from '@nova-platform/distro';
import type { KubernetesObject } from '@nova-platform/kubernetes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { planFacts } from '../packages/api/src/module-values.ts';
import { admission } from '../packages/catalog/src/pieces/kubernetes/policies.ts';
import { readRelease } from '../packages/delivery/src/release.ts';
import { admissionPolicies } from '../packages/kubernetes/src/admission-policies.ts';
import { moduleTable } from './module-table.ts';
import { modulesPage } from './reference.ts';

const root = join(import.meta.dirname, '..');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-module-'));
  await cp(join(root, 'release'), join(folder, 'release'), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true }));

const added = {
  'module.yaml': `category: additional
description: { en: Answers., ru: Отвечает. }
needs: [ingress]
namespace: nova-echo
components: [nettest]
settings:
  replicas:
    type: integer
    minimum: 1
    default: 2
    description: { en: How many pods run., ru: Сколько подов работает. }
values:
  replicas: \${settings.replicas}
`,
  'kustomization.yaml': 'namespace: nova-echo\nresources: [server.yaml]\n',
  'server.yaml': 'spec:\n  image: ${' + 'imageRepository}/nettest\n',
};

test('a new module needs only its folder: the table, the reference and the release include it', async () => {
  const release = join(folder, 'release');
  const place = join(release, 'modules/echo');
  await mkdir(place);
  for (const [name, text] of Object.entries(added)) await writeFile(join(place, name), text);

  const components = (await readComponents()).map(({ name }) => name);
  const { modules: declared, problems } = await readModules(release, components);
  expect(problems).toEqual([]);
  const file = join(folder, 'module-table.ts');
  await writeFile(file, moduleTable(declared));
  const table = ((await import(file)) as { moduleTable: readonly ModuleDeclaration[] }).moduleTable.map(moduleOf);
  expect(table).toHaveLength(modules.length + 1);
  const echo = table.find(({ name }) => name === 'echo');
  expect(echo).toMatchObject({ namespace: 'nova-echo', components: ['nettest'], needs: ['ingress'] });
  expect(echo?.settings.parse({})).toEqual({ replicas: 2 });
  expect(modulesPage(table, 'ru')).toContain('| `replicas` |');

  const files = join(folder, 'files');
  await mkdir(join(files, 'crds'), { recursive: true });
  await writeFile(join(files, 'crds/traefik.yaml'), 'kind: CustomResourceDefinition\n');
  const names = new Set([...fluxComponents, ...declared.flatMap((module) => module.components)]);
  const built = [...names].map((name) => ({
    name,
    version: '1.0.0',
    images: [{ name: name.replace(/^flux-/, ''), digest: `sha256:${'a'.repeat(64)}` }],
    files,
  }));
  const { modules: released } = readRelease(await buildRelease(release, '0.1.0', built));
  expect(released.find(({ name }) => name === 'echo')).toMatchObject({ version: '1.0.0', images: ['nettest'] });
});

test('every list of platform namespaces includes those of all modules', () => {
  for (const { name, namespace } of modules) expect(systemNamespaces, name).toContain(namespace);
  const { plugins } = parse(admission) as { plugins: { configuration: { exemptions?: { namespaces: string[] } } }[] };
  expect(plugins[0]?.configuration.exemptions?.namespaces).toEqual(systemNamespaces);
  // Admission denies operators access by these prefixes, and team names cannot have them.
  const policy = admissionPolicies().find(({ metadata }) => metadata.name === 'nova-platform-namespaces');
  expect(JSON.stringify(policy)).toContain(`startsWith('kube-') && !variables.place.startsWith('nova-')`);
  for (const namespace of systemNamespaces) {
    expect(namespace).toMatch(/^(kube|nova)-/);
    expect(isTenantName(namespace)).toBe(false);
  }
});

test('what Universe creates for a module is what its manifests contain', async () => {
  for (const { name, reservedService, certificateSecret } of modules) {
    const place = join(root, 'release/modules', name);
    const { resources } = parse(await readFile(join(place, 'kustomization.yaml'), 'utf8')) as { resources: string[] };
    const own = resources.filter((file) => !file.startsWith('crds/'));
    const texts = await Promise.all(own.map((file) => readFile(join(place, file), 'utf8')));
    if (reservedService) {
      const objects = texts.flatMap((text) =>
        parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject),
      );
      const { name: service, selector, ports } = reservedService;
      expect(objects).toContainEqual(
        expect.objectContaining({
          kind: 'Service',
          metadata: { name: service },
          spec: { clusterIP: expect.any(String), selector, ports },
        }),
      );
    }
    if (certificateSecret !== undefined) expect(texts.join('\n')).toContain(`secretName: ${certificateSecret}\n`);
  }
});

test('the documentation lists every plan fact that modules can use', async () => {
  const page = await readFile(join(root, 'docs/delivery.md'), 'utf8');
  const listed = Array.from(page.matchAll(/^\| `plan\.(\w+)`/gm), ([, name = '']) => name);
  expect(listed.toSorted()).toEqual(Object.keys(planFacts).toSorted());
});
