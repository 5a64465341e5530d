import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatted } from '@nova-platform/api';
import { defaultSite } from '@nova-platform/plan';
import { pino } from 'pino';
import { z } from 'zod';
import { createUniverse } from './universe.ts';

// Universe as a service of its machine. What differs from site to site is in one file; everything else is where the
// image has it.
const settingsFile = '/var/lib/nova/settings.json';

const settings = z.strictObject({
  /** The company's name servers, which answer what is not ours. */
  nameServers: z.array(formatted('address')).max(15).default([]),
  /** A PostgreSQL database instead of the file in the data folder. */
  postgres: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
});

async function readSettings(): Promise<z.output<typeof settings>> {
  try {
    return settings.parse(JSON.parse(await readFile(settingsFile, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return settings.parse({});
    throw new Error(`${settingsFile}: ${(error as Error).message}`);
  }
}

const { nameServers, postgres, logLevel } = await readSettings();
const logger = pino({ level: logLevel });
const universe = await createUniverse({
  data: '/var/lib/nova',
  ...(postgres !== undefined && { store: { kind: 'postgres', url: postgres } }),
  site: defaultSite,
  listen: { host: '0.0.0.0', port: 443 },
  socket: '/run/nova/universe.sock',
  config: { listen: { host: '0.0.0.0', port: 8140 }, socket: '/run/nova/config.sock' },
  registrySocket: '/run/nova/registry.sock',
  resolver: { servers: nameServers, healthPort: 8053 },
  console: join(import.meta.dirname, 'console'),
  logger,
});

// Whoever waits for us in this machine goes on now.
if (process.env.NOTIFY_SOCKET !== undefined) execFile('systemd-notify', ['--ready'], () => undefined);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    logger.info('stopping');
    void universe.close();
  });
}
