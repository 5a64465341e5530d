interface ConsolePage {
  name: string;
  path: string;
  /** The role that it requires. */
  needs?: 'operator' | 'admin';
}

/** Pages of machines and their host, on a site with a host. */
export const hostPages: readonly ConsolePage[] = [
  { name: 'machines', path: '/machines' },
  { name: 'create-machine', path: '/machines/new', needs: 'admin' },
  { name: 'machine', path: '/machines/web' },
  { name: 'machine-stopped', path: '/machines/batch' },
  { name: 'machine-of-cluster', path: '/machines/demo-main-1' },
  { name: 'machine-disks', path: '/machines/web/disks' },
  { name: 'machine-snapshots', path: '/machines/batch/snapshots' },
  { name: 'machine-screen', path: '/machines/web/console', needs: 'operator' },
  { name: 'machine-log', path: '/machines/db/console', needs: 'operator' },
  { name: 'machine-events', path: '/machines/web/events' },
  { name: 'host', path: '/host' },
  { name: 'storage', path: '/storage' },
  { name: 'templates', path: '/templates' },
  { name: 'networks', path: '/networks' },
  { name: 'network', path: '/networks/lab' },
  { name: 'network-machines', path: '/networks/lab/machines' },
  { name: 'network-of-cluster', path: '/networks/demo' },
];

/** All other pages, on a site with the cluster `demo`. */
export const pages: readonly ConsolePage[] = [
  { name: 'overview', path: '/' },
  { name: 'clusters', path: '/clusters' },
  { name: 'create-cluster', path: '/clusters/new', needs: 'operator' },
  { name: 'cluster', path: '/clusters/demo' },
  { name: 'cluster-topology', path: '/clusters/demo/topology' },
  { name: 'cluster-nodes', path: '/clusters/demo/nodes' },
  { name: 'cluster-modules', path: '/clusters/demo/modules' },
  { name: 'cluster-events', path: '/clusters/demo/events' },
  { name: 'cluster-plan', path: '/clusters/demo/plan' },
  { name: 'cluster-certificates', path: '/clusters/demo/certificates' },
  { name: 'cluster-operations', path: '/clusters/demo/operations' },
  { name: 'cluster-documents', path: '/clusters/demo/documents' },
  { name: 'edit-cluster', path: '/clusters/demo/edit', needs: 'operator' },
  { name: 'nodes', path: '/nodes' },
  { name: 'node', path: '/nodes/demo-main-1' },
  { name: 'node-reports', path: '/nodes/demo-main-1/reports' },
  { name: 'node-changes', path: '/nodes/demo-main-1/changes' },
  { name: 'node-catalog', path: '/nodes/demo-main-1/catalog' },
  { name: 'node-facts', path: '/nodes/demo-main-1/facts' },
  { name: 'node-console', path: '/nodes/demo-main-1/console', needs: 'operator' },
  { name: 'operations', path: '/operations' },
  { name: 'operation', path: '/operations/1' },
  { name: 'operation-change', path: '/operations/1/change' },
  { name: 'operation-timeline', path: '/operations/1/timeline' },
  { name: 'operation-log', path: '/operations/1/log' },
  { name: 'releases', path: '/releases' },
  { name: 'release', path: '/releases/0.1.0' },
  { name: 'registry', path: '/registry' },
  { name: 'users', path: '/users', needs: 'admin' },
  { name: 'tokens', path: '/tokens' },
  { name: 'audit', path: '/audit', needs: 'admin' },
  { name: 'nowhere', path: '/nowhere' },
];
