import { Button } from '@patternfly/react-core';
import { useMemo } from 'react';
import type { Disk } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { PageLink } from '../../parts/link.tsx';
import { useSession } from '../../session.ts';
import { mebibyte } from '../machines/machine-columns.tsx';
import type { DiskAction } from './disk-dialogs.tsx';
import type { DiskRow } from './disk-rows.ts';

/** Columns of lists of disks, with actions for administrators. */
export function useDiskColumns(onAction: (action: DiskAction) => void): Column<DiskRow>[] {
  const { t, bytes } = useWords();
  const { may } = useSession();
  const isAdmin = may('admin');
  return useMemo((): Column<DiskRow>[] => {
    const columns: Column<DiskRow>[] = [
      { key: 'name', title: t('common.name'), cell: ({ name }) => name, sort: ({ name }) => name, width: 1.4 },
      {
        key: 'type',
        title: t('common.type'),
        cell: ({ isSystem }) => t(isSystem ? 'storage.systemDisk' : 'storage.additionalDisk'),
        sort: ({ isSystem }) => Number(isSystem),
        width: 1.4,
      },
      {
        key: 'machine',
        title: t('network.machine'),
        cell: ({ machine, path }) =>
          machine === undefined ? (
            <span className="nova-quiet">{t('storage.detached')}</span>
          ) : (
            <>
              <PageLink to={`/machines/${machine}/disks`}>{machine}</PageLink>{' '}
              {path !== undefined && <code>{path}</code>}
            </>
          ),
        sort: ({ machine = '' }) => machine,
        width: 1.7,
      },
      {
        key: 'size',
        title: t('storage.size'),
        cell: ({ sizeMebibytes }) => bytes(sizeMebibytes * mebibyte),
        sort: ({ sizeMebibytes }) => sizeMebibytes,
        width: 0.9,
      },
      {
        key: 'used',
        title: t('storage.used'),
        cell: ({ usedBytes }) => (usedBytes === undefined ? '—' : bytes(usedBytes)),
        sort: ({ usedBytes = 0 }) => usedBytes,
        width: 0.9,
      },
    ];
    if (!isAdmin) return columns;
    return [
      ...columns,
      {
        key: 'actions',
        title: t('common.actions'),
        cell: ({ disk }) => disk && <Actions disk={disk} onAction={onAction} />,
        width: 3,
      },
    ];
  }, [t, bytes, isAdmin, onAction]);
}

function Actions({ disk, onAction }: { disk: Disk; onAction: (action: DiskAction) => void }) {
  const { t } = useWords();
  const { name, machine } = disk;
  return (
    <span className="nova-row-actions">
      <Button
        variant="link"
        isInline
        aria-label={t('storage.growNamed', { name })}
        onClick={() => onAction({ what: 'grow', disk })}
      >
        {t('storage.grow')}
      </Button>
      {machine === undefined ? (
        <>
          <Button
            variant="link"
            isInline
            aria-label={t('storage.attachNamed', { name })}
            onClick={() => onAction({ what: 'attach', disk })}
          >
            {t('storage.attach')}
          </Button>
          <Button
            variant="link"
            isInline
            isDanger
            aria-label={t('storage.deleteNamed', { name })}
            onClick={() => onAction({ what: 'delete', disk })}
          >
            {t('storage.delete')}
          </Button>
        </>
      ) : (
        <Button
          variant="link"
          isInline
          aria-label={t('storage.detachNamed', { name })}
          onClick={() => onAction({ what: 'detach', disk })}
        >
          {t('storage.detach')}
        </Button>
      )}
    </span>
  );
}
