import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loading } from './empty.tsx';
import { Failure } from './problems.tsx';

/** The result of a query. Previous data stays visible during a refetch. */
export function QueryView<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failure error={query.error} />;
  return <Loading />;
}
