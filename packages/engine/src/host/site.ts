import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { type Problem, ProblemError } from '@nova-platform/api';
import {
  changedAddresses,
  defaultAddresses,
  hostOverlaps,
  type Site,
  type SiteAddresses,
  siteOf,
  siteProblems,
  usualClusterNetworks,
} from '@nova-platform/plan';
import { readSiteFile, siteFile } from '@nova-platform/plan/site-file';
import { writeRecord } from '../files.ts';
import { networkRoot, paths } from '../paths.ts';
import { hostNetworks } from './routes.ts';

/** The site settings that this host was set up with. */
export async function keptSite(): Promise<Site> {
  return siteOf((await keptAddresses()) ?? defaultAddresses);
}

/** A host that an earlier release set up has no record; it uses the default addresses. */
async function keptAddresses(): Promise<SiteAddresses | undefined> {
  const recorded = await readSiteFile(siteFile);
  return recorded ?? (existsSync(networkRoot) ? defaultAddresses : undefined);
}

/**
 * Returns the addresses to use: the recorded ones, otherwise the given ones with defaults. Throws all problems at once.
 */
export async function checkSite(
  given: Partial<SiteAddresses>,
  furtherProblems: (site: Site) => readonly Problem[] | Promise<readonly Problem[]> = () => [],
): Promise<SiteAddresses> {
  const kept = await keptAddresses();
  const changed = kept ? changedAddresses(kept, given) : [];
  if (changed.length > 0) throw new ProblemError(...changed);
  const addresses = kept ?? { ...defaultAddresses, ...given };
  const invalid = siteProblems(addresses, usualClusterNetworks);
  const problems = [
    ...invalid,
    ...hostOverlaps(addresses, await hostNetworks()),
    ...(invalid.length === 0 ? await furtherProblems(siteOf(addresses)) : []),
  ];
  if (problems.length > 0) throw new ProblemError(...problems);
  return addresses;
}

/**
 * Checks and records the addresses. The file is world-readable, because commands of ordinary users on this host read
 * it.
 */
export async function chooseSite(given: Partial<SiteAddresses>): Promise<void> {
  const addresses = await checkSite(given);
  await mkdir(paths.state, { recursive: true, mode: 0o755 });
  await writeRecord(siteFile, addresses);
  await chmod(siteFile, 0o644);
}
