import { useQuery } from '@tanstack/react-query';
import { capacityQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { Meter } from '../../parts/meter.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import './capacity.css';

/** Allocated, used and physical resources of the host. */
export function Capacity() {
  const { t, bytes, number } = useWords();
  const capacity = useQuery(capacityQuery);
  if (capacity.error && capacity.data === undefined) {
    return <p className="nova-quiet">{t('overview.engineUnreachable')}</p>;
  }
  return (
    <QueryView query={capacity}>
      {({ processors, memory, disk, machines }) => (
        <div className="nova-meters">
          <div>
            <Meter
              title={t('common.cpu')}
              share={processors.used / processors.total}
              label={t('overview.used', { used: number(processors.used, 1), total: number(processors.total) })}
            />
            <p className="nova-quiet">
              {t('overview.cpuAllocated', { allocated: number(machines.cpu), total: number(processors.total) })}
            </p>
          </div>
          {[
            { title: t('overview.memory'), ...memory, allocated: machines.memoryBytes },
            { title: t('overview.disk'), ...disk, allocated: machines.diskBytes },
          ].map(({ title, totalBytes, freeBytes, allocated }) => (
            <div key={title}>
              <Meter
                title={title}
                share={(totalBytes - freeBytes) / totalBytes}
                label={t('overview.used', { used: bytes(totalBytes - freeBytes), total: bytes(totalBytes) })}
              />
              <p className={allocated > totalBytes ? 'nova-warning' : 'nova-quiet'}>
                {t('overview.allocated', { allocated: bytes(allocated), total: bytes(totalBytes) })}
              </p>
            </div>
          ))}
          <p className="nova-quiet">
            {t('overview.machinesRunning', { running: machines.running, total: machines.count })}
          </p>
        </div>
      )}
    </QueryView>
  );
}
