import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './empty.tsx';
import { Failure } from './problems.tsx';

/** What was asked for, once it is there. What was there before stays while it is asked for again. */
export function QueryView<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failure error={query.error} />;
  return <Loading />;
}
