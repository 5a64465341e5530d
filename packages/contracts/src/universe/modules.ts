import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { declared, digest, preview } from './clusters.ts';
import { clusterParams, name, text, time } from './common.ts';

export const moduleView = z.object({
  name: z.string(),
  category: z.enum(['base', 'additional']),
  version: z.string(),
  needs: z.array(z.string()),
  description: text,
  /** `off` if the module is not declared, `unknown` while the API does not respond. */
  state: z.enum(['ready', 'waiting', 'failed', 'leaving', 'off', 'unknown']),
  /** What the module waits for, or why it failed. Texts of Flux and Kubernetes are in English only. */
  reason: z.union([z.string(), text]).exactOptional(),
  /** Drift that Flux has corrected. */
  repaired: z.object({ at: time, objects: z.array(z.string()) }).exactOptional(),
});
const moduleChanges = z.record(name, z.boolean());

export const modulesContract = {
  listModules: {
    method: 'GET',
    path: '/v1/clusters/:cluster/modules',
    summary: "The modules of a cluster's release, and their states",
    access: 'viewer',
    params: clusterParams,
    response: z.object({ release: z.string(), modules: z.array(moduleView) }),
  },
  previewModules: {
    method: 'POST',
    path: '/v1/clusters/:cluster/modules/preview',
    summary: 'Previews the changes of enabling and disabling modules; changes nothing',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ modules: moduleChanges }),
    response: preview,
  },
  changeModules: {
    method: 'POST',
    path: '/v1/clusters/:cluster/modules',
    summary: 'Enables and disables modules, and starts the operation that applies it',
    access: 'operator',
    params: clusterParams,
    body: z.strictObject({ modules: moduleChanges, digest }),
    response: declared,
  },
} as const satisfies Contract;
