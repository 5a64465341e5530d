import { Button } from '@patternfly/react-core';
import { CameraIcon } from '@patternfly/react-icons/dist/esm/icons/camera-icon.js';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type MachineDetails, type Snapshot, universe } from '../../api/client.ts';
import { snapshotsQuery } from '../../api/machine-queries.ts';
import { useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { freeName } from '../../parts/free-name.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { Ago } from '../../parts/time.tsx';
import { useSession } from '../../session.ts';
import { CreateNamed } from './create-named.tsx';
import { useFollowed } from './use-followed.ts';

type Action = { what: 'create' } | { what: 'restore' | 'delete'; snapshot: Snapshot };

export function MachineSnapshots({ machine }: { machine: MachineDetails }) {
  const { t, bytes } = useWords();
  const { may } = useSession();
  const [action, setAction] = useState<Action>();
  const { name, state, cluster } = machine;
  const snapshots = useQuery(snapshotsQuery(name));
  const canChange = may('admin') && cluster === undefined;
  const isStopped = state === 'stopped';
  const columns = useMemo((): Column<Snapshot>[] => {
    const common: Column<Snapshot>[] = [
      {
        key: 'name',
        title: t('common.name'),
        cell: (snapshot) => (
          <>
            <strong>{snapshot.name}</strong> <span className="nova-quiet">{snapshot.description}</span>
          </>
        ),
        sort: (snapshot) => snapshot.name,
        width: 1.8,
      },
      {
        key: 'created',
        title: t('machines.createdAt'),
        cell: ({ createdAt }) => <Ago at={createdAt} />,
        sort: ({ createdAt }) => createdAt,
        width: 1.1,
      },
      {
        key: 'disks',
        title: t('storage.disks'),
        cell: ({ disks }) => [t('storage.systemDisk'), ...disks].join(', '),
        width: 1.5,
      },
      {
        key: 'consistency',
        title: t('machines.consistency'),
        cell: ({ isFrozen }) => t(isFrozen ? 'machines.consistent' : 'machines.crashConsistent'),
        width: 1.6,
      },
      {
        key: 'used',
        title: t('storage.used'),
        cell: ({ usedBytes }) => bytes(usedBytes),
        sort: ({ usedBytes }) => usedBytes,
        width: 1,
      },
    ];
    if (!canChange) return common;
    return [
      ...common,
      {
        key: 'actions',
        title: t('common.actions'),
        cell: (snapshot) => (
          <span className="nova-row-actions">
            <Button
              variant="link"
              isInline
              isAriaDisabled={!isStopped}
              aria-label={t('machines.restoreNamed', { name: snapshot.name })}
              onClick={() => setAction({ what: 'restore', snapshot })}
            >
              {t('machines.restore')}
            </Button>
            <Button
              variant="link"
              isInline
              isDanger
              aria-label={t('storage.deleteNamed', { name: snapshot.name })}
              onClick={() => setAction({ what: 'delete', snapshot })}
            >
              {t('storage.delete')}
            </Button>
          </span>
        ),
        width: 2.1,
      },
    ];
  }, [t, bytes, canChange, isStopped]);
  return (
    <>
      {canChange && (
        <div className="nova-fine">
          <Button onClick={() => setAction({ what: 'create' })}>{t('machines.createSnapshot')}</Button>
          {!isStopped && (snapshots.data?.length ?? 0) > 0 && (
            <span className="nova-quiet">{t('machines.restoreStopped')}</span>
          )}
        </div>
      )}
      <QueryView query={snapshots}>
        {(rows) => (
          <DataTable
            label={t('machines.snapshots')}
            rows={rows}
            columns={columns}
            rowKey={({ id }) => id}
            empty={
              <Nothing icon={CameraIcon} title={t('machines.noSnapshots')}>
                {t('machines.snapshotsHint')}
              </Nothing>
            }
          />
        )}
      </QueryView>
      {action?.what === 'create' && (
        <CreateSnapshot machine={name} taken={snapshots.data ?? []} onClose={() => setAction(undefined)} />
      )}
      {action !== undefined && action.what !== 'create' && (
        <ChangeSnapshot machine={machine} {...action} onClose={() => setAction(undefined)} />
      )}
    </>
  );
}

interface CreateSnapshotProps {
  machine: string;
  taken: readonly Snapshot[];
  onClose: () => void;
}

function CreateSnapshot({ machine, taken, onClose }: CreateSnapshotProps) {
  const { t } = useWords();
  const follow = useFollowed();
  const params = { machine };
  return (
    <CreateNamed
      kind="snapshot"
      title={t('machines.createSnapshotTitle', { name: machine })}
      ownName={freeName(
        'snapshot',
        taken.map(({ name }) => name),
      )}
      check={(body) => universe.checkSnapshot({ params, body })}
      create={(body) => follow(universe.createSnapshot({ params, body }))}
      onClose={onClose}
    >
      {t('machines.snapshotText')}
    </CreateNamed>
  );
}

interface ChangeSnapshotProps {
  machine: MachineDetails;
  what: 'restore' | 'delete';
  snapshot: Snapshot;
  onClose: () => void;
}

/** Restores a snapshot, after a warning of what is lost; or deletes it. */
function ChangeSnapshot({ machine, what, snapshot, onClose }: ChangeSnapshotProps) {
  const { t, dateTime } = useWords();
  const follow = useFollowed();
  const { name, createdAt, disks } = snapshot;
  const params = { machine: machine.name, snapshot: name };
  if (what === 'delete') {
    return (
      <Dialog
        title={t('machines.deleteSnapshotTitle', { name })}
        action={t('storage.delete')}
        isDangerous
        onClose={onClose}
        onAction={() => follow(universe.deleteSnapshot({ params }))}
      >
        <p>{t('machines.deleteSnapshotText')}</p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={t('machines.restoreTitle', { name })}
      action={t('machines.restore')}
      isDangerous
      onClose={onClose}
      onAction={() => follow(universe.restoreSnapshot({ params }))}
    >
      <p>
        {disks.length === 0
          ? t('machines.restoreLoses', { when: dateTime(createdAt) })
          : t('machines.restoreLosesDisks', { when: dateTime(createdAt), disks: disks.join(', ') })}
      </p>
      <p>{t('machines.restoreKeeps')}</p>
    </Dialog>
  );
}
