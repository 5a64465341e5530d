import type { RegistryClient } from '@nova-platform/contracts/registry/client';
import { operation } from '@nova-platform/operations';
import { z } from 'zod';

/** Garbage collection of the registry. */
export const collectImages = (registry: Pick<RegistryClient, 'collect'>) =>
  operation({
    kind: 'registry.collect',
    title: { en: 'Clean up the registry', ru: 'Очистить реестр' },
    input: z.object({}),
    // Not a cluster: names of clusters contain no dot.
    lock: () => 'registry.images',
  }).step('collect', {
    title: { en: 'Delete unused blobs', ru: 'Удалить неиспользуемые блобы' },
    run: ({ log }) => registry.collect(log),
  });
