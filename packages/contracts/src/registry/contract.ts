import type { Contract } from '@nova-platform/http/contract';
import { z } from 'zod';

const access = z.object({ url: z.string(), username: z.string(), password: z.string() });
const storageSize = z.object({ blobs: z.int(), bytes: z.int() });

/**
 * The administration API of the registry. It listens on a socket; access to the socket gives access to the whole API.
 */
export const registryContract = {
  access: {
    method: 'GET',
    path: '/v1/access',
    summary: 'The address and the credentials for importing images',
    access: 'anyone',
    response: access,
  },
  size: {
    method: 'GET',
    path: '/v1/size',
    summary: 'The size of the storage, including unfinished uploads, and the free space on its disk',
    access: 'anyone',
    response: z.object({ bytes: z.int(), freeBytes: z.int() }),
  },
  collect: {
    method: 'POST',
    path: '/v1/collect',
    summary: 'Deletes unused blobs; the last line of the response has the freed size',
    access: 'anyone',
    response: z.union([z.object({ line: z.string() }), z.object({ freed: storageSize })]),
    isStream: true,
  },
} as const satisfies Contract;

export type RegistryAccess = z.output<typeof access>;
export type StorageSize = z.output<typeof storageSize>;
