import { formatted } from '@nova-platform/api';
import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { moduleView } from './modules.ts';

const release = formatted('release');

export const releasesContract = {
  listReleases: {
    method: 'GET',
    path: '/v1/releases',
    summary: 'Releases of the platform, oldest first; new clusters get the newest one',
    access: 'viewer',
    response: z.object({
      releases: z.array(z.string()),
      newest: z.string().exactOptional(),
      /** Clusters with their releases. */
      clusters: z.array(z.object({ name: z.string(), release: z.string() })),
    }),
  },
  showRelease: {
    method: 'GET',
    path: '/v1/releases/:release',
    summary: 'A release with its modules and images',
    access: 'viewer',
    params: z.object({ release }),
    response: z.object({
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
    summary: 'Imports a release; refuses other content for an existing version',
    // Flux applies the content of a release as cluster-admin.
    access: 'admin',
    params: z.object({ release }),
    body: z.strictObject({ files: z.record(z.string().max(200), z.string().max(1024 * 1024)) }),
    response: z.object({ version: z.string(), commit: z.string() }),
  },
} as const satisfies Contract;
