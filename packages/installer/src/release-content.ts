import { join } from 'node:path';
import { type Problem, ProblemError, problem } from '@nova-platform/api';
import { buildRelease, fluxComponents, type ReleaseFiles, readModules } from '@nova-platform/delivery/build';
import { cacheFolder, distroFolder, findBuilt, findToolchain, readComponents } from '@nova-platform/distro';

/** The folder with the manifests of the release that this program belongs to. */
export const releaseFolder = (): string => join(distroFolder(), '..', 'release');

/** The components whose images a release names: those of Flux and of the modules. */
export function releaseComponents(modules: readonly { components: readonly string[] }[]): string[] {
  return [...new Set([...fluxComponents, ...modules.flatMap(({ components }) => components)])];
}

/**
 * The files of a release, from the manifests of a folder and the components that were built here. `only` limits it to
 * these modules.
 */
export async function releaseContent(folder: string, version: string, only?: readonly string[]): Promise<ReleaseFiles> {
  const toolchain = await findToolchain(cacheFolder(), () => undefined);
  const all = await readComponents();
  const { modules, problems } = await readModules(
    folder,
    all.map(({ name }) => name),
    only,
  );
  if (problems.length > 0) throw new ProblemError(...problems);
  const names = releaseComponents(modules);
  const components = all.filter(({ name }) => names.includes(name));
  const found = await Promise.all(
    components.map(async (component) => ({ component, built: await findBuilt(component, toolchain) })),
  );
  const missing = found.flatMap(({ component, built }): Problem[] =>
    built ? [] : [problem('NOVA8214', { component: component.name })],
  );
  if (missing.length > 0) throw new ProblemError(...missing);
  return buildRelease(
    folder,
    version,
    found.flatMap(({ component: { name, version: own }, built }) =>
      built ? [{ name, version: own, images: built.images, files: join(built.folder, 'files') }] : [],
    ),
    only,
  );
}
