import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modules, type ProblemError } from '@nova-platform/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelease, contentDigest, fluxComponents, type PinnedComponent } from './build.ts';
import { readRelease } from './release.ts';
import { emptyReleases } from './testing/releases.ts';

const source = join(import.meta.dirname, '../../../release');
let folder: string;
let components: PinnedComponent[];

/** Components as after a build: their images and CRDs. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-release-'));
  const names = [...fluxComponents, ...modules.flatMap((module) => module.components)];
  components = await Promise.all(
    names.map(async (name, index) => {
      const files = join(folder, name);
      await mkdir(join(files, 'crds'), { recursive: true });
      await writeFile(join(files, 'crds', `${name}.yaml`), `kind: CustomResourceDefinition # ${name}\n`);
      const digest = `sha256:${String(index).padStart(64, 'a')}`;
      return { name, version: `1.${index}.0`, images: [{ name: name.replace(/^flux-/, ''), digest }], files };
    }),
  );
});
afterAll(() => rm(folder, { recursive: true }));

/** The problems of a copy of the release with this damage. */
async function broken(name: string, damage: (copy: string) => Promise<void>): Promise<string[]> {
  const copy = join(folder, name);
  await cp(source, copy, { recursive: true });
  await damage(copy);
  const problems = await buildRelease(copy, '0.1.0', components).then(
    () => [],
    (error: ProblemError) => error.problems,
  );
  return textsOf(problems);
}

function textsOf(problems: ProblemError['problems']): string[] {
  return problems.map(({ params: { file, reason } }) => `${file as string}: ${(reason as { en: string }).en}`);
}

test('the release folder builds a release that describes all its modules', async () => {
  const files = await buildRelease(source, '0.1.0', components);
  const release = readRelease(files);
  expect(release.modules.map(({ name }) => name).toSorted()).toEqual(modules.map(({ name }) => name).toSorted());
  for (const { name, needs, category, version, images } of release.modules) {
    expect({ name, needs, category }).toEqual(
      modules
        .filter((each) => each.name === name)
        .map((each) => ({ name, needs: each.needs, category: each.category }))[0],
    );
    expect(version).toMatch(/^1\./);
    expect(images.length).toBeGreaterThan(0);
  }
  expect(release.flux).toHaveLength(6);
  // Publishing validates the release again.
  await using opened = await emptyReleases();
  await opened.releases.publish('0.1.0', files);
});

test('every image has a tag and a digest, also in manifests embedded in other manifests', async () => {
  const files = await buildRelease(source, '0.1.0', components);
  const { images } = readRelease(files);
  const named = Object.entries(files).flatMap(([path, text]) =>
    path.startsWith('modules/') ? [...text.matchAll(/image: (\S+)/g)].map(([, value]) => value) : [],
  );
  expect(named.length).toBeGreaterThan(4);
  for (const value of named) {
    const [, name, version, digest] =
      /^\$\{imageRepository\}\/([a-z-]+):([\w.-]+)@(sha256:\w{64})$/.exec(value ?? '') ?? [];
    expect(images).toContainEqual(expect.objectContaining({ name, version, digest }));
  }
  expect(named.some((value) => value?.includes('local-path-helper'))).toBe(true);
});

test('the same input gives the same files, and the digest covers everything but the version', async () => {
  const [one, again, later] = await Promise.all(
    ['0.1.0', '0.1.0', '0.2.0'].map((version) => buildRelease(source, version, components)),
  );
  expect(JSON.stringify(again)).toBe(JSON.stringify(one));
  expect(contentDigest(later ?? {})).toBe(contentDigest(one ?? {}));
  const other = components.map((each) => (each.name === 'traefik' ? { ...each, version: '9.9.9' } : each));
  expect(contentDigest(await buildRelease(source, '0.1.0', other))).not.toBe(contentDigest(one ?? {}));
});

test('all problems are reported at once', async () => {
  const problems = await broken('damaged', async (copy) => {
    const place = join(copy, 'modules/metrics-server');
    await writeFile(join(place, 'extra.yaml'), 'kind: Secret\n');
    await writeFile(join(place, 'foreign.yaml'), 'spec:\n  image: docker.io/library/busybox\n');
    await writeFile(join(place, 'unknown.yaml'), `spec:\n  image: \${imageRepository}/nothing\n`);
    await rm(join(place, 'api.yaml'));
    await writeFile(join(place, 'others.yaml'), `spec:\n  image: \${imageRepository}/traefik\n`);
    await mkdir(join(copy, 'modules/empty'));
  });
  expect(problems.toSorted()).toEqual([
    'modules/empty/module.yaml: it is missing',
    `modules/metrics-server/foreign.yaml: the image docker.io/library/busybox does not come from \${imageRepository}`,
    'modules/metrics-server/others.yaml: the image traefik belongs to traefik, which is not a component of the module',
    'modules/metrics-server/unknown.yaml: there is no image nothing',
    'modules/metrics-server: api.yaml is listed in kustomization.yaml but does not exist',
    'modules/metrics-server: extra.yaml contains a secret',
    'modules/metrics-server: extra.yaml is not listed in kustomization.yaml',
    'modules/metrics-server: foreign.yaml is not listed in kustomization.yaml',
    'modules/metrics-server: others.yaml is not listed in kustomization.yaml',
    'modules/metrics-server: unknown.yaml is not listed in kustomization.yaml',
  ]);
});

test('all missing components are reported', async () => {
  const without = components.filter(({ name }) => name !== 'traefik' && name !== 'flux-helm-controller');
  const refusal: unknown = await buildRelease(source, '0.1.0', without).catch((error: unknown) => error);
  expect(textsOf((refusal as ProblemError).problems)).toEqual(
    expect.arrayContaining([
      'modules/ingress/module.yaml: there is no component traefik',
      'modules/ingress/infra.yaml: there is no image traefik',
      'flux/crds: there is no component flux-helm-controller',
    ]),
  );
});

test('manifests use only existing values', async () => {
  const files = await buildRelease(source, '0.1.0', components);
  const common = [
    'imageRepository',
    'dnsBaseDomain',
    'clusterId',
    'infraNodesCount',
    'k8sDefaultDnsZone',
    'controlPlaneTopology',
    'mirrorRepoType',
    'proxyDigest',
  ];
  for (const [path, text] of Object.entries(files)) {
    const [, module = ''] = /^modules\/([^/]+)\//.exec(path) ?? [];
    if (module === '' || path.includes('/crds/')) continue;
    const own = Object.keys(modules.find(({ name }) => name === module)?.values ?? {});
    for (const [, name] of text.matchAll(/\$\{(\w+)/g)) expect([...common, ...own], path).toContain(name);
  }
});
