import { Button } from '@patternfly/react-core';
import { LayerGroupIcon } from '@patternfly/react-icons/dist/esm/icons/layer-group-icon.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type MachineImage, universe } from '../../api/client.ts';
import { machineImagesQuery, machinesQuery } from '../../api/machine-queries.ts';
import { keys } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ConfirmByName } from '../../parts/dialog.tsx';
import { Nothing } from '../../parts/empty.tsx';
import { PageLink } from '../../parts/link.tsx';
import { PageBody } from '../../parts/page-body.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { StateLabel } from '../../parts/states.tsx';
import { Ago } from '../../parts/time.tsx';
import { useSession } from '../../session.ts';
import { mebibyte } from '../machines/machine-columns.tsx';
import { kindNames } from '../machines/machine-state.tsx';

/** Images of the release, and templates that users created. */
export function Templates() {
  const { t, bytes } = useWords();
  const { may } = useSession();
  const client = useQueryClient();
  const images = useQuery(machineImagesQuery);
  const { data: machines } = useQuery(machinesQuery);
  const [leaving, setLeaving] = useState<string>();
  const isAdmin = may('admin');
  const columns = useMemo((): Column<MachineImage>[] => {
    const users = (image: string) => (machines ?? []).filter((machine) => machine.image === image).length;
    const common: Column<MachineImage>[] = [
      {
        key: 'name',
        title: t('common.name'),
        cell: ({ name, description }) => (
          <>
            <strong>{name}</strong> {description !== undefined && <span className="nova-quiet">{description}</span>}
          </>
        ),
        sort: ({ name }) => name,
        width: 1.9,
      },
      {
        key: 'type',
        title: t('common.type'),
        cell: ({ isTemplate, isBuilt }) => (
          <>
            {t(isTemplate ? 'storage.template' : 'common.image')}{' '}
            {!isBuilt && <StateLabel look="warning" text={t('storage.notBuilt')} isCompact />}
          </>
        ),
        sort: ({ isTemplate }) => Number(isTemplate),
        width: 1.1,
      },
      {
        key: 'kind',
        title: t('machines.kind'),
        cell: ({ kind }) => t(kindNames[kind]),
        sort: ({ kind }) => kind,
        width: 1.15,
      },
      {
        key: 'date',
        title: t('storage.contentFrom'),
        cell: ({ createdAt, packagesFrom }) => <Ago at={createdAt ?? packagesFrom} />,
        sort: ({ createdAt, packagesFrom = '' }) => createdAt ?? packagesFrom,
        width: 1.25,
      },
      {
        key: 'disk',
        title: t('storage.leastDisk'),
        cell: ({ diskMebibytes }) => (diskMebibytes === undefined ? '—' : bytes(diskMebibytes * mebibyte)),
        sort: ({ diskMebibytes = 0 }) => diskMebibytes,
        width: 1.25,
      },
      {
        key: 'machines',
        title: t('storage.machines'),
        cell: ({ name }) => users(name),
        sort: ({ name }) => users(name),
        width: 1,
      },
    ];
    if (!isAdmin) return common;
    return [
      ...common,
      {
        key: 'actions',
        title: t('common.actions'),
        cell: ({ name, isTemplate, isBuilt }) => (
          <span className="nova-row-actions">
            {isBuilt && <PageLink to={`/machines/new?image=${name}`}>{t('machines.create')}</PageLink>}
            {isTemplate && (
              <Button
                variant="link"
                isInline
                isDanger
                aria-label={t('storage.deleteNamed', { name })}
                onClick={() => setLeaving(name)}
              >
                {t('storage.delete')}
              </Button>
            )}
          </span>
        ),
        width: 2.1,
      },
    ];
  }, [t, bytes, machines, isAdmin]);
  return (
    <>
      <PageHead title={t('storage.templates')} description={t('storage.templatesHint')} />
      <PageBody>
        <QueryView query={images}>
          {(rows) => (
            <DataTable
              label={t('storage.templates')}
              rows={rows}
              columns={columns}
              rowKey={imageKey}
              text={imageText}
              empty={<Nothing icon={LayerGroupIcon} title={t('storage.noImages')} />}
            />
          )}
        </QueryView>
      </PageBody>
      {leaving !== undefined && (
        <ConfirmByName
          name={leaving}
          title={t('storage.deleteTemplateTitle', { name: leaving })}
          action={t('storage.delete')}
          onClose={() => setLeaving(undefined)}
          onAction={async () => {
            await universe.deleteTemplate({ params: { template: leaving } });
            await client.invalidateQueries({ queryKey: keys.machineImages });
          }}
        >
          <p>{t('storage.deleteTemplateText')}</p>
        </ConfirmByName>
      )}
    </>
  );
}

const imageKey = ({ name }: MachineImage) => name;
const imageText = ({ name, description = '' }: MachineImage) => `${name} ${description}`;
