import { type AnyResource, empty } from '../resource.ts';
import { permissions, roles, users } from './access.ts';
import { clusters } from './clusters.ts';
import { dataCenters } from './data-centers.ts';
import { disks } from './disks.ts';
import { hosts } from './hosts.ts';
import { events, jobs } from './journal.ts';
import { networks } from './networks.ts';
import { storageDomains } from './storage-domains.ts';
import { tags } from './tags.ts';
import { templates } from './templates.ts';
import { vms } from './vms.ts';
import { vnicProfiles } from './vnic-profiles.ts';

export const resources: readonly AnyResource[] = [
  vms,
  templates,
  disks,
  networks,
  vnicProfiles,
  dataCenters,
  clusters,
  hosts,
  storageDomains,
  tags,
  permissions,
  roles,
  users,
  jobs,
  events,
  // Clients list these; there are none here.
  empty('affinitylabels', 'affinity_label', 'affinity_labels'),
  empty('bookmarks', 'bookmark', 'bookmarks'),
  empty('cpuprofiles', 'cpu_profile', 'cpu_profiles'),
  empty('diskprofiles', 'disk_profile', 'disk_profiles'),
  empty('domains', 'domain', 'domains'),
  empty('externalhostproviders', 'external_host_provider', 'external_host_providers'),
  empty('groups', 'group', 'groups'),
  empty('icons', 'icon', 'icons'),
  empty('imagetransfers', 'image_transfer', 'image_transfers'),
  empty('instancetypes', 'instance_type', 'instance_types'),
  empty('macpools', 'mac_pool', 'mac_pools'),
  empty('networkfilters', 'network_filter', 'network_filters'),
  empty('openstackimageproviders', 'openstack_image_provider', 'openstack_image_providers'),
  empty('openstacknetworkproviders', 'openstack_network_provider', 'openstack_network_providers'),
  empty('operatingsystems', 'operating_system', 'operation_systems'),
  empty('schedulingpolicies', 'scheduling_policy', 'scheduling_policies'),
  empty('storageconnections', 'storage_connection', 'storage_connections'),
  empty('vmpools', 'vm_pool', 'vm_pools'),
];
