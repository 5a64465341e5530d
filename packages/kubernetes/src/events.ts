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
    metadata?: { resourceVersion?: string };
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
    .toSorted(newestFirst)
    .slice(0, maxEvents)
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
    });
}

/** Most times have a resolution of one second. Within a second, the resource version has the order of the writes. */
function newestFirst(one: EventList['items'][number], other: EventList['items'][number]): number {
  const [time, otherTime] = [timeOf(one).getTime(), timeOf(other).getTime()];
  return secondOf(otherTime) - secondOf(time) || versionOf(other) - versionOf(one) || otherTime - time;
}

const secondOf = (time: number) => Math.floor(time / 1000);
const versionOf = ({ metadata }: EventList['items'][number]) => Number(metadata?.resourceVersion ?? 0);

/** The time of the last occurrence, from the fields of either event API. */
export function timeOf({ series, lastTimestamp, eventTime, firstTimestamp }: EventList['items'][number]): Date {
  return new Date(series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? firstTimestamp ?? 0);
}

export function objectOf({ involvedObject: { kind, namespace, name } }: EventList['items'][number]): string {
  return [kind, ...(kind !== 'Node' && namespace ? [namespace] : []), name].join('/');
}
