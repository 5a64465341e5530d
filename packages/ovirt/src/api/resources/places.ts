import type { Text } from '@nova-platform/api';
import type { Named } from '../accept.ts';
import { clusterId, storageDomainId } from '../ids.ts';
import { notFound } from '../resource.ts';

/** Names of the only ones. */
const clusterName = 'Default';
const storageDomainName = 'local';

export const clusterWord: Text = { en: 'cluster', ru: 'кластер' };
export const storageDomainWord: Text = { en: 'storage domain', ru: 'домен хранения' };

/** Throws unless it is the cluster of this host. */
export function assertCluster({ id, name }: Named): void {
  if (id === undefined ? name !== clusterName : id !== clusterId) throw notFound(clusterWord, id ?? name ?? '');
}

export function assertStorageDomain({ id, name }: Named): void {
  if (id === undefined ? name !== storageDomainName : id !== storageDomainId)
    throw notFound(storageDomainWord, id ?? name ?? '');
}
