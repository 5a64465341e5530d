import type { HostFeatures } from '@nova-platform/contracts/engine';
import { dataCenterId, storageDomainId } from '../ids.ts';
import { empty, type Resource, reference } from '../resource.ts';
import { disks } from './disks.ts';
import { storageDomainWord } from './places.ts';
import { templates } from './templates.ts';

/** The disks of machines on the file system of the host. */
export const storageDomains: Resource<HostFeatures, unknown> = {
  path: 'storagedomains',
  element: 'storage_domain',
  elements: 'storage_domains',
  kind: storageDomainWord,
  id: () => storageDomainId,
  list: async (call) => [await call.host()],
  show: ({ disk }) => ({
    name: 'local',
    description: '',
    comment: '',
    type: 'data',
    status: 'active',
    external_status: 'ok',
    master: true,
    available: disk.freeBytes,
    used: disk.totalBytes - disk.freeBytes,
    committed: disk.totalBytes - disk.freeBytes,
    storage_format: 'v5',
    wipe_after_delete: false,
    discard_after_delete: false,
    supports_discard: true,
    backup: false,
    storage: { type: 'localfs' },
    data_center: reference('datacenters', dataCenterId),
    data_centers: { data_center: [reference('datacenters', dataCenterId)] },
  }),
  search: () => ({
    name: () => 'local',
    id: () => storageDomainId,
    status: () => 'active',
    datacenter: () => 'Default',
    type: () => 'data',
  }),
  children: [
    disks,
    { ...templates, children: [] },
    empty('files', 'file', 'files'),
    empty('vms', 'vm', 'vms'),
    empty('diskprofiles', 'disk_profile', 'disk_profiles'),
    empty('permissions', 'permission', 'permissions'),
  ],
};
