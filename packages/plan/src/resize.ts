import { type MachineKind, mebibytesOf } from '@nova-platform/api';

/** A field of a node with its values before and after a change. */
interface ChangedField {
  name: string;
  before?: unknown;
  after?: unknown;
}

/**
 * Whether a running machine needs a restart for this change of its size. A VM gets processors and memory only when it
 * starts. A running container can get anything except less memory.
 */
export function needsRestart(kind: MachineKind, { name, before, after }: ChangedField): boolean {
  if (kind === 'vm') return name === 'cpu' || name === 'memory';
  // In whole mebibytes, the unit of machine sizes.
  return name === 'memory' && mebibytesOf(String(after)) < mebibytesOf(String(before));
}
