import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Operation } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';

/** Navigates to a started operation; stays on the page if there was nothing to do. */
export function useStarted(): (operation: Operation | undefined) => void {
  const client = useQueryClient();
  const [, go] = useLocation();
  return (operation) => {
    if (!operation) return;
    client.setQueryData(keys.operation(operation.id), operation);
    // It may have ended before its start was known here.
    void client.invalidateQueries({ queryKey: keys.operation(operation.id) });
    void client.invalidateQueries({ queryKey: keys.operations });
    go(`/operations/${operation.id}`);
  };
}
