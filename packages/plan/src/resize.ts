import { type MachineKind, mebibytesOf } from '@nova-platform/api';

/** A field of a node with its values before and after a change. */
interface ChangedField {
  name: string;
  before?: unknown;
  after?: unknown;
}

/**
 * Whether a running machine needs a restart for this change of its size: for less memory, and a VM for fewer processors or
 * for more than its host has.
 */
export function needsRestart(
  kind: MachineKind,
  { name, before, after }: ChangedField,
  processors = Number.POSITIVE_INFINITY,
): boolean {
  // In whole mebibytes, the unit of machine sizes.
  if (name === 'memory') return mebibytesOf(String(after)) < mebibytesOf(String(before));
  return name === 'cpu' && kind === 'vm' && (Number(after) < Number(before) || Number(after) > processors);
}
