import { basename } from 'node:path';
import type { CheckedImage, Image } from '@nova-platform/contracts/engine';
import { buildLayers, listImages } from './build.ts';
import { type Check, checkedImages, checkLayers, compareLayers } from './check.ts';
import { readGenerations, whileNoUpdate, writeGenerations } from './generations.ts';

/**
 * Rebuilds every image with outdated packages, and the images on top of it. The new images replace the old ones when
 * all of them are complete; existing machines keep their old images.
 */
export async function updateImages(progress: (line: string) => void): Promise<CheckedImage[]> {
  return whileNoUpdate(
    async () => {
      const check = await checkLayers(progress);
      const built = (await listImages()).filter(({ isBuilt, isTemplate }) => isBuilt && !isTemplate);
      const outdated = outdatedLayers(built, check);
      if (outdated.length === 0) return [];
      const now = new Date().toISOString();
      const generations = { ...(await readGenerations()), ...Object.fromEntries(outdated.map((name) => [name, now])) };
      for (const { name } of built) await buildLayers(name, generations, progress);
      await writeGenerations(generations);
      await compareLayers(check.missing);
      const digests = new Set(built.map(({ digest }) => digest));
      return (await checkedImages()).filter(({ isBuilt, digest }) => isBuilt && !digests.has(digest));
    },
    () => progress('waiting for another check or update'),
  );
}

/**
 * Names of recipes whose own packages are outdated. Outdated packages of a layer below are reported for that layer
 * only.
 */
export function outdatedLayers(
  images: readonly Pick<Image, 'name' | 'layers'>[],
  { layers }: Pick<Check, 'layers'>,
): string[] {
  return images.flatMap(({ name, layers: stack }) => {
    const [own, ...below] = stack.map((layer) => layers[basename(layer)]);
    const known = new Set(below.find((each) => each !== undefined)?.map((each) => each.name));
    return own?.some((each) => !known.has(each.name)) ? [name] : [];
  });
}
