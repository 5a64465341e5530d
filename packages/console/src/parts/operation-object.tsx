import type { Operation } from '../api/client.ts';
import { hostObjectOf } from '../api/machine-queries.ts';
import { PageLink } from './link.tsx';

/** The object of an operation: clusters, machines and templates have a page; others, such as `registry.images`, do not. */
export function OperationObject({ operation: { lock } }: { operation: Pick<Operation, 'lock'> }) {
  if (lock === undefined) return '—';
  const object = hostObjectOf(lock);
  if (object) return <PageLink to={object.path}>{object.name}</PageLink>;
  return lock.includes('.') ? lock : <PageLink to={`/clusters/${lock}`}>{lock}</PageLink>;
}
