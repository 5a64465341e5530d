import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Disk, type Machine, universe } from '../../api/client.ts';
import { disksQuery, machinesQuery } from '../../api/machine-queries.ts';
import { capacityQuery, keys } from '../../api/queries.ts';
import { useWords } from '../../language.tsx';
import { ConfirmByName, Dialog } from '../../parts/dialog.tsx';
import { Choice, NameField, SizeField, TextField } from '../../parts/fields.tsx';
import { freeName } from '../../parts/free-name.ts';
import { OtherProblems } from '../../parts/problems.tsx';
import { useProblems } from '../../parts/use-problems.ts';
import { mebibyte } from '../machines/machine-columns.tsx';

export type DiskAction =
  | { what: 'create'; machine?: string }
  | { what: 'attach'; machine: string }
  | { what: 'grow' | 'attach' | 'detach' | 'delete'; disk: Disk };

/** The dialog of an action on disks. */
export function DiskDialog({ action, onClose }: { action: DiskAction; onClose: () => void }) {
  const { t } = useWords();
  const renew = useRenewed();
  if (action.what === 'create') return <CreateDisk machine={action.machine} onClose={onClose} />;
  if (action.what === 'attach') return <AttachDisk {...action} onClose={onClose} />;
  if (action.what === 'grow') return <GrowDisk disk={action.disk} onClose={onClose} />;
  const { name, machine = '' } = action.disk;
  if (action.what === 'detach') {
    return (
      <Dialog
        title={t('storage.detachTitle', { name, machine })}
        action={t('storage.detach')}
        onClose={onClose}
        onAction={async () => renew(await universe.detachDisk({ params: { machine, disk: name } }))}
      >
        <p>{t('storage.detachText')}</p>
      </Dialog>
    );
  }
  return (
    <ConfirmByName
      name={name}
      title={t('storage.deleteDiskTitle', { name })}
      action={t('storage.delete')}
      onClose={onClose}
      onAction={async () => renew(await universe.deleteDisk({ params: { disk: name } }))}
    >
      <p>{t('storage.deleteDiskText')}</p>
    </ConfirmByName>
  );
}

/** Reads disks and what they use of the host again. */
function useRenewed() {
  const client = useQueryClient();
  return async (_changed: unknown) => {
    void client.invalidateQueries({ queryKey: keys.capacity });
    await client.invalidateQueries({ queryKey: keys.disks });
  };
}

const usualSize = 10 * 1024;

/** Creates a disk; for a machine, attaches it too. */
function CreateDisk({ machine, onClose }: { machine: string | undefined; onClose: () => void }) {
  const { t, bytes } = useWords();
  const renew = useRenewed();
  const { data: disks = [] } = useQuery(disksQuery);
  const { data: machines = [] } = useQuery(machinesQuery);
  const { data: capacity } = useQuery(capacityQuery);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<Disk['format']>();
  const [sizeMebibytes, setSize] = useState(usualSize);
  const target = machines.find((each) => each.name === machine);
  const format = chosen ?? formatFor(target);
  const ownName = freeName(
    'disk',
    disks.map((disk) => disk.name),
  );
  const name = typed || ownName;
  const [path, setPath] = useState('');
  const body = { name, format, sizeMebibytes };
  const { problems, isReady, at } = useProblems('disk', body, universe.checkDisk);
  return (
    <Dialog
      title={machine === undefined ? t('storage.createDisk') : t('storage.createDiskFor', { machine })}
      action={t('declare.create')}
      isReady={isReady}
      onClose={onClose}
      onAction={async () => {
        await universe.createDisk({ body });
        // A disk that cannot be attached stays, and can be attached later.
        try {
          if (machine !== undefined)
            await universe.attachDisk({ params: { machine, disk: name }, body: placeOf(format, path, name) });
        } finally {
          await renew(undefined);
        }
      }}
    >
      <NameField id="disk-name" value={typed} ownName={ownName} problems={at('name')} onChange={setTyped} />
      <SizeField
        id="disk-size"
        label={t('storage.size')}
        mebibytes={sizeMebibytes}
        hint={capacity && t('declare.availableOnHost', { available: bytes(capacity.disk.freeBytes) })}
        problems={at('sizeMebibytes')}
        onChange={setSize}
      />
      {target ? null : (
        <Choice
          id="disk-format"
          label={t('storage.format')}
          value={format}
          hint={t('storage.formatHint')}
          options={[
            ['filesystem', t('storage.filesystem')],
            ['block', t('storage.block')],
          ]}
          onChange={(value) => setChosen(value as Disk['format'])}
        />
      )}
      {target && format === 'filesystem' && <PathField value={path} name={name} onChange={setPath} />}
      <OtherProblems problems={problems} fields={['name', 'sizeMebibytes']} />
    </Dialog>
  );
}

/** Attaches a given disk to a machine, or one of the free disks to a given machine. */
function AttachDisk({ disk, machine, onClose }: { disk?: Disk; machine?: string; onClose: () => void }) {
  const { t, bytes } = useWords();
  const renew = useRenewed();
  const { data: disks = [] } = useQuery(disksQuery);
  const { data: machines = [] } = useQuery(machinesQuery);
  const [wantedDisk, setWantedDisk] = useState(disk?.name ?? '');
  const [wantedMachine, setWantedMachine] = useState(machine ?? '');
  const [path, setPath] = useState('');
  const given = machines.find((each) => each.name === machine);
  const free = disks.filter(
    (each) => each.machine === undefined && each.cluster === undefined && (!given || each.format === formatFor(given)),
  );
  const usable = machines.filter((each) => each.cluster === undefined && (!disk || formatFor(each) === disk.format));
  const chosen = disk ?? free.find(({ name }) => name === wantedDisk) ?? free[0];
  const target = wantedMachine || usable[0]?.name;
  return (
    <Dialog
      title={disk ? t('storage.attachTitle', { name: disk.name }) : t('storage.attachTo', { machine: machine ?? '' })}
      action={t('storage.attach')}
      isReady={chosen !== undefined && target !== undefined}
      onClose={onClose}
      onAction={async () => {
        if (!chosen || target === undefined) return;
        const params = { machine: target, disk: chosen.name };
        await renew(await universe.attachDisk({ params, body: placeOf(chosen.format, path, chosen.name) }));
      }}
    >
      {disk ? (
        usable.length === 0 ? (
          <p>{t('storage.noMachines')}</p>
        ) : (
          <Choice
            id="attach-machine"
            label={t('network.machine')}
            value={target ?? ''}
            options={usable.map(({ name }) => [name, name])}
            onChange={setWantedMachine}
          />
        )
      ) : free.length === 0 ? (
        <p>{t('storage.noFreeDisks')}</p>
      ) : (
        <Choice
          id="attach-disk"
          label={t('storage.disk')}
          value={chosen?.name ?? ''}
          options={free.map(({ name, sizeMebibytes }) => [name, `${name} · ${bytes(sizeMebibytes * mebibyte)}`])}
          onChange={setWantedDisk}
        />
      )}
      {chosen?.format === 'filesystem' && <PathField value={path} name={chosen.name} onChange={setPath} />}
      {chosen?.format === 'block' && (
        <p className="nova-quiet">{t('storage.deviceHint', { path: `/dev/disk/by-id/virtio-${chosen.name}` })}</p>
      )}
    </Dialog>
  );
}

function PathField({ value, name, onChange }: { value: string; name: string; onChange: (path: string) => void }) {
  const { t } = useWords();
  return (
    <TextField
      id="disk-path"
      label={t('storage.path')}
      hint={t('storage.pathHint')}
      value={value}
      placeholder={t('declare.defaultHint', { value: usualPath(name) })}
      onChange={(path) => onChange(path.trim())}
    />
  );
}

function GrowDisk({ disk: { name, sizeMebibytes }, onClose }: { disk: Disk; onClose: () => void }) {
  const { t, bytes } = useWords();
  const renew = useRenewed();
  const [size, setSize] = useState(sizeMebibytes);
  return (
    <Dialog
      title={t('storage.growTitle', { name })}
      action={t('storage.grow')}
      isReady={size > sizeMebibytes}
      onClose={onClose}
      onAction={async () => renew(await universe.growDisk({ params: { disk: name }, body: { sizeMebibytes: size } }))}
    >
      <SizeField
        id="grow-size"
        label={t('storage.size')}
        hint={t('machines.now', { size: bytes(sizeMebibytes * mebibyte) })}
        mebibytes={size}
        onChange={setSize}
      />
      <p>{t('storage.growText')}</p>
    </Dialog>
  );
}

/** Containers mount a file system; VMs get a block device. */
function formatFor(machine: Machine | undefined): Disk['format'] {
  return machine?.kind === 'vm' ? 'block' : 'filesystem';
}

const usualPath = (disk: string) => `/mnt/${disk}`;

function placeOf(format: Disk['format'], path: string, disk: string): { path?: string } {
  return format === 'filesystem' ? { path: path || usualPath(disk) } : {};
}
