import type { Text } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import {
  buildComponent,
  buildInTurn,
  cacheFolder,
  chooseComponents,
  doingText,
  emptyGoCachesWhenBuilt,
  findToolchain,
  notBuilt,
  readComponents,
} from '@nova-platform/distro';
import type { Step } from '../step.ts';

/** Builds the components that are not in the cache yet. */
export const components = (title: Text, names: readonly string[]): Step => ({
  title,
  run: async (report) => {
    const toolchain = await findToolchain(cacheFolder(), report);
    const missing = await notBuilt(chooseComponents(await readComponents(), names), toolchain);
    if (missing.length === 0) return false;
    await buildInTurn(missing, toolchain, async (component, index) => {
      const of = `${component.name} ${index + 1}/${missing.length}`;
      await buildComponent(component, {
        toolchain,
        onProgress: ({ doing, part, detail = '' }) => {
          const line = (verb: string) => `${of}: ${Math.round(part * 100)}% ${verb} ${detail}`;
          report({ en: line(doingText[doing].en), ru: line(doingText[doing].ru) });
        },
      });
    });
    await emptyGoCachesWhenBuilt(toolchain);
    return true;
  },
});

export const image = (name: string): Step => ({
  title: { en: `image ${name}`, ru: `образ ${name}` },
  run: async (report) => {
    const isBuilt = (await engineClient.images()).some((each) => each.name === name && each.isBuilt);
    if (!isBuilt) await engineClient.buildImage(name, report);
    return !isBuilt;
  },
});
