import { ProblemError, problem } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import type { ovirtRoles } from '@nova-platform/contracts/ovirt';
import { type OvirtClient, ovirtClient } from '@nova-platform/contracts/ovirt/client';
import { command, type Result } from '../../../command.ts';
import type { Context } from '../../../context.ts';
import type { OutputFlags } from '../../../group.ts';
import type { Output } from '../../../output.ts';
import { newPassword } from '../../../passwords.ts';
import { assertRoot } from '../../../root.ts';
import { clock } from '../../../time.ts';
import { table } from '../../../tree.ts';

export interface AddFlags {
  role: (typeof ovirtRoles)[number];
  output: Output;
}

export const add = command<AddFlags, [name: string]>(async function ({ role, output }, name) {
  const client = await runningApi();
  await client.createUser({ body: { name, role, password: await newPassword(this, output) } });
  const { t, style } = this;
  const added = t({
    en: `The user ${name} is added with the role ${role}.`,
    ru: `Пользователь ${name} добавлен с ролью ${role}.`,
  });
  return { data: { name, role }, text: `${style.green('✓')} ${added}` };
});

export async function list(this: Context): Promise<Result> {
  const { t } = this;
  const users = await (await runningApi()).listUsers({});
  const head = [
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'ROLE', ru: 'РОЛЬ' }),
    t({ en: 'TOKENS', ru: 'ТОКЕНЫ' }),
    t({ en: 'CREATED', ru: 'СОЗДАН' }),
  ];
  const rows = users.map(({ name, role, tokens, createdAt }) => [name, role, String(tokens), clock(createdAt)]);
  return { data: { users }, text: table([head, ...rows]).join('\n') };
}

export async function remove(this: Context, _flags: OutputFlags, name: string): Promise<Result> {
  const { t, style } = this;
  await (await runningApi()).removeUser({ params: { name } });
  const removed = t({
    en: `The user ${name} is removed with all tokens.`,
    ru: `Пользователь ${name} удалён вместе с токенами.`,
  });
  return { data: { removed: name }, text: `${style.green('✓')} ${removed}` };
}

export const password = command<OutputFlags, [name: string]>(async function ({ output }, name) {
  const client = await runningApi();
  await client.changePassword({ params: { name }, body: { password: await newPassword(this, output) } });
  const { t, style } = this;
  const changed = t({
    en: `The password of ${name} is changed, and its tokens have ended.`,
    ru: `Пароль ${name} изменён, его токены больше не действуют.`,
  });
  return { data: { changed: name }, text: `${style.green('✓')} ${changed}` };
});

/** The API stores its users itself. */
async function runningApi(): Promise<OvirtClient> {
  assertRoot();
  if (!(await engineClient.isOvirtOn())) throw new ProblemError(problem('NOVA7660', {}));
  return ovirtClient;
}
