import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { configuration, isLoggedOut, type ListedNode, Refused, universe } from './client.ts';

const pageSize = 500;
const second = 1000;

export const keys = {
  whoami: ['whoami'],
  status: ['status'],
  capacity: ['capacity'],
  clusters: ['clusters'],
  // Outdated whenever the clusters are.
  networks: ['clusters', 'networks'],
  operations: ['operations'],
  images: ['images'],
  releases: ['releases'],
  users: ['users'],
  tokens: ['tokens'],
  nodes: ['nodes'],
  machines: ['machines'],
  machineImages: ['machine-images'],
  hostNetworks: ['host-networks'],
  host: ['host'],
  disks: ['disks'],
  cluster: (name: string) => ['cluster', name],
  operation: (id: number) => ['operation', id],
  operationChange: (id: number) => ['operation-change', id],
  node: (name: string) => ['node', name],
  machine: (name: string) => ['machines', name],
  hostNetwork: (name: string) => ['host-networks', name],
} as const;

/** An unreachable server is retried until it responds; a refused request is not retried. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isLoggedOut(error)) client.setQueryData(keys.whoami, null);
      },
    }),
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: 5 * second,
        retry: (_count, error) => !(error instanceof Refused),
        retryDelay: (count) => Math.min(500 * 2 ** count, 5 * second),
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}

/** Removes cached responses that no mounted component uses. */
export function forgetUnused(client: QueryClient): void {
  client.removeQueries({ type: 'inactive' });
}

/** A refusal because another service is unreachable is data too: it stays on the page while it is refetched. */
async function orRefusal<T>(request: Promise<T>): Promise<{ value?: T; refusal?: Refused }> {
  try {
    return { value: await request };
  } catch (error) {
    if (!(error instanceof Refused) || isLoggedOut(error)) throw error;
    return { refusal: error };
  }
}

export const whoamiQuery = queryOptions({
  queryKey: keys.whoami,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => {
    try {
      return await universe.whoami({});
    } catch (error) {
      if (isLoggedOut(error)) return null;
      throw error;
    }
  },
});

export const statusQuery = queryOptions({
  queryKey: keys.status,
  queryFn: () => universe.status({}),
  refetchInterval: 30 * second,
});

export const capacityQuery = queryOptions({
  queryKey: keys.capacity,
  queryFn: () => universe.capacity({}),
  retry: false,
  refetchInterval: 30 * second,
});

/** The networks that a new cluster cannot use. */
export const networksQuery = queryOptions({
  queryKey: keys.networks,
  queryFn: async () => {
    const [{ externalNetwork, integrationNetwork, transitNetwork }, plans] = await Promise.all([
      universe.site({}),
      configuration.listPlans({}),
    ]);
    // A plan that this release cannot read has no known networks.
    const nodeNetworks = plans.flatMap((plan) =>
      'declared' in plan ? [plan.declared.clusterConfiguration.nodeNetwork] : [],
    );
    return [externalNetwork, integrationNetwork, transitNetwork, ...nodeNetworks];
  },
});

export const clustersQuery = queryOptions({
  queryKey: keys.clusters,
  queryFn: async () => {
    const found = [];
    let after: string | undefined;
    do {
      const page = await universe.listClusters({ query: { limit: pageSize, ...(after !== undefined && { after }) } });
      found.push(...page.clusters);
      after = page.next;
    } while (after !== undefined);
    return found;
  },
});

export const clusterQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.cluster(name), 'declaration'],
    queryFn: () => universe.showCluster({ params: { cluster: name } }),
  });

export const healthQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.cluster(name), 'health'],
    queryFn: () => universe.clusterHealth({ params: { cluster: name } }),
    refetchInterval: 15 * second,
  });

export const certificatesQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.cluster(name), 'certificates'],
    queryFn: async () => (await universe.clusterCertificates({ params: { cluster: name } })).certificates,
  });

/** Only for clusters with delivery; others have no modules. */
export const modulesQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.cluster(name), 'modules'],
    queryFn: () => universe.listModules({ params: { cluster: name } }),
    refetchInterval: 5 * second,
  });

export const kubernetesEventsQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.cluster(name), 'events'],
    queryFn: () => orRefusal(universe.clusterEvents({ params: { cluster: name } })),
    refetchInterval: 5 * second,
  });

/** A node as Kubernetes reports it. */
export const kubernetesNodeQuery = (cluster: string, node: string) =>
  queryOptions({
    queryKey: [...keys.cluster(cluster), 'node', node],
    queryFn: () => orRefusal(universe.clusterNode({ params: { cluster, node } })),
    refetchInterval: 15 * second,
  });

/** The actual network; undefined if the engine has no such network. */
export const networkQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.cluster(name), 'network'],
    queryFn: () => orRefusal(universe.clusterNetwork({ params: { cluster: name } })),
    refetchInterval: 5 * second,
  });

export const operationsQuery = (filter: { cluster?: string; state?: 'running' | 'failed'; limit?: number } = {}) =>
  queryOptions({
    queryKey: [...keys.operations, filter],
    queryFn: async () => (await universe.listOperations({ query: { limit: 100, ...filter } })).operations,
  });

export const operationQuery = (id: number) =>
  queryOptions({
    queryKey: keys.operation(id),
    queryFn: () => universe.showOperation({ params: { id } }),
  });

/** The approved change never changes. */
export const operationChangeQuery = (id: number) =>
  queryOptions({
    queryKey: keys.operationChange(id),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => universe.showOperationChange({ params: { id } }),
  });

/** All nodes of a cluster, or all nodes: filtering happens in the browser, without requests. */
export const nodesQuery = (cluster?: string) =>
  queryOptions({
    queryKey: [...keys.nodes, cluster],
    staleTime: 15 * second,
    // Comparing thousands of nodes with the previous ones takes longer than rendering the few visible ones.
    structuralSharing: false,
    queryFn: async () => {
      const found: ListedNode[] = [];
      let after: string | undefined;
      do {
        const query = {
          limit: pageSize,
          ...(cluster !== undefined && { cluster }),
          ...(after !== undefined && { after }),
        };
        const page = await configuration.listNodes({ query });
        found.push(...page.nodes);
        after = page.next;
      } while (after !== undefined);
      return found;
    },
  });

export const nodeQuery = (name: string) =>
  queryOptions({
    queryKey: keys.node(name),
    queryFn: () => configuration.showNode({ params: { name } }),
    refetchInterval: 15 * second,
  });

export const factsQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.node(name), 'facts'],
    queryFn: () => configuration.showFacts({ params: { name } }),
  });

export const catalogQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.node(name), 'catalog'],
    queryFn: () => configuration.showCatalog({ params: { name } }),
  });

export const differenceQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.node(name), 'difference'],
    queryFn: () => configuration.showDifference({ params: { name } }),
  });

export const reportsQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.node(name), 'reports'],
    queryFn: () => configuration.listReports({ params: { name }, query: { limit: 50 } }),
  });

export const consoleQuery = (name: string) =>
  queryOptions({
    queryKey: [...keys.node(name), 'console'],
    queryFn: async () => (await universe.nodeConsole({ params: { name } })).text,
    refetchInterval: 5 * second,
  });

export const imagesQuery = queryOptions({
  queryKey: keys.images,
  queryFn: async () => (await universe.listImages({})).images,
});

export const releasesQuery = queryOptions({
  queryKey: keys.releases,
  queryFn: () => universe.listReleases({}),
});

export const releaseQuery = (version: string) =>
  queryOptions({
    queryKey: [...keys.releases, version],
    queryFn: () => universe.showRelease({ params: { release: version } }),
  });

export const usersQuery = queryOptions({
  queryKey: keys.users,
  queryFn: async () => (await universe.listUsers({})).users,
});

export const tokensQuery = queryOptions({
  queryKey: keys.tokens,
  queryFn: async () => (await universe.listTokens({})).tokens,
});
