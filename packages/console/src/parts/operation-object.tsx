import type { Operation } from '../api/client.ts';
import { PageLink } from './link.tsx';

/** The object of an operation: a cluster has a page, and others, such as `registry.images`, have none. */
export function OperationObject({ operation: { lock } }: { operation: Pick<Operation, 'lock'> }) {
  if (lock === undefined) return '—';
  return lock.includes('.') ? lock : <PageLink to={`/clusters/${lock}`}>{lock}</PageLink>;
}
