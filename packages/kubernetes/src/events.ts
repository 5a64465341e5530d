import type { KubernetesApi } from './kubernetes-api.ts';

/** An event of Kubernetes about one of its objects. */
export interface KubernetesEvent {
  at: string;
  severity: 'normal' | 'warning';
  /** For example `Pod/kube-system/coredns-1`. */
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
    /** Some events have neither a reason nor a message. */
    reason?: string;
    message?: string;
    count?: number | null;
    firstTimestamp?: string | null;
    lastTimestamp?: string | null;
    eventTime?: string | null;
    series?: { lastObservedTime: string; count: number } | null;
  }[];
}

/** Kubernetes keeps events for an hour and does not sort them by time, so all are read to find the newest. */
const maxRead = 5000;
const maxEvents = 200;

/** Events of a cluster, newest first. */
export async function eventsOf(api: KubernetesApi): Promise<KubernetesEvent[]> {
  return newestEvents(await api.get<EventList>(`/api/v1/events?limit=${maxRead}`));
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
    .slice(0, maxEvents);
}

/** The time of the last occurrence, from the fields of either event API. */
export function timeOf({ series, lastTimestamp, eventTime, firstTimestamp }: EventList['items'][number]): Date {
  return new Date(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? firstTimestamp ?? 0);
}

export function objectOf({ involvedObject: { kind, namespace, name } }: EventList['items'][number]): string {
  return [kind, ...(kind !== 'Node' && namespace ? [namespace] : []), name].join('/');
}
