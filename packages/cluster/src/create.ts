import { approved, clusterOperation } from './operation.ts';
import { api } from './steps/api.ts';
import { approve } from './steps/approve.ts';
import { configureAll } from './steps/configure.ts';
import { flux } from './steps/flux.ts';
import { handOver } from './steps/hand-over.ts';
import { initialMembers } from './steps/initial-members.ts';
import { newMachines } from './steps/machines.ts';
import { module } from './steps/module.ts';
import { modules } from './steps/modules.ts';
import { newNetwork } from './steps/network.ts';
import { newObjects } from './steps/objects.ts';
import { ready } from './steps/ready.ts';
import { remove } from './steps/remove.ts';
import { resize } from './steps/resize.ts';
import { restart } from './steps/restart.ts';
import { source } from './steps/source.ts';

/** Creates a cluster, or completes the creation of one whose API has never responded. */
export const createCluster = clusterOperation(
  {
    kind: 'cluster.create',
    title: { en: 'Create the cluster', ru: 'Создать кластер' },
    titleOf: ({ plan: { cluster } }) => ({ en: `Create ${cluster.name}`, ru: `Создать ${cluster.name}` }),
    input: approved,
  },
  [
    initialMembers, // of etcd; control planes of an earlier attempt with other members are removed
    approve, // catalogs and secrets of the nodes
    { ...newNetwork, after: ['initial-members'] }, // router, SNAT, transit link, DNS names, load balancer of the API
    { ...newMachines, after: ['approve', 'network'] }, // one for every node, all at once
    resize, // machines of an earlier attempt
    configureAll, // agents apply their catalogs
    { ...api, after: ['resize'] }, // while the agents run
    { ...newObjects, after: ['resize'] }, // RBAC, CoreDNS, CRDs, as soon as the API responds
    { ...flux, after: ['api', 'objects'] }, // its controllers
    source, // the release
    modules, // one Kustomization per module
    module, // all at once, each until it is ready
    { ...ready, after: ['configure', 'api', 'objects'] }, // while the modules start
    restart, // machines of an earlier attempt, in turn
    remove, // machines of an earlier attempt
    handOver, // documents and machine state into the cluster
  ],
);
