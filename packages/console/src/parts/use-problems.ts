import { useQuery } from '@tanstack/react-query';
import type { ReportedProblem } from './problems.tsx';
import { useSettled } from './use-settled.ts';

type Check = (request: { body: Record<string, unknown> }) => Promise<{ problems: ReportedProblem[] }>;

/** Validates a new object on the server, shortly after the last edit. */
export function useProblems(kind: string, object: object, check: Check) {
  const asked = JSON.stringify(object);
  const checked = useSettled(asked);
  const { data, isFetching, error } = useQuery({
    queryKey: ['problems', kind, checked],
    queryFn: () => check({ body: JSON.parse(checked) as Record<string, unknown> }),
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
