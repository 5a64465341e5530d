import { Progress } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { capacityQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import './capacity.css';

export function Capacity() {
  const { t, bytes } = useWords();
  const capacity = useQuery(capacityQuery);
  if (capacity.error && capacity.data === undefined) {
    return <p className="nova-quiet">{t('overview.engineUnreachable')}</p>;
  }
  return (
    <QueryView query={capacity}>
      {({ memory, disk, machines }) => (
        <div className="nova-meters">
          <Meter title={t('overview.memory')} used={memory.totalBytes - memory.freeBytes} total={memory.totalBytes} />
          <Meter title={t('overview.disk')} used={disk.totalBytes - disk.freeBytes} total={disk.totalBytes} />
          <p className="nova-quiet">
            {t('overview.machinesRunning', {
              running: machines.running,
              total: machines.count,
              cpu: machines.cpu,
              memory: bytes(machines.memoryBytes),
            })}
          </p>
        </div>
      )}
    </QueryView>
  );
}

const tight = 0.9;

function Meter({ title, used, total }: { title: string; used: number; total: number }) {
  const { t, bytes, number } = useWords();
  const share = total === 0 ? 0 : used / total;
  return (
    <Progress
      title={title}
      value={share * 100}
      label={t('overview.free', { free: bytes(total - used), total: bytes(total) })}
      valueText={`${number(share * 100)} %`}
      size="sm"
      {...(share > tight && { variant: 'warning' as const })}
    />
  );
}
