import type { Text } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import type { Builds } from '../builds.ts';
import type { Step } from '../step.ts';

/** Waits until these components are built. */
export const components = (title: Text, builds: Builds, names: readonly string[]): Step => ({
  title,
  run: (report) => builds.wait(names, report),
});

export const image = (name: string): Step => ({
  title: { en: `image ${name}`, ru: `образ ${name}` },
  run: async (report) => {
    const isBuilt = (await engineClient.images()).some((each) => each.name === name && each.isBuilt);
    if (!isBuilt) await engineClient.buildImage(name, report);
    return !isBuilt;
  },
});
