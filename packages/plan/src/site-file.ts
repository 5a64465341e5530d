import { readFile } from 'node:fs/promises';
import { type SiteAddresses, siteAddresses } from './site.ts';

/** The file in which a host keeps the addresses that were chosen at its setup. */
export const siteFile = '/var/lib/nova/site.json';
/** The same file in Universe's machine, written when the machine is created. */
export const universeSiteFile = '/etc/nova/site.json';

/** The addresses of such a file; undefined if it does not exist or cannot be read by this user. */
export async function readSiteFile(file: string): Promise<SiteAddresses | undefined> {
  try {
    return siteAddresses.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (['ENOENT', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}
