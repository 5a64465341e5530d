import { useQuery } from '@tanstack/react-query';
import type { ReportedProblem } from './problems.tsx';
import { useSettled } from './use-settled.ts';

type Check<T> = (request: { body: T }) => Promise<{ problems: ReportedProblem[] }>;

/** Validates a new object on the server, shortly after the last edit. */
export function useProblems<T extends object>(kind: string, object: T, check: Check<T>) {
  const asked = JSON.stringify(object);
  const checked = useSettled(asked);
  const { data, isFetching, error } = useQuery({
    queryKey: ['problems', kind, checked],
    queryFn: () => check({ body: JSON.parse(checked) as T }),
    placeholderData: (before) => before,
    staleTime: 0,
  });
  const problems = data?.problems ?? [];
  const isChecking = isFetching || checked !== asked;
  return {
    problems,
    isChecking,
    error,
    isReady: problems.length === 0 && !isChecking && !error,
    /** The problems of one field. */
    at: (field: string) => problems.filter(({ path }) => path?.[0] === field),
  };
}
