import type { Preview } from '../../api/client.ts';
import { useWords } from '../../language.tsx';

interface HostTotalsProps {
  /** Missing while the server cannot reach the provider. */
  resources: Preview['resources'];
  /** Beside what the cluster already uses. */
  isMore?: boolean;
}

/** What a plan needs and what the host offers, as the server reports it; nothing if it needs nothing. */
export function HostTotals({ resources, isMore = false }: HostTotalsProps) {
  const { t, bytes, number } = useWords();
  if (!resources) return null;
  const { memory, disk, processors } = resources;
  if (memory.needed === 0 && disk.needed === 0 && processors.needed === 0) return null;
  return (
    <ul className="nova-plain nova-summary">
      {[
        { title: isMore ? t('declare.moreCpu') : t('common.cpu'), ...processors, text: number },
        { title: isMore ? t('declare.moreMemory') : t('overview.memory'), ...memory, text: bytes },
        { title: isMore ? t('declare.moreDisk') : t('overview.disk'), ...disk, text: bytes },
      ].map(({ title, needed, available, text }) => (
        <li key={title}>
          {title}: <strong>{text(needed)}</strong> · {t('declare.availableOnHost', { available: text(available) })}
        </li>
      ))}
    </ul>
  );
}
