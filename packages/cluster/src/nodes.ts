import type { KubernetesApi } from './kubernetes-api.ts';

interface NodeList {
  items: {
    metadata: { name: string };
    status: { conditions?: { type: string; status: string; message: string }[] };
  }[];
}

/** Nodes as their cluster sees them: why each is not ready, or nothing where it is. */
export async function readiness(api: KubernetesApi): Promise<Map<string, string | undefined>> {
  const { items } = await api.get<NodeList>('/api/v1/nodes');
  return new Map(
    items.map(({ metadata, status }) => {
      const ready = status.conditions?.find(({ type }) => type === 'Ready');
      return [metadata.name, ready?.status === 'True' ? undefined : (ready?.message ?? 'it has not said anything yet')];
    }),
  );
}
