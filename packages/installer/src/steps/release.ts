import { join } from 'node:path';
import { modules, ProblemError, problem } from '@nova-platform/api';
import { importLayout, type RegistryAccess, RegistryWriter } from '@nova-platform/contracts/registry/client';
import type { UniverseClient } from '@nova-platform/contracts/universe/client';
import { contentDigest, fluxComponents } from '@nova-platform/delivery/build';
import { cacheFolder, chooseComponents, findBuilt, findToolchain, readComponents } from '@nova-platform/distro';
import type { Builds } from '../builds.ts';
import { releaseComponents, releaseContent, releaseFolder } from '../release-content.ts';
import type { Available } from '../staged.ts';
import type { Report, Step } from '../step.ts';

export interface Publishing {
  builds: Builds;
  universe: () => UniverseClient;
  registry: () => Promise<RegistryAccess>;
  /** The version of the release that this program belongs to. */
  release: string;
}

/** Imports the images that nodes of clusters pull. */
export const registryImages = ({ registry }: Publishing, names: readonly string[]): Step => ({
  title: { en: 'images in the registry', ru: 'образы в реестре' },
  run: (report) => importImages(registry, names, report),
});

/** Imports the release of this program, with the modules that can be delivered now. */
export const platformRelease = (publishing: Publishing): Step => ({
  title: { en: 'release', ru: 'выпуск' },
  run: async (report) => (await publish(publishing, report)).isChanged,
});

/** Imports images and release of all modules whose programs are built. */
export async function publish(
  { builds, universe, registry, release }: Publishing,
  report: Report,
): Promise<Available & { isChanged: boolean }> {
  const available = deliverable(builds);
  const isComplete = available.length === modules.length;
  const names = available.map(({ name }) => name);
  if (!fluxComponents.every((name) => builds.isBuilt(name)))
    return { modules: names, isComplete: false, isChanged: false };
  const isImported = await importImages(registry, releaseComponents(available), report);
  const { version, isNew } = await importRelease(universe(), release, isComplete ? undefined : names);
  return { release: version, modules: names, isComplete, isChanged: isImported || isNew };
}

/** The modules whose programs, and those of the modules that they need, are built. */
function deliverable(builds: Builds): (typeof modules)[number][] {
  if (!fluxComponents.every((name) => builds.isBuilt(name))) return [];
  const found = new Set<string>();
  return modules.filter(({ name, components, needs }) => {
    const isDeliverable =
      components.every((component) => builds.isBuilt(component)) && needs.every((need) => found.has(need));
    if (isDeliverable) found.add(name);
    return isDeliverable;
  });
}

async function importImages(
  access: () => Promise<RegistryAccess>,
  names: readonly string[],
  report: Report,
): Promise<boolean> {
  const toolchain = await findToolchain(cacheFolder(), report);
  const writer = new RegistryWriter(await access());
  let isChanged = false;
  for (const component of chooseComponents(await readComponents(), names)) {
    const built = await findBuilt(component, toolchain);
    if (!built) throw new ProblemError(problem('NOVA8214', { component: component.name }));
    const sent = await importLayout(join(built.folder, 'images'), 'nova', writer, report);
    isChanged ||= sent.some((image) => image.sent > 0);
  }
  return isChanged;
}

/** A release with only some modules, or of a checkout that has changed since, gets a version of its own. */
async function importRelease(
  client: UniverseClient,
  release: string,
  only: readonly string[] | undefined,
): Promise<{ version: string; isNew: boolean }> {
  const folder = releaseFolder();
  const { releases } = await client.listReleases({});
  const send = async (version: string) => {
    const files = await releaseContent(folder, version, only);
    await client.importRelease({ params: { release: version }, body: { files } });
    return { version, isNew: !releases.includes(version) };
  };
  const sendApart = async () =>
    send(`${release}-${contentDigest(await releaseContent(folder, release, only)).slice(0, 8)}`);
  if (only) return sendApart();
  try {
    return await send(release);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problems[0]?.code !== 'NOVA8405') throw error;
    return sendApart();
  }
}
