import { Button } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { MachineDetails } from '../../api/client.ts';
import { disksQuery } from '../../api/machine-queries.ts';
import { useWords } from '../../language.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useSession } from '../../session.ts';
import { useDiskColumns } from '../storage/disk-columns.tsx';
import { type DiskAction, DiskDialog } from '../storage/disk-dialogs.tsx';
import { diskKey, rowsOf } from '../storage/disk-rows.ts';

export function MachineDisks({ machine }: { machine: MachineDetails }) {
  const { t } = useWords();
  const { may } = useSession();
  const [action, setAction] = useState<DiskAction>();
  const disks = useQuery(disksQuery);
  const columns = useDiskColumns(setAction);
  const { name, cluster } = machine;
  const rows = useMemo(
    () =>
      disks.data &&
      rowsOf(
        [machine],
        disks.data.filter((disk) => disk.machine === name),
      ).map((row) => (row.isSystem && machine.usage ? { ...row, usedBytes: machine.usage.disk } : row)),
    [machine, name, disks.data],
  );
  return (
    <>
      {may('admin') && cluster === undefined && (
        <div className="nova-head-actions">
          <Button onClick={() => setAction({ what: 'create', machine: name })}>{t('storage.createDisk')}</Button>
          <Button variant="secondary" onClick={() => setAction({ what: 'attach', machine: name })}>
            {t('storage.attachDisk')}
          </Button>
        </div>
      )}
      <QueryView query={disks}>
        {() => (
          <DataTable
            label={t('storage.disks')}
            rows={rows ?? []}
            columns={columns}
            rowKey={diskKey}
            empty={<Nothing title={t('storage.noDisks')} />}
          />
        )}
      </QueryView>
      {action && <DiskDialog action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}
