import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { importLayout, type RegistryAccess, RegistryWriter } from '@nova-platform/contracts/registry/client';
import type { UniverseClient } from '@nova-platform/contracts/universe/client';
import { contentDigest } from '@nova-platform/delivery/build';
import { cacheFolder, chooseComponents, findBuilt, findToolchain, readComponents } from '@nova-platform/distro';
import { releaseContent, releaseFolder } from '../release-content.ts';
import type { Step } from '../step.ts';

/** Imports the images that nodes of clusters pull. */
export const registryImages = (access: () => Promise<RegistryAccess>, names: readonly string[]): Step => ({
  title: { en: 'images in the registry', ru: 'образы в реестре' },
  run: async (report) => {
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
  },
});

/** Imports the release of this program. A checkout that changed since gets a version of its own. */
export const platformRelease = (client: () => UniverseClient, release: string): Step => ({
  title: { en: 'release', ru: 'выпуск' },
  run: async () => {
    const folder = releaseFolder();
    const { releases } = await client().listReleases({});
    const send = async (version: string) => {
      const files = await releaseContent(folder, version);
      await client().importRelease({ params: { release: version }, body: { files } });
      return !releases.includes(version);
    };
    try {
      return await send(release);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problems[0]?.code !== 'NOVA8405') throw error;
      return send(`${release}-${contentDigest(await releaseContent(folder, release)).slice(0, 8)}`);
    }
  },
});
