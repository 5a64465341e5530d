import { nearestTo, type Problem, type Text } from '@nova-platform/api';
import type { HintedProblem } from './failure.ts';
import type { Io } from './io.ts';
import { knownUniverse } from './universe.ts';

const mostNames = 5;

/** Problems with a missing cluster, and the clusters that may be meant. Other problems are returned unchanged. */
export async function withNearestClusters(io: Io, problems: readonly Problem[]): Promise<readonly HintedProblem[]> {
  if (problems.every(({ code }) => code !== 'NOVA8321')) return problems;
  try {
    const page = await knownUniverse(io)?.client.listClusters({ query: { limit: 500 } });
    const names = page?.clusters.map(({ name }) => name);
    if (!names) return problems;
    return problems.map((each) =>
      each.code === 'NOVA8321' && typeof each.params.cluster === 'string'
        ? { ...each, hint: hintOf(each.params.cluster, names) }
        : each,
    );
  } catch {
    // The problem itself is more important than its hint.
    return problems;
  }
}

function hintOf(name: string, names: readonly string[]): Text {
  if (names.length === 0) return { en: 'There are no clusters. ', ru: 'Кластеров нет. ' };
  const nearest = nearestTo(name, names);
  if (nearest.en !== '') return nearest;
  const listed = [...names.slice(0, mostNames), ...(names.length > mostNames ? ['…'] : [])].join(', ');
  return { en: `Clusters: ${listed}. `, ru: `Кластеры: ${listed}. ` };
}
