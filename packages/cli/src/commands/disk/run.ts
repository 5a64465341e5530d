import { sizeTexts } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { command, type Result } from '../../command.ts';
import { type ConfirmFlags, unconfirmed } from '../../confirmed.ts';
import type { Context } from '../../context.ts';
import type { OutputFlags } from '../../group.ts';
import type { Output } from '../../output.ts';
import { mebibytes, mebibytesText } from '../../quantities.ts';
import { table } from '../../tree.ts';

export interface CreateFlags {
  size: string;
  format: 'filesystem' | 'block';
  output: Output;
}

export interface GrowFlags {
  size: string;
  output: Output;
}

export interface AttachFlags {
  path?: string;
  output: Output;
}

export async function list(this: Context): Promise<Result> {
  const { t } = this;
  const disks = await engineClient.disks();
  const head = [
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'FORMAT', ru: 'ФОРМАТ' }),
    t({ en: 'SIZE', ru: 'РАЗМЕР' }),
    t({ en: 'USED', ru: 'ЗАНЯТО' }),
    t({ en: 'MACHINE', ru: 'МАШИНА' }),
    t({ en: 'PATH', ru: 'ПУТЬ' }),
  ];
  const rows = disks.map(({ name, format, sizeMebibytes, usedBytes, machine = '—', path = '—' }) => [
    name,
    format,
    mebibytesText(this, sizeMebibytes),
    t(sizeTexts(usedBytes)),
    machine,
    path,
  ]);
  return { data: disks, text: table([head, ...rows]).join('\n') };
}

export const create = command<CreateFlags, [name: string]>(async function ({ size, format }, name) {
  const disk = await engineClient.createDisk({ name, format, sizeMebibytes: mebibytes('--size', size) });
  const next = `  nova-ctl disk attach ${name} MACHINE${format === 'filesystem' ? ' --path /data' : ''}`;
  const done = this.t({ en: `The disk ${name} is created.`, ru: `Диск ${name} создан.` });
  return { data: disk, text: `${this.style.green('✓')} ${done}\n\n${next}` };
});

export const grow = command<GrowFlags, [name: string]>(async function ({ size }, name) {
  const disk = await engineClient.growDisk(name, mebibytes('--size', size));
  const now = mebibytesText(this, disk.sizeMebibytes);
  return { data: disk, text: `${this.style.green('✓')} ${name}: ${now}` };
});

export const attach = command<AttachFlags, [name: string, machine: string]>(async function ({ path }, name, machine) {
  const disk = await engineClient.attachDisk(machine, name, path === undefined ? {} : { path });
  const place = disk.path ?? `/dev/disk/by-id/virtio-${name}`;
  return { data: disk, text: `${this.style.green('✓')} ${name}: ${machine}, ${place}` };
});

export async function detach(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  const disk = (await engineClient.disks()).find((each) => each.name === name);
  const done = this.t({ en: `The disk ${name} is attached to no machine.`, ru: `Диск ${name} не подключён к машине.` });
  if (disk && disk.machine === undefined) return { data: disk, text: done };
  // The engine reports an unknown disk.
  const detached = await engineClient.detachDisk(disk?.machine ?? name, name);
  return { data: detached, text: `${this.style.green('✓')} ${done}` };
}

export const remove = command<ConfirmFlags, [name: string]>(async function (flags, name) {
  const effect = {
    en: `This deletes the disk ${name} with all its data.`,
    ru: `Диск ${name} будет удалён со всеми данными.`,
  };
  const refused = await unconfirmed(this, flags, effect, {});
  if (refused) return refused;
  await engineClient.deleteDisk(name);
  const done = this.t({ en: `The disk ${name} is deleted.`, ru: `Диск ${name} удалён.` });
  return { data: { deleted: name }, text: `${this.style.green('✓')} ${done}` };
});
