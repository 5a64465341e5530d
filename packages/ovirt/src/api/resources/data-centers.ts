import { dataCenterId } from '../ids.ts';
import { empty, type Resource } from '../resource.ts';
import { clusters } from './clusters.ts';
import { networks } from './networks.ts';
import { storageDomains } from './storage-domains.ts';

/** One host: one data centre, one cluster, one storage domain. */
export const dataCenters: Resource<{ id: string }, undefined> = {
  path: 'datacenters',
  element: 'data_center',
  elements: 'data_centers',
  kind: { en: 'data center', ru: 'дата-центр' },
  id: ({ id }) => id,
  list: async () => [{ id: dataCenterId }],
  show: () => ({
    name: 'Default',
    description: '',
    comment: '',
    local: true,
    status: 'up',
    quota_mode: 'disabled',
    storage_format: 'v5',
    version: { major: 4, minor: 7 },
    supported_versions: { version: [{ major: 4, minor: 7 }] },
  }),
  search: () => ({
    name: () => 'Default',
    id: () => dataCenterId,
    status: () => 'up',
    cluster: () => 'Default',
    'clusters.name': () => 'Default',
    'storage.name': () => 'local',
  }),
  children: [
    clusters,
    { ...networks, children: [] },
    storageDomains,
    empty('quotas', 'quota', 'quotas'),
    empty('qoss', 'qos', 'qoss'),
    empty('permissions', 'permission', 'permissions'),
  ],
};
