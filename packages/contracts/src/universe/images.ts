import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';
import { operation } from './operations.ts';

export const imagesContract = {
  listImages: {
    method: 'GET',
    path: '/v1/registry/images',
    summary: 'Images in the registry, with their tags',
    access: 'viewer',
    response: z.object({
      images: z.array(z.object({ repository: z.string(), tag: z.string(), digest: z.string() })),
    }),
  },
  collectImages: {
    method: 'POST',
    path: '/v1/registry/collect',
    summary: 'Starts an operation that deletes unused blobs of the registry',
    access: 'operator',
    response: operation,
  },
} as const satisfies Contract;
