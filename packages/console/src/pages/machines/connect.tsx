import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { universe } from '../../api/client.ts';
import { hostNetworksQuery } from '../../api/machine-queries.ts';
import { useWords } from '../../language.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Choice, TextField } from '../../parts/fields.tsx';

interface ConnectProps {
  machine: string;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Connects a stopped machine to a network. */
export function Connect({ machine, onClose, onDone }: ConnectProps) {
  const { t } = useWords();
  const { data: networks = [] } = useQuery(hostNetworksQuery);
  const own = networks.filter(({ cluster }) => cluster === undefined);
  const [chosen, setChosen] = useState('');
  const [address, setAddress] = useState('');
  const network = chosen || (own[0]?.name ?? '');
  return (
    <Dialog
      title={t('machines.connectTitle', { name: machine })}
      action={t('machines.connectAction')}
      isReady={network !== ''}
      onClose={onClose}
      onAction={async () => {
        const body = { network, ...(address !== '' && { address }) };
        await universe.connectMachine({ params: { machine }, body });
        await onDone();
      }}
    >
      <Choice
        id="card-network"
        label={t('common.network')}
        value={network}
        options={own.map((each) => [each.name, `${each.name} · ${each.network}`])}
        onChange={setChosen}
      />
      <TextField
        id="card-address"
        label={t('common.address')}
        value={address}
        placeholder={t('machines.anyAddress')}
        onChange={(value) => setAddress(value.trim())}
      />
    </Dialog>
  );
}
