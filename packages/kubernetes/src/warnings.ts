import { type EventList, objectOf, timeOf } from './events.ts';
import type { KubernetesView } from './health-observations.ts';
import { ignoreNotFound, type KubernetesApi } from './kubernetes-api.ts';
import { type Pod, unreadyPods } from './pods.ts';

type Warning = KubernetesView['warnings'][number] & { at: Date };

const recent = 10 * 60_000;
const mostWarnings = 500;
const mostNews = 5000;
/** The newest; whoever is not well warns again. */
const mostPods = 50;
/**
 * Every kubelet of ours says the first two when it starts; the next two only say that a node is not ready. Who
 * makes or changes endpoints that have changed since it looked tries again, and tells of its failure only.
 */
const noise = new Set([
  'CgroupV1',
  'InvalidDiskCapacity',
  'NodeNotReady',
  'TaintManagerEviction',
  'FailedToCreateEndpoint',
  'FailedToUpdateEndpoint',
  'FailedToUpdateEndpointSlices',
]);

/** What Kubernetes has warned of in the last minutes and what is not over, the newest first. */
export async function standingWarnings(api: KubernetesApi, now: Date): Promise<KubernetesView['warnings']> {
  const warned = recentWarnings(await eventsOfType(api, 'Warning', mostWarnings), now);
  const [unwellPods, goodNews] = await Promise.all([unwellPodsOf(api, warned), goodNewsOf(api, warned)]);
  return warned.flatMap(({ at, ...warning }) => {
    const { object } = warning;
    if (kindOf(object) !== 'Pod') return at.getTime() > (goodNews.get(object) ?? 0) ? [warning] : [];
    const pod = unwellPods.get(object);
    return pod ? [{ ...warning, ...(pod.node !== undefined && { node: pod.node }) }] : [];
  });
}

function eventsOfType(api: KubernetesApi, type: 'Normal' | 'Warning', most: number): Promise<EventList> {
  return api.get<EventList>(`/api/v1/events?fieldSelector=type%3D${type}&limit=${most}`);
}

/** The newest first, of each kind about each object one. */
export function recentWarnings({ items }: EventList, now: Date): Warning[] {
  const warnings = items
    .map((event) => ({
      at: timeOf(event),
      object: objectOf(event),
      reason: event.reason ?? '',
      message: event.message ?? '',
    }))
    .filter(({ at, reason }) => now.getTime() - at.getTime() < recent && !noise.has(reason))
    .toSorted((one, other) => other.at.getTime() - one.at.getTime());
  return [...Map.groupBy(warnings, ({ object, reason }) => `${object} ${reason}`).values()].flatMap(([newest]) =>
    newest ? [newest] : [],
  );
}

/** Of one that came to be ready, or is gone, it says nothing any more what was wrong. */
async function unwellPodsOf(
  api: KubernetesApi,
  warned: readonly Warning[],
): Promise<Map<string, KubernetesView['pods'][number]>> {
  const pods = new Set(warned.map(({ object }) => object).filter((object) => kindOf(object) === 'Pod'));
  const looked = [...pods].slice(0, mostPods).map(async (object) => {
    const [, namespace = '', name = ''] = object.split('/').map(encodeURIComponent);
    const pod = await api.get<Pod>(`/api/v1/namespaces/${namespace}/pods/${name}`).catch(ignoreNotFound);
    return pod ? unreadyPods([pod]).map((unwell) => [object, unwell] as const) : [];
  });
  return new Map((await Promise.all(looked)).flat());
}

/**
 * When others told of something good: a set of pods that it could make one after all, a source that it was fetched.
 * Times are whole seconds; who fails again says so again. Nodes say themselves whether they are ready.
 */
async function goodNewsOf(api: KubernetesApi, warned: readonly Warning[]): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  const isMeant = (object: string) => kindOf(object) !== 'Pod' && kindOf(object) !== 'Node';
  if (!warned.some(({ object }) => isMeant(object))) return newest;
  for (const event of (await eventsOfType(api, 'Normal', mostNews)).items) {
    const object = objectOf(event);
    if (isMeant(object)) newest.set(object, Math.max(newest.get(object) ?? 0, timeOf(event).getTime()));
  }
  return newest;
}

function kindOf(object: string): string {
  return object.slice(0, object.indexOf('/'));
}
