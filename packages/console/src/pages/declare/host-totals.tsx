import type { Change } from '@nova-platform/change/schema';
import type { ClusterPlan } from '@nova-platform/plan';
import { useQuery } from '@tanstack/react-query';
import { capacityQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { neededBy, type Totals } from './totals.ts';

interface HostTotalsProps {
  totals: Pick<Totals, 'memoryBytes' | 'diskBytes'>;
  isOnHost: boolean;
  /** Beside what the cluster already uses. */
  isMore?: boolean;
}

/** Memory and disk of machines; on the host of the engine, compared with its available resources. */
export function HostTotals({ totals, isOnHost, isMore = false }: HostTotalsProps) {
  const { t, bytes } = useWords();
  const { data: capacity } = useQuery({ ...capacityQuery, enabled: isOnHost });
  const titles = isMore
    ? { memory: t('declare.moreMemory'), disk: t('declare.moreDisk') }
    : { memory: t('overview.memory'), disk: t('overview.disk') };
  return (
    <ul className="nova-plain nova-summary">
      {[
        { title: titles.memory, needed: totals.memoryBytes, available: capacity?.memory.availableBytes },
        { title: titles.disk, needed: totals.diskBytes, available: capacity?.disk.freeBytes },
      ].map(({ title, needed, available }) => {
        const isTight = available !== undefined && needed > available;
        return (
          <li key={title} {...(isTight && { className: 'nova-warning' })}>
            {title}: <strong>{bytes(needed)}</strong>
            {available !== undefined && ` · ${t('declare.availableOnHost', { available: bytes(available) })}`}
            {isTight && ` · ${t('declare.notEnough')}`}
          </li>
        );
      })}
    </ul>
  );
}

/** What a change needs on the host; nothing if it needs no more than its cluster already uses. */
export function HostNeeds({ change, plan }: { change: Change; plan: ClusterPlan }) {
  const totals = neededBy(change, plan);
  if (totals.memoryBytes === 0 && totals.diskBytes === 0) return null;
  return <HostTotals totals={totals} isOnHost={plan.cluster.provider === 'local'} isMore />;
}
