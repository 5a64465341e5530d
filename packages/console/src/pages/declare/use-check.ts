import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { universe } from '../../api/client.ts';

const pause = 300;

export type Check = ReturnType<typeof useCheck>;

/** Validates documents on the server, shortly after the last edit. */
export function useCheck(documents: string) {
  const [asked, setAsked] = useState(documents);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(documents), pause);
    return () => clearTimeout(timer);
  }, [documents]);
  const { data, isFetching, error } = useQuery({
    queryKey: ['check', asked],
    queryFn: () => universe.checkDocuments({ body: { documents: asked } }),
    enabled: asked !== '',
    placeholderData: (before) => before,
  });
  return {
    problems: data?.problems ?? [],
    plan: data?.problems.length === 0 ? data.plan : undefined,
    isChecking: isFetching || asked !== documents,
    error,
  };
}
