import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { universe } from '../../api/client.ts';

const pause = 300;

export type Check = ReturnType<typeof useCheck>;

/** Validates documents on the server, shortly after the last edit. */
export function useCheck(documents: string) {
  const [checked, setChecked] = useState(documents);
  useEffect(() => {
    const timer = setTimeout(() => setChecked(documents), pause);
    return () => clearTimeout(timer);
  }, [documents]);
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
