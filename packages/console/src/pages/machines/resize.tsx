import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type MachineDetails, universe } from '../../api/client.ts';
import { capacityQuery } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { CpuField, SizeField } from '../../parts/fields.tsx';
import { HostTotals } from '../declare/host-totals.tsx';
import { mebibyte } from './machine-columns.tsx';

interface ResizeProps {
  machine: MachineDetails;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Changes the size of a machine; shows beforehand when it applies, and what it needs on the host. */
export function Resize({ machine, onClose, onDone }: ResizeProps) {
  const { t, bytes } = useWords();
  const { data: capacity } = useQuery(capacityQuery);
  const { name, state, kind, diskMebibytes } = machine;
  const [cpu, setCpu] = useState(machine.cpu);
  const [memory, setMemory] = useState(machine.memoryMebibytes);
  const [disk, setDisk] = useState(diskMebibytes ?? 0);
  const changes = {
    ...(cpu !== machine.cpu && { cpu }),
    ...(memory !== machine.memoryMebibytes && { memoryMebibytes: memory }),
    ...(diskMebibytes !== undefined && disk !== diskMebibytes && { diskMebibytes: disk }),
  };
  const isSmaller = diskMebibytes !== undefined && disk < diskMebibytes;
  const isChanged = Object.keys(changes).length > 0;
  const more = {
    processors: { needed: Math.max(0, cpu - machine.cpu), available: capacity?.processors.total ?? 0 },
    memory: {
      needed: Math.max(0, memory - machine.memoryMebibytes) * mebibyte,
      available: capacity?.memory.availableBytes ?? 0,
    },
    disk: {
      needed: Math.max(0, disk - (diskMebibytes ?? 0)) * mebibyte,
      available: capacity?.disk.freeBytes ?? 0,
    },
  };
  const when =
    state !== 'running' ? 'machines.resizeStopped' : kind === 'vm' ? 'machines.resizeVm' : 'machines.resizeNow';
  return (
    <Dialog
      title={t('machines.resizeTitle', { name })}
      action={t('common.apply')}
      isReady={isChanged && !isSmaller && memory > 0}
      onClose={onClose}
      onAction={async () => {
        await universe.resizeMachine({ params: { machine: name }, body: changes });
        await onDone();
      }}
    >
      <CpuField
        id="resize-cpu"
        label={t('common.cpu')}
        hint={t('clusters.currentCount', { count: machine.cpu })}
        value={cpu}
        onChange={setCpu}
      />
      <SizeField
        id="resize-memory"
        label={t('overview.memory')}
        hint={t('machines.now', { size: bytes(machine.memoryMebibytes * mebibyte) })}
        mebibytes={memory}
        onChange={setMemory}
      />
      {diskMebibytes === undefined ? (
        <p className="nova-quiet">{t('machines.diskOfHost')}</p>
      ) : (
        <SizeField
          id="resize-disk"
          label={t('overview.disk')}
          hint={t(isSmaller ? 'machines.diskOnlyGrows' : 'machines.now', { size: bytes(diskMebibytes * mebibyte) })}
          mebibytes={disk}
          onChange={setDisk}
        />
      )}
      <p>{t(when)}</p>
      {capacity && isChanged && <HostTotals resources={more} isMore />}
    </Dialog>
  );
}
