import { type EventList, objectOf, timeOf } from './events.ts';
import type { KubernetesView } from './health-observations.ts';
import { ignoreNotFound, type KubernetesApi } from './kubernetes-api.ts';
import { type Pod, unreadyPods } from './pods.ts';

type Warning = KubernetesView['warnings'][number] & { at: Date };

const recent = 10 * 60_000;
const maxWarnings = 500;
const maxNews = 5000;
/** Only the newest pods are checked: an unhealthy pod causes new warnings. */
const maxPods = 50;
/**
 * Our kubelets report the first two at every start. The next two only repeat that a node is not ready. The endpoint
 * controllers retry conflicts, but report only the failure.
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

/** Messages that repeat a failed pull without its cause. Another event of the pod has the cause. */
const withoutCause = /^(Error: (ErrImagePull|ImagePullBackOff)$|Back-off pulling image )/;

/** Warnings of the last minutes that still apply, newest first. */
export async function currentWarnings(api: KubernetesApi, now: Date): Promise<KubernetesView['warnings']> {
  const warned = recentWarnings(await eventsOfType(api, 'Warning', maxWarnings), now);
  const [unready, normalEvents] = await Promise.all([unreadyPodsByName(api, warned), latestNormalEvents(api, warned)]);
  return warned.flatMap(({ at, ...warning }) => {
    const { object } = warning;
    if (kindOf(object) !== 'Pod') return at.getTime() > (normalEvents.get(object) ?? 0) ? [warning] : [];
    const pod = unready.get(object);
    return pod ? [{ ...warning, ...(pod.node !== undefined && { node: pod.node }) }] : [];
  });
}

function eventsOfType(api: KubernetesApi, type: 'Normal' | 'Warning', most: number): Promise<EventList> {
  return api.get<EventList>(`/api/v1/events?fieldSelector=type%3D${type}&limit=${most}`);
}

/** One warning for each reason and object: the newest, and the newest first. Warnings without a cause come last. */
export function recentWarnings({ items }: EventList, now: Date): Warning[] {
  const warnings = items
    .map((event) => ({
      at: timeOf(event),
      object: objectOf(event),
      reason: event.reason ?? '',
      message: event.message ?? '',
    }))
    .filter(({ at, reason }) => now.getTime() - at.getTime() < recent && !noise.has(reason))
    .toSorted(
      (one, other) =>
        Number(withoutCause.test(one.message)) - Number(withoutCause.test(other.message)) ||
        other.at.getTime() - one.at.getTime(),
    );
  return [...Map.groupBy(warnings, ({ object, reason }) => `${object} ${reason}`).values()].flatMap(([newest]) =>
    newest ? [newest] : [],
  );
}

/** Warnings about a pod no longer apply once it is ready or deleted. */
async function unreadyPodsByName(
  api: KubernetesApi,
  warned: readonly Warning[],
): Promise<Map<string, KubernetesView['pods'][number]>> {
  const pods = new Set(warned.map(({ object }) => object).filter((object) => kindOf(object) === 'Pod'));
  const looked = [...pods].slice(0, maxPods).map(async (object) => {
    const [, namespace = '', name = ''] = object.split('/').map(encodeURIComponent);
    const pod = await api.get<Pod>(`/api/v1/namespaces/${namespace}/pods/${name}`).catch(ignoreNotFound);
    return pod ? unreadyPods([pod]).map((each) => [object, each] as const) : [];
  });
  return new Map((await Promise.all(looked)).flat());
}

/**
 * The time of the newest Normal event of each object: for example, a ReplicaSet created a pod after all, or a source
 * was fetched. Times have a resolution of one second; a repeated failure causes a new warning. Nodes are left out,
 * because they have conditions.
 */
async function latestNormalEvents(api: KubernetesApi, warned: readonly Warning[]): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  const isMeant = (object: string) => kindOf(object) !== 'Pod' && kindOf(object) !== 'Node';
  if (!warned.some(({ object }) => isMeant(object))) return newest;
  for (const event of (await eventsOfType(api, 'Normal', maxNews)).items) {
    const object = objectOf(event);
    if (isMeant(object)) newest.set(object, Math.max(newest.get(object) ?? 0, timeOf(event).getTime()));
  }
  return newest;
}

function kindOf(object: string): string {
  return object.slice(0, object.indexOf('/'));
}
