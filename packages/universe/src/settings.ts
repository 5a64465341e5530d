import { readFile } from 'node:fs/promises';
import { formatted } from '@nova-platform/api';
import type { Site } from '@nova-platform/plan';
import { z } from 'zod';
import { defaultLimits } from './limits.ts';

/** What differs from site to site. */
const settings = z.strictObject({
  /** The company's name servers, which answer what is not ours. */
  nameServers: z.array(formatted('address')).max(15).default([]),
  /** A PostgreSQL database instead of the file in the data folder. */
  postgres: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** How long every certificate is good, those by which nodes are known as well; three minutes are the least. */
  certificateHours: z
    .number()
    .min(0.05)
    .max(10 * 365 * 24)
    .optional(),
  limits: z
    .strictObject({
      /** Nodes of all clusters. */
      nodes: z.int().min(1).max(100_000).default(defaultLimits.nodes),
      /** All images of the registry. */
      registryBytes: z.int().min(0).default(defaultLimits.registryBytes),
    })
    .prefault({}),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
});

export type Settings = z.output<typeof settings>;

export async function readSettings(file: string): Promise<Settings> {
  try {
    return settings.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return settings.parse({});
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}

export function withLifetimes(site: Site, { certificateHours }: Settings): Site {
  return certificateHours === undefined ? site : { ...site, certificateHours, identityHours: certificateHours };
}
