import { approved, clusterOperation } from './operation.ts';
import { api } from './steps/api.ts';
import { approve } from './steps/approve.ts';
import { configureWorkers } from './steps/configure.ts';
import { controlPlanes } from './steps/control-planes.ts';
import { drain } from './steps/drain.ts';
import { flux } from './steps/flux.ts';
import { handOverAndUnlock } from './steps/hand-over.ts';
import { leave } from './steps/leave.ts';
import { lock } from './steps/lock.ts';
import { machines } from './steps/machines.ts';
import { members } from './steps/members.ts';
import { module } from './steps/module.ts';
import { modules } from './steps/modules.ts';
import { network } from './steps/network.ts';
import { objects } from './steps/objects.ts';
import { ready } from './steps/ready.ts';
import { remove } from './steps/remove.ts';
import { resize } from './steps/resize.ts';
import { restart } from './steps/restart.ts';
import { source } from './steps/source.ts';

/** Changes an existing cluster while it serves. */
export const changeCluster = clusterOperation(
  {
    kind: 'cluster.change',
    title: { en: 'Change the cluster', ru: 'Изменить кластер' },
    titleOf: ({ plan: { cluster }, title }) =>
      title ?? { en: `Change ${cluster.name}`, ru: `Изменить ${cluster.name}` },
    input: approved,
  },
  [
    approve, // catalogs and secrets of the nodes
    lock, // of the machines, in the cluster itself
    network, // DNS names, published addresses, load balancer of the API
    machines, // new and stopped ones, all at once
    resize, // running machines
    configureWorkers, // agents apply their catalogs
    { ...members, after: ['resize'] }, // new control planes join etcd
    controlPlanes, // in turn, out of the load balancer
    api, // at its load-balanced address
    objects, // RBAC, CoreDNS, CRDs
    flux, // its controllers
    source, // the release
    modules, // one Kustomization per module
    module, // all at once, each until it is ready
    { ...ready, after: ['configure', 'objects'] }, // while the modules start
    restart, // resizes that need it, in turn
    drain, // nodes that are removed
    leave, // out of etcd, in turn
    remove, // node, machine, identity
    handOverAndUnlock, // documents and machine state into the cluster
  ],
);
