import type { Operation } from '../api/client.ts';
import { machineOf } from '../api/machine-queries.ts';
import { PageLink } from './link.tsx';

/** The object of an operation: clusters and machines have a page, and others, such as `registry.images`, have none. */
export function OperationObject({ operation: { lock } }: { operation: Pick<Operation, 'lock'> }) {
  if (lock === undefined) return '—';
  const machine = machineOf(lock);
  if (machine !== undefined) return <PageLink to={`/machines/${machine}`}>{machine}</PageLink>;
  return lock.includes('.') ? lock : <PageLink to={`/clusters/${lock}`}>{lock}</PageLink>;
}
