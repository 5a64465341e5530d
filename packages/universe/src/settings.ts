import { readFile } from 'node:fs/promises';
import { formatted } from '@nova-platform/api';
import type { Site } from '@nova-platform/plan';
import { z } from 'zod';
import { defaultLimits } from './limits.ts';

/** The settings of a site. */
const settings = z.strictObject({
  /** The company's DNS servers, which resolve all names outside the platform. */
  nameServers: z.array(formatted('address')).max(15).default([]),
  /** A PostgreSQL database instead of the file in the data folder. */
  postgres: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** The lifetime of every certificate, including those of nodes; at least three minutes. */
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
