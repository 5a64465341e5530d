import { clusterId, dataCenterId } from '../ids.ts';
import { empty, type Resource, reference } from '../resource.ts';
import { affinityGroups } from './affinity-groups.ts';
import { networks } from './networks.ts';
import { clusterWord } from './places.ts';

export const clusters: Resource<{ id: string }, unknown> = {
  path: 'clusters',
  element: 'cluster',
  elements: 'clusters',
  kind: clusterWord,
  id: ({ id }) => id,
  list: async () => [{ id: clusterId }],
  show: () => ({
    name: 'Default',
    description: '',
    comment: '',
    cpu: { architecture: 'x86_64', type: '' },
    version: { major: 4, minor: 7 },
    data_center: reference('datacenters', dataCenterId),
    ballooning_enabled: false,
    gluster_service: false,
    virt_service: true,
    ha_reservation: false,
    switch_type: 'ovs',
    memory_policy: { over_commit: { percent: 100 } },
  }),
  search: () => ({
    name: () => 'Default',
    id: () => clusterId,
    datacenter: () => 'Default',
    'datacenter.name': () => 'Default',
    'hosts.name': () => 'host',
  }),
  children: [
    { ...networks, children: [] },
    affinityGroups,
    empty('cpuprofiles', 'cpu_profile', 'cpu_profiles'),
    empty('permissions', 'permission', 'permissions'),
    empty('glustervolumes', 'gluster_volume', 'gluster_volumes'),
  ],
};
