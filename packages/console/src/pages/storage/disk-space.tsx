import { useQuery } from '@tanstack/react-query';
import { disksQuery, machinesQuery } from '../../api/machine-queries.ts';
import { capacityQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { Meter } from '../../parts/meter.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { mebibyte } from '../machines/machine-columns.tsx';

/** What disks use of the host's disk, and what they may grow to. */
export function DiskSpace() {
  const { t, bytes } = useWords();
  const capacity = useQuery(capacityQuery);
  const { data: machines = [] } = useQuery(machinesQuery);
  const { data: disks = [] } = useQuery(disksQuery);
  const promised =
    mebibyte *
    (machines.reduce((sum, { diskMebibytes = 0 }) => sum + diskMebibytes, 0) +
      disks.reduce((sum, { sizeMebibytes }) => sum + sizeMebibytes, 0));
  return (
    <QueryView query={capacity}>
      {({ disk: { totalBytes, freeBytes } }) => (
        <>
          <Meter
            title={t('storage.hostDisk')}
            share={(totalBytes - freeBytes) / totalBytes}
            label={t('overview.used', { used: bytes(totalBytes - freeBytes), total: bytes(totalBytes) })}
          />
          <p className={promised > totalBytes ? 'nova-warning' : 'nova-quiet'}>
            {t(promised > totalBytes ? 'storage.overcommitted' : 'storage.promised', {
              promised: bytes(promised),
              total: bytes(totalBytes),
            })}
          </p>
        </>
      )}
    </QueryView>
  );
}
