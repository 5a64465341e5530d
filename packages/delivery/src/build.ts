import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModuleDeclaration, ProblemError, problem } from '@nova-platform/api';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { fluxControllers } from './flux.ts';
import { readModules } from './module-folders.ts';
import {
  crdFolder,
  moduleFile,
  type ReleasedImage,
  type ReleasedModule,
  type ReleaseFiles,
  releaseFile,
} from './release.ts';

export type { ReleaseFiles };
export { readModules };

/** A built component. */
export interface PinnedComponent {
  name: string;
  version: string;
  images: { name: string; digest: string }[];
  /** The folder with the files from its source. */
  files: string;
}

/** Flux is not a module: Universe installs it from the release. */
export const fluxComponents: readonly string[] = fluxControllers.map((name) => `flux-${name}`);

/** An image in a manifest; the build adds its digest. */
const imageReference = /\$\{imageRepository\}\/([a-z0-9-]+)(?![@a-z0-9-])/g;
const imageField = /^\s*(?:- )?"?image"?: *(\S+)$/gm;
const isPinned = /^"?\$\{imageRepository\}\/[a-z0-9-]+(?::[\w.-]+)?@sha256:[0-9a-f]{64}"?$/;

/** A placeholder for a missing image, so that its absence is reported only once. */
const unknownDigest = `sha256:${'0'.repeat(64)}`;

/**
 * The content of a release: the manifests of `folder`, with images by digest and CRDs of the pinned components. The
 * same input gives the same files. Reports all problems at once. `only` limits the release to these modules.
 */
export async function buildRelease(
  folder: string,
  version: string,
  components: readonly PinnedComponent[],
  only?: readonly string[],
): Promise<ReleaseFiles> {
  const { modules, problems } = await readModules(
    folder,
    components.map(({ name }) => name),
    only,
  );
  const refuse = (file: string, reason: { en: string; ru: string }) =>
    problems.push(problem('NOVA8406', { file, reason }));
  const images = new Map(
    components.flatMap(({ name, version: own, images: all }) =>
      all.map(({ name: image, digest }): [string, ReleasedImage] => [
        image,
        { name: image, component: name, version: own, digest },
      ]),
    ),
  );
  const used = new Set<string>();
  const files: Record<string, string> = {};
  const pinned = (file: string, text: string, { components: declared }: ModuleDeclaration, own: Set<string>) => {
    const result = text.replaceAll(imageReference, (whole, name: string) => {
      const image = images.get(name);
      if (!image) refuse(file, { en: `there is no image ${name}`, ru: `нет образа ${name}` });
      else if (!declared.includes(image.component))
        refuse(file, {
          en: `the image ${name} belongs to ${image.component}, which is not a component of the module`,
          ru: `образ ${name} принадлежит компоненту ${image.component}, которого нет в модуле`,
        });
      own.add(name);
      return image ? `${whole}:${image.version}@${image.digest}` : `${whole}@${unknownDigest}`;
    });
    for (const [, value = ''] of result.matchAll(imageField))
      if (!isPinned.test(value))
        refuse(file, {
          en: `the image ${value} does not come from \${imageRepository}`,
          ru: `образ ${value} не из \${imageRepository}`,
        });
    return result;
  };

  for (const module of modules) {
    const { name, category, needs, description } = module;
    const place = `modules/${name}`;
    const own = new Set<string>();
    const names = (await readdir(join(folder, place))).filter((each) => each.endsWith('.yaml'));
    for (const each of names.toSorted()) {
      const text = await readFile(join(folder, place, each), 'utf8');
      files[`${place}/${each}`] = pinned(`${place}/${each}`, text, module, own);
    }
    for (const { component, from, to } of module.files) {
      const found = components.find((each) => each.name === component);
      if (found) Object.assign(files, await filesIn(join(found.files, from), `${place}/${to}`));
    }
    const descriptor: ReleasedModule = {
      name,
      category,
      version: components.find((each) => each.name === module.components[0])?.version ?? '',
      needs: [...needs],
      description,
      images: [...own].toSorted(),
    };
    files[moduleFile(name)] = stringify(descriptor, { lineWidth: 0 });
    for (const each of own) used.add(each);
    for (const reason of wrongWith(name, files)) refuse(place, reason);
  }

  const flux = fluxComponents.flatMap((name) => {
    const found = components.find((component) => component.name === name);
    if (!found) refuse(crdFolder, { en: `there is no component ${name}`, ru: `нет компонента ${name}` });
    return found ?? [];
  });
  for (const { files: from } of flux) Object.assign(files, await filesIn(join(from, 'crds'), crdFolder));
  const fluxImages = flux.flatMap((component) => component.images.map(({ name }) => name));
  files[releaseFile] = stringify({
    version,
    images: [...new Set([...used, ...fluxImages])].toSorted().flatMap((name) => images.get(name) ?? []),
    flux: fluxImages,
  });
  if (problems.length > 0) throw new ProblemError(...problems);
  return Object.fromEntries(Object.entries(files).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Identifies the content of a release, independent of its version. */
export function contentDigest(files: ReleaseFiles): string {
  const { [releaseFile]: description = '', ...rest } = files;
  const { version: _version, ...described } = parse(description) as { version: string };
  return createHash('sha256')
    .update(JSON.stringify([described, rest]))
    .digest('hex');
}

/** Problems that Flux would find only in a cluster. */
function wrongWith(module: string, files: ReleaseFiles): { en: string; ru: string }[] {
  const place = `modules/${module}/`;
  const own = Object.keys(files)
    .filter((path) => path.startsWith(place))
    .map((path) => path.slice(place.length));
  const { resources = [] } = (parse(files[`${place}kustomization.yaml`] ?? '') ?? {}) as { resources?: string[] };
  const unlisted = own.filter((path) => !['kustomization.yaml', 'module.yaml', ...resources].includes(path));
  const secrets = own.filter((path) =>
    parseAllDocuments(files[place + path] ?? '').some(
      (document) => (document.toJS() as { kind?: string } | null)?.kind === 'Secret',
    ),
  );
  return [
    ...resources
      .filter((path) => !own.includes(path))
      .map((path) => ({
        en: `${path} is listed in kustomization.yaml but does not exist`,
        ru: `файл ${path} указан в kustomization.yaml, но его нет`,
      })),
    ...unlisted.map((path) => ({
      en: `${path} is not listed in kustomization.yaml`,
      ru: `файл ${path} не указан в kustomization.yaml`,
    })),
    ...secrets.map((path) => ({ en: `${path} contains a secret`, ru: `в ${path} есть секрет` })),
  ];
}

async function filesIn(folder: string, target: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).toSorted();
  const read = names.map(
    async (name): Promise<[string, string]> => [`${target}/${name}`, await readFile(join(folder, name), 'utf8')],
  );
  return Object.fromEntries(await Promise.all(read));
}
