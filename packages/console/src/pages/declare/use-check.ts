import { useQuery } from '@tanstack/react-query';
import { universe } from '../../api/client.ts';
import { useSettled } from '../../parts/use-settled.ts';

export type Check = ReturnType<typeof useCheck>;

/** Validates documents on the server, shortly after the last edit. */
export function useCheck(documents: string) {
  const checked = useSettled(documents);
  const { data, isFetching, error } = useQuery({
    queryKey: ['check', checked],
    queryFn: () => universe.checkDocuments({ body: { documents: checked } }),
    enabled: checked !== '',
    placeholderData: (before) => before,
  });
  return {
    problems: data?.problems ?? [],
    plan: data?.problems.length === 0 ? data.plan : undefined,
    isChecking: isFetching || checked !== documents,
    error,
  };
}
