import { sizeTexts } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { command, type Result } from '../../../command.ts';
import { type ConfirmFlags, unconfirmed } from '../../../confirmed.ts';
import type { Context } from '../../../context.ts';
import type { OutputFlags } from '../../../group.ts';
import type { Output } from '../../../output.ts';
import { table } from '../../../tree.ts';

export interface CreateFlags {
  description?: string;
  output: Output;
}

export async function list(this: Context, _flags: OutputFlags, machine: string): Promise<Result> {
  const { t } = this;
  const snapshots = await engineClient.snapshots(machine);
  const head = [
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'CREATED', ru: 'СОЗДАН' }),
    t({ en: 'USED', ru: 'ЗАНЯТО' }),
    t({ en: 'CONSISTENT', ru: 'СОГЛАСОВАН' }),
    t({ en: 'DISKS', ru: 'ДИСКИ' }),
    t({ en: 'DESCRIPTION', ru: 'ОПИСАНИЕ' }),
  ];
  const rows = snapshots.map(({ name, createdAt, usedBytes, isFrozen, disks, description }) => [
    name,
    createdAt,
    t(sizeTexts(usedBytes)),
    isFrozen ? t({ en: 'yes', ru: 'да' }) : t({ en: 'as after a power failure', ru: 'как после сбоя питания' }),
    disks.join(', ') || '—',
    description,
  ]);
  return { data: snapshots, text: table([head, ...rows]).join('\n') };
}

export const create = command<CreateFlags, [machine: string, name: string]>(async function (
  { description = '' },
  machine,
  name,
) {
  const snapshot = await engineClient.createSnapshot(machine, { name, description });
  const done = this.t({
    en: `The snapshot ${name} of ${machine} is created.`,
    ru: `Снимок ${name} машины ${machine} создан.`,
  });
  return { data: snapshot, text: `${this.style.green('✓')} ${done}` };
});

export const restore = command<ConfirmFlags, [machine: string, name: string]>(async function (flags, machine, name) {
  const effect = {
    en: `The disks of ${machine} get their content from the snapshot ${name}; everything written since then is lost.`,
    ru: `Диски машины ${machine} получат содержимое снимка ${name}; всё записанное после него пропадёт.`,
  };
  const refused = await unconfirmed(this, flags, effect, {});
  if (refused) return refused;
  const restored = await engineClient.restoreSnapshot(machine, name);
  const done = this.t({ en: `${machine} is restored from ${name}.`, ru: `${machine}: восстановлен снимок ${name}.` });
  return { data: restored, text: `${this.style.green('✓')} ${done}\n\n  nova-ctl machine restart ${machine}` };
});

export const remove = command<ConfirmFlags, [machine: string, name: string]>(async function (flags, machine, name) {
  const effect = {
    en: `This deletes the snapshot ${name} of ${machine}.`,
    ru: `Снимок ${name} машины ${machine} будет удалён.`,
  };
  const refused = await unconfirmed(this, flags, effect, {});
  if (refused) return refused;
  await engineClient.deleteSnapshot(machine, name);
  const done = this.t({ en: `The snapshot ${name} is deleted.`, ru: `Снимок ${name} удалён.` });
  return { data: { deleted: name }, text: `${this.style.green('✓')} ${done}` };
});
