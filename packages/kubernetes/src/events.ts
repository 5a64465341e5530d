import type { KubernetesApi } from './kubernetes-api.ts';

/** Something that Kubernetes tells of one of its objects. */
export interface KubernetesEvent {
  at: string;
  severity: 'normal' | 'warning';
  /** `Pod/kube-system/coredns-1` */
  object: string;
  reason: string;
  message: string;
  /** How often it happened. */
  count: number;
}

export interface EventList {
  items: {
    type?: string;
    involvedObject: { kind: string; name: string; namespace?: string };
    /** Some tell only that something is. */
    reason?: string;
    message?: string;
    count?: number | null;
    firstTimestamp?: string | null;
    lastTimestamp?: string | null;
    eventTime?: string | null;
    series?: { lastObservedTime: string; count: number } | null;
  }[];
}

/** Kubernetes keeps them for an hour, in no order of time: the newest are found among all there are. */
const mostRead = 5000;
const mostTold = 200;

/** What a cluster tells of itself, the newest first. */
export async function eventsOf(api: KubernetesApi): Promise<KubernetesEvent[]> {
  return newestEvents(await api.get<EventList>(`/api/v1/events?limit=${mostRead}`));
}

export function newestEvents({ items }: EventList): KubernetesEvent[] {
  return items
    .map((event): KubernetesEvent => {
      const { type, reason = '', message = '', count, series } = event;
      return {
        at: timeOf(event).toISOString(),
        severity: type === 'Warning' ? 'warning' : 'normal',
        object: objectOf(event),
        reason,
        message,
        count: series?.count ?? count ?? 1,
      };
    })
    .toSorted((one, other) => other.at.localeCompare(one.at))
    .slice(0, mostTold);
}

/** Old and new ways of telling when it was seen last. */
export function timeOf({ series, lastTimestamp, eventTime, firstTimestamp }: EventList['items'][number]): Date {
  return new Date(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? firstTimestamp ?? 0);
}

export function objectOf({ involvedObject: { kind, namespace, name } }: EventList['items'][number]): string {
  return [kind, ...(kind !== 'Node' && namespace ? [namespace] : []), name].join('/');
}
