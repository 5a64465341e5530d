import { useQuery } from '@tanstack/react-query';
import { universe } from '../../api/client.ts';
import { useSettled } from '../../parts/use-settled.ts';

/** Validates a new machine on the server, shortly after the last edit. */
export function useMachineCheck(machine: object) {
  const asked = JSON.stringify(machine);
  const checked = useSettled(asked);
  const { data, isFetching, error } = useQuery({
    queryKey: ['check-machine', checked],
    queryFn: () => universe.checkMachine({ body: JSON.parse(checked) as Record<string, unknown> }),
    placeholderData: (before) => before,
    staleTime: 0,
  });
  return { problems: data?.problems ?? [], isChecking: isFetching || checked !== asked, error };
}
