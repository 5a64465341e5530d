import { formatted } from '@nova-platform/api';
import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { moduleView } from './modules.ts';

const release = formatted('release');

export const releasesContract = {
  listReleases: {
    method: 'GET',
    path: '/v1/releases',
    summary: 'Releases of the platform, the oldest first; new clusters get the newest',
    access: 'viewer',
    answer: z.object({
      releases: z.array(z.string()),
      newest: z.string().exactOptional(),
      /** Which clusters have which. */
      clusters: z.array(z.object({ name: z.string(), release: z.string() })),
    }),
  },
  showRelease: {
    method: 'GET',
    path: '/v1/releases/:release',
    summary: 'What a release contains: modules and images',
    access: 'viewer',
    params: z.object({ release }),
    answer: z.object({
      version: z.string(),
      commit: z.string(),
      modules: z.array(
        moduleView.omit({ state: true, reason: true, repaired: true }).extend({ images: z.array(z.string()) }),
      ),
      images: z.array(z.object({ name: z.string(), component: z.string(), version: z.string(), digest: z.string() })),
      flux: z.array(z.string()),
    }),
  },
  importRelease: {
    method: 'PUT',
    path: '/v1/releases/:release',
    summary: 'Brings a release in; other content under a version that is there is refused',
    // Flux runs what a release holds as an administrator of clusters.
    access: 'admin',
    params: z.object({ release }),
    body: z.strictObject({ files: z.record(z.string().max(200), z.string().max(1024 * 1024)) }),
    answer: z.object({ version: z.string(), commit: z.string() }),
  },
} as const satisfies Contract;
