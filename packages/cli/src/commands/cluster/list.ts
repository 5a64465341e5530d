import type { Health, UniverseClient } from '@nova-platform/contracts/universe/client';
import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { oneLine } from '../../outside.ts';
import { ago } from '../../time.ts';
import { table } from '../../tree.ts';
import { universeOf } from '../../universe.ts';
import { stateWords } from '../status/cluster.ts';

const pageSize = 500;
/** Health requests at the same time: each one queries all nodes of a cluster. */
const atOnce = 8;

export async function list(this: Context): Promise<Result> {
  const { t, language, io } = this;
  const { client } = universeOf(io);
  const declared = await allClusters(client);
  const clusters: ListedCluster[] = [];
  for (let start = 0; start < declared.length; start += atOnce)
    clusters.push(
      ...(await Promise.all(declared.slice(start, start + atOnce).map((each) => withHealth(client, each)))),
    );
  if (clusters.length === 0)
    return { data: { clusters }, text: t({ en: 'There are no clusters.', ru: 'Кластеров нет.' }) };
  const head = [
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'STATE', ru: 'СОСТОЯНИЕ' }),
    'KUBERNETES',
    t({ en: 'NODES', ru: 'УЗЛЫ' }),
    'API',
    t({ en: 'CHANGED', ru: 'ИЗМЕНЁН' }),
  ];
  const rows = clusters.map(({ name, state, kubernetesVersion, nodes, server, changedAt }) => [
    oneLine(name),
    state ? stateText(this, state) : '—',
    oneLine(kubernetesVersion),
    `${nodes.ready ?? '—'}/${nodes.total}`,
    oneLine(server ?? '—'),
    ago(changedAt, language),
  ]);
  return { data: { clusters }, text: table([head, ...rows], { width: io.stdout.columns, yielding: 4 }).join('\n') };
}

type DeclaredCluster = Awaited<ReturnType<UniverseClient['listClusters']>>['clusters'][number];

interface ListedCluster {
  name: string;
  kubernetesVersion: string;
  provider: string;
  nodes: { ready?: number; total: number };
  changedAt: string;
  state?: Health['state'];
  server?: string;
}

async function allClusters(client: UniverseClient): Promise<DeclaredCluster[]> {
  const found: DeclaredCluster[] = [];
  let after: string | undefined;
  do {
    const page = await client.listClusters({ query: { limit: pageSize, ...(after !== undefined && { after }) } });
    found.push(...page.clusters);
    after = page.next;
  } while (after !== undefined);
  return found;
}

async function withHealth(
  client: UniverseClient,
  { name, kubernetesVersion, provider, nodeCount, changedAt }: DeclaredCluster,
): Promise<ListedCluster> {
  // One cluster without health, such as one that was just destroyed, must not hide the others.
  const health = await client.clusterHealth({ params: { cluster: name } }).catch(() => undefined);
  const isKnown = health?.nodes.some(({ isReady }) => isReady !== undefined);
  const ready = health?.nodes.filter(({ isReady, machine }) => isReady && machine !== 'stopped').length;
  return {
    name,
    ...(health && { state: health.state, server: health.server }),
    kubernetesVersion,
    provider,
    nodes: { ...(isKnown && ready !== undefined && { ready }), total: nodeCount },
    changedAt,
  };
}

function stateText({ t, style }: Context, state: Health['state']): string {
  const colour = {
    ready: style.green,
    changing: style.cyan,
    stopped: style.dim,
    degraded: style.yellow,
    failed: style.red,
  };
  return colour[state](t(stateWords[state]));
}
