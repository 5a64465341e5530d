import { readFile } from 'node:fs/promises';
import { loadDocuments, type Problem } from '@nova-platform/api';
import { checkSite } from '@nova-platform/engine';
import { checkClusters, type Site, type SiteAddresses } from '@nova-platform/plan';
import type { Step } from '../step.ts';
import { firstClusterManifest } from './first-cluster.ts';

/** Refuses addresses that do not fit this host or the first cluster, before anything is created. */
export const addresses = (given: Partial<SiteAddresses>, withFirstCluster: boolean): Step => ({
  title: { en: 'addresses', ru: 'адреса' },
  run: async () => {
    await checkSite(given, withFirstCluster ? firstClusterProblems : undefined);
    return false;
  },
});

async function firstClusterProblems(site: Site): Promise<Problem[]> {
  const documents = loadDocuments([{ name: firstClusterManifest, text: await readFile(firstClusterManifest, 'utf8') }]);
  return checkClusters(documents, () => ({ others: [] }), site).problems;
}
