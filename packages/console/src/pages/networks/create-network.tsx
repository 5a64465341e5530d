import { freeNodeNetwork } from '@nova-platform/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type HostNetwork, universe } from '../../api/client.ts';
import { keys, networksQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { NameField, TextField } from '../../parts/fields.tsx';
import { freeName } from '../../parts/free-name.ts';

/** Creates a network; proposes a free one. */
export function CreateNetwork({ taken, onClose }: { taken: readonly HostNetwork[]; onClose: () => void }) {
  const { t } = useWords();
  const client = useQueryClient();
  const [, go] = useLocation();
  const { data: others, isPending } = useQuery(networksQuery);
  const [typed, setTyped] = useState({ name: '', network: '' });
  const ownName = freeName(
    'net',
    taken.map(({ name }) => name),
  );
  const proposed = freeNodeNetwork([...(others ?? []), ...taken.map(({ network }) => network)]);
  const body = { name: typed.name || ownName, network: typed.network || proposed };
  return (
    <Dialog
      title={t('network.create')}
      action={t('declare.create')}
      isReady={!isPending}
      onClose={onClose}
      onAction={async () => {
        await universe.createNetwork({ body });
        void client.invalidateQueries({ queryKey: keys.hostNetworks });
        go(`/networks/${body.name}`);
      }}
    >
      <NameField
        id="network-name"
        value={typed.name}
        ownName={ownName}
        onChange={(name) => setTyped({ ...typed, name })}
      />
      <TextField
        id="network-addresses"
        label={t('network.addresses')}
        value={typed.network}
        placeholder={isPending ? '' : t('declare.defaultHint', { value: proposed })}
        hint={t('network.addressesHint')}
        onChange={(network) => setTyped({ ...typed, network: network.trim() })}
      />
      <p>{t('network.createText')}</p>
    </Dialog>
  );
}
