import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { Operation } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';

/** Goes to an operation that was just begun; stays where nothing was to be done. */
export function useBegun(): (operation: Operation | undefined) => void {
  const client = useQueryClient();
  const [, go] = useLocation();
  return (operation) => {
    if (!operation) return;
    client.setQueryData(keys.operation(operation.id), operation);
    void client.invalidateQueries({ queryKey: keys.operations });
    go(`/operations/${operation.id}`);
  };
}
