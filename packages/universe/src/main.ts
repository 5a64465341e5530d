import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { defaultAddresses, siteOf } from '@nova-platform/plan';
import { readSiteFile, universeSiteFile } from '@nova-platform/plan/site-file';
import { addToMirror } from '@nova-platform/terraform-provider-ovirt';
import { pino } from 'pino';
import { readSettings, withLifetimes } from './settings.ts';
import { createUniverse } from './universe.ts';

// Universe as a service of its machine. One file has the settings of the site; everything else is at fixed places of
// the image.
const data = '/var/lib/nova/universe';
const settings = await readSettings(join(data, 'settings.json'));
const site = siteOf((await readSiteFile(universeSiteFile)) ?? defaultAddresses);
const { nameServers, postgres, limits, logLevel } = settings;
const logger = pino({ level: logLevel });
const universe = await createUniverse({
  data,
  ...(postgres !== undefined && { store: { kind: 'postgres', url: postgres } }),
  site: withLifetimes(site, settings),
  listen: { host: '0.0.0.0', port: 443 },
  socket: '/run/nova/universe.sock',
  config: {
    listen: { host: '0.0.0.0', port: 8140 },
    socket: '/run/nova/config.sock',
    registrySocket: '/run/nova-config/registry.sock',
  },
  registrySocket: '/run/nova-registry/registry.sock',
  git: { folder: '/var/lib/nova/git', socket: '/run/nova-git/git.sock' },
  resolver: { corefile: '/var/lib/nova/resolver/Corefile', servers: nameServers, healthPort: 8053 },
  tofu: await tofuFolders(),
  limits,
  console: join(import.meta.dirname, 'console'),
  logger,
});

/** The provider goes into a mirror, the only place where OpenTofu looks. Work folders are in memory: they hold secrets. */
async function tofuFolders() {
  const { NOVA_TOFU: program } = process.env;
  if (program === undefined) return undefined;
  const providers = join(data, 'providers');
  const bundle = join(import.meta.dirname, 'terraform-provider-ovirt.cjs');
  await addToMirror(providers, { bundle, node: process.execPath });
  return { program, providers, folder: '/run/nova/tofu' };
}

// Dependent services of this machine start now.
if (process.env.NOTIFY_SOCKET !== undefined) execFile('systemd-notify', ['--ready'], () => undefined);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    logger.info('stopping');
    void universe.close();
  });
}
