import { Button, Card, CardBody, CardTitle } from '@patternfly/react-core';
import { StorageDomainIcon } from '@patternfly/react-icons/dist/esm/icons/storage-domain-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { disksQuery, machinesQuery } from '../../api/machine-queries.ts';
import { useWords } from '../../language.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Loading, Nothing } from '../../parts/empty.tsx';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Failure } from '../../parts/problems.tsx';
import { useSession } from '../../session.ts';
import { useDiskColumns } from './disk-columns.tsx';
import { type DiskAction, DiskDialog } from './disk-dialogs.tsx';
import { diskKey, diskText, rowsOf } from './disk-rows.ts';
import { DiskSpace } from './disk-space.tsx';

export function Storage() {
  const { t } = useWords();
  const { may } = useSession();
  const [action, setAction] = useState<DiskAction>();
  const machines = useQuery(machinesQuery);
  const disks = useQuery(disksQuery);
  const columns = useDiskColumns(setAction);
  const rows = useMemo(
    () => machines.data && disks.data && rowsOf(machines.data, disks.data),
    [machines.data, disks.data],
  );
  const error = machines.error ?? disks.error;
  return (
    <>
      <PageHead
        title={t('storage.title')}
        {...(may('admin') && {
          actions: <Button onClick={() => setAction({ what: 'create' })}>{t('storage.createDisk')}</Button>,
        })}
      />
      <PageBody>
        <Card>
          <CardTitle component="h2">{t('storage.space')}</CardTitle>
          <CardBody>
            <DiskSpace />
          </CardBody>
        </Card>
        {rows ? (
          <DataTable
            label={t('storage.disks')}
            rows={rows}
            columns={columns}
            rowKey={diskKey}
            text={diskText}
            empty={<Nothing icon={StorageDomainIcon} title={t('storage.noDisks')} />}
          />
        ) : error ? (
          <Failure error={error} />
        ) : (
          <Loading />
        )}
      </PageBody>
      {action && <DiskDialog action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}
