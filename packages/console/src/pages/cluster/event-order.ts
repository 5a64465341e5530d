/**
 * Newest first. Most events of Kubernetes have a time without fractions, so within one second the given order stays: the
 * server knows the order of the writes.
 */
export function newestFirst<Event extends { at: string }>(events: readonly Event[]): Event[] {
  return events.toSorted((one, other) => secondOf(other.at) - secondOf(one.at));
}

const secondOf = (at: string) => Math.floor(Date.parse(at) / 1000);
