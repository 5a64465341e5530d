import type { Text } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import type { UniverseClient } from '@nova-platform/contracts/universe/client';
import type { Builds } from '../builds.ts';
import type { Step } from '../step.ts';

/** Waits until these components are built. */
export const components = (title: Text, builds: Builds, names: readonly string[]): Step => ({
  title,
  run: (report) => builds.wait(names, report),
});

/** The images of VMs, if the first cluster will consist of them: they take a minute to build. */
export const vmImages = (universe: () => UniverseClient): Step => ({
  title: { en: 'images of virtual machines', ru: 'образы виртуальных машин' },
  run: async (report) => {
    if (!(await engineClient.host()).hasKvm) return false;
    if ((await universe().listClusters({ query: {} })).clusters.length > 0) return false;
    const built = [await image('hypervisor').run(report), await image('kubernetes-vm').run(report)];
    return built.includes(true);
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
