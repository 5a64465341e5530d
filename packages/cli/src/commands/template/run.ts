import { engineClient } from '@nova-platform/contracts/engine/client';
import { command, type Result } from '../../command.ts';
import { type ConfirmFlags, unconfirmed } from '../../confirmed.ts';
import type { Context } from '../../context.ts';
import type { Output } from '../../output.ts';
import { mebibytesText } from '../../quantities.ts';
import { table } from '../../tree.ts';
import { assertNotFile } from '../machine/not-a-file.ts';

export interface CreateFlags {
  description?: string;
  output: Output;
}

export async function list(this: Context): Promise<Result> {
  const { t } = this;
  const templates = (await engineClient.images()).filter(({ isTemplate }) => isTemplate);
  const head = [
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'KIND', ru: 'ВИД' }),
    t({ en: 'SMALLEST DISK', ru: 'НАИМЕНЬШИЙ ДИСК' }),
    t({ en: 'CREATED', ru: 'СОЗДАН' }),
    t({ en: 'DESCRIPTION', ru: 'ОПИСАНИЕ' }),
  ];
  const rows = templates.map(({ name, kind, diskMebibytes, createdAt = '', description = '' }) => [
    name,
    kind,
    diskMebibytes === undefined ? '—' : mebibytesText(this, diskMebibytes),
    createdAt,
    description,
  ]);
  return { data: templates, text: table([head, ...rows]).join('\n') };
}

export const create = command<CreateFlags, [name: string, machine: string]>(async function (
  { description = '' },
  name,
  machine,
) {
  assertNotFile(machine);
  const template = await engineClient.createTemplate({ name, machine, description });
  const done = this.t({ en: `The template ${name} is created.`, ru: `Шаблон ${name} создан.` });
  return { data: template, text: `${this.style.green('✓')} ${done}\n\n  nova-ctl machine create NAME --image ${name}` };
});

export const remove = command<ConfirmFlags, [name: string]>(async function (flags, name) {
  const effect = { en: `This deletes the template ${name}.`, ru: `Шаблон ${name} будет удалён.` };
  const refused = await unconfirmed(this, flags, effect, {});
  if (refused) return refused;
  await engineClient.deleteTemplate(name);
  const done = this.t({ en: `The template ${name} is deleted.`, ru: `Шаблон ${name} удалён.` });
  return { data: { deleted: name }, text: `${this.style.green('✓')} ${done}` };
});
