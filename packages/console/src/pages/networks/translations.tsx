import { useMemo } from 'react';
import type { NetworkDetails } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Nothing } from '../../parts/empty.tsx';

interface Row {
  key: string;
  type: string;
  from: string;
  to: string;
  more: string;
}

/** Translated and balanced addresses, and routes of a network. */
export function Translations({ network }: { network: NetworkDetails }) {
  const { t } = useWords();
  const rows = useMemo(() => rowsOf(network, t('network.route'), t('network.balancer')), [network, t]);
  const columns = useMemo(
    (): Column<Row>[] => [
      { key: 'type', title: t('common.type'), cell: ({ type }) => type, sort: ({ type }) => type, width: 1 },
      { key: 'from', title: t('network.from'), cell: ({ from }) => from, sort: ({ from }) => from, width: 1.6 },
      { key: 'to', title: t('network.to'), cell: ({ to }) => to, width: 2 },
      { key: 'ports', title: t('network.ports'), cell: ({ more }) => more, width: 1.6 },
    ],
    [t],
  );
  return (
    <DataTable
      label={t('network.translations')}
      rows={rows}
      columns={columns}
      rowKey={({ key }) => key}
      empty={<Nothing title={t('network.noTranslations')} />}
    />
  );
}

function rowsOf({ router, loadBalancers }: NetworkDetails, route: string, balancer: string): Row[] {
  return [
    ...router.nat.map(({ type, externalAddress, address, ports }) =>
      // Outbound addresses become the external one; inbound ones become those of a machine.
      type === 'snat'
        ? { key: `snat ${address}`, type: 'SNAT', from: address, to: externalAddress, more: '' }
        : {
            key: `${type} ${externalAddress}`,
            type: 'DNAT',
            from: externalAddress,
            to: address,
            more: ports.join(', '),
          },
    ),
    ...router.routes.map(({ network, via }) => ({
      key: `route ${network}`,
      type: route,
      from: network,
      to: via,
      more: '',
    })),
    ...loadBalancers.map(({ name: of, address, backends }) => ({
      key: `balancer ${of} ${address}`,
      type: balancer,
      from: address,
      to: backends.join(', '),
      more: '',
    })),
  ];
}
