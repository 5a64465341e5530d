import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ovirtFolder, ovirtPort, ovirtSocket } from '@nova-platform/contracts/ovirt';
import { defaultAddresses, siteOf } from '@nova-platform/plan';
import { readSiteFile, siteFile } from '@nova-platform/plan/site-file';
import { pino } from 'pino';
import { startOvirt } from './server.ts';

const site = siteOf((await readSiteFile(siteFile)) ?? defaultAddresses);
const logger = pino();
const ovirt = await startOvirt({
  folder: ovirtFolder,
  listen: { host: site.external.gateway, port: ovirtPort },
  socket: ovirtSocket,
  version: (await readFile(join(import.meta.dirname, 'version'), 'utf8').catch(() => 'sources')).trim(),
  logger,
});
let isStopping = false;
ovirt.served.catch((error: unknown) => {
  if (isStopping) return;
  logger.fatal({ err: error }, 'the API cannot be served');
  process.exit(1);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isStopping = true;
    logger.info('stopping');
    void ovirt.close().then(() => process.exit(0));
  });
}
