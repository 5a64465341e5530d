import { useMemo } from 'react';
import type { Machine } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { PageLink } from '../../parts/link.tsx';
import { kindNames, MachineLabel } from './machine-state.tsx';

export const mebibyte = 1024 ** 2;

/** Columns of lists of machines. */
export function useMachineColumns(): Column<Machine>[] {
  const { t, bytes } = useWords();
  return useMemo(
    (): Column<Machine>[] => [
      {
        key: 'name',
        title: t('common.name'),
        cell: ({ name }) => <PageLink to={`/machines/${name}`}>{name}</PageLink>,
        sort: ({ name }) => name,
        width: 1.3,
      },
      {
        key: 'state',
        title: t('common.state'),
        cell: ({ state }) => <MachineLabel state={state} isCompact />,
        sort: ({ state }) => state,
        width: 1.2,
      },
      {
        key: 'kind',
        title: t('machines.kind'),
        cell: ({ kind }) => t(kindNames[kind]),
        sort: ({ kind }) => kind,
        width: 1.1,
      },
      { key: 'image', title: t('common.image'), cell: ({ image }) => image, sort: ({ image }) => image, width: 1.2 },
      {
        key: 'network',
        title: t('machines.network'),
        cell: ({ network, address }) =>
          network === undefined ? (
            '—'
          ) : (
            <>
              <PageLink to={`/networks/${network}`}>{network}</PageLink> <span className="nova-quiet">{address}</span>
            </>
          ),
        sort: ({ network = '', address = '' }) => `${network} ${address}`,
        width: 1.55,
      },
      { key: 'cpu', title: t('common.cpu'), cell: ({ cpu }) => cpu, sort: ({ cpu }) => cpu, width: 0.7 },
      {
        key: 'memory',
        title: t('overview.memory'),
        cell: ({ memoryMebibytes }) => bytes(memoryMebibytes * mebibyte),
        sort: ({ memoryMebibytes }) => memoryMebibytes,
        width: 1,
      },
      {
        key: 'disk',
        title: t('overview.disk'),
        cell: ({ diskMebibytes }) => (diskMebibytes === undefined ? '—' : bytes(diskMebibytes * mebibyte)),
        sort: ({ diskMebibytes = 0 }) => diskMebibytes,
        width: 0.85,
      },
      {
        key: 'cluster',
        title: t('common.cluster'),
        cell: ({ cluster }) =>
          cluster === undefined ? '—' : <PageLink to={`/clusters/${cluster}`}>{cluster}</PageLink>,
        sort: ({ cluster = '' }) => cluster,
        width: 0.9,
      },
    ],
    [t, bytes],
  );
}

export const machineKey = ({ name }: Machine) => name;
export const machineText = ({ name, image, network = '', address = '', cluster = '' }: Machine) =>
  `${name} ${image} ${network} ${address} ${cluster}`;
