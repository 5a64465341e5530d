import { useQueryClient } from '@tanstack/react-query';
import type { Operation } from '../../api/client.ts';
import { keys } from '../../api/queries.ts';

/** Starts an operation and stays on the page, which shows it until it ends. */
export function useFollowed(): (started: Promise<Operation>) => Promise<void> {
  const client = useQueryClient();
  return async (started) => {
    await started;
    await client.invalidateQueries({ queryKey: keys.operations });
  };
}
