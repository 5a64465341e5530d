import { command, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { badValue } from '../../failure.ts';
import type { OutputFlags } from '../../group.ts';
import type { Output } from '../../output.ts';
import { oneLine } from '../../outside.ts';
import type { Role } from '../../parameters.ts';
import { newPassword, oldAndNewPassword } from '../../passwords.ts';
import { clock } from '../../time.ts';
import { table } from '../../tree.ts';
import { universeOf } from '../../universe.ts';

export interface CreateFlags {
  role: Role;
  noPassword?: boolean;
  output: Output;
}

export interface ChangeFlags {
  role: Role;
  output: Output;
}

export async function list(this: Context): Promise<Result> {
  const { t, io } = this;
  const { users } = await universeOf(io).client.listUsers({});
  const head = [
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'ROLE', ru: 'РОЛЬ' }),
    t({ en: 'PASSWORD', ru: 'ПАРОЛЬ' }),
    t({ en: 'CREATED', ru: 'СОЗДАН' }),
  ];
  const rows = users.map(({ name, role, hasPassword, createdAt }) => [
    oneLine(name),
    role,
    hasPassword ? t({ en: 'yes', ru: 'есть' }) : t({ en: 'tokens only', ru: 'только токены' }),
    clock(createdAt),
  ]);
  return { data: { users }, text: table([head, ...rows]).join('\n') };
}

export const create = command<CreateFlags, [name: string]>(async function ({ role, noPassword, output }, name) {
  const { client } = universeOf(this.io);
  const password = noPassword ? undefined : await newPassword(this, output);
  await client.createUser({ body: { name, role, ...(password !== undefined && { password }) } });
  const { t, style } = this;
  const token = `nova-ctl token create --user ${name} --role ${role}`;
  return {
    data: { name, role, hasPassword: password !== undefined },
    text: [
      `${style.green('✓')} ${t({ en: `The user ${name} is added with the role ${role}.`, ru: `Пользователь ${name} добавлен с ролью ${role}.` })}`,
      ...(noPassword
        ? ['', `  ${token}   ${style.dim(t({ en: 'create a token for it', ru: 'создать для него токен' }))}`]
        : []),
    ].join('\n'),
  };
});

export const change = command<ChangeFlags, [name: string]>(async function ({ role }, name) {
  const { io, t, style } = this;
  await universeOf(io).client.changeUser({ params: { user: name }, body: { role } });
  return {
    data: { name, role },
    text: `${style.green('✓')} ${t({ en: `${name} now has the role ${role}.`, ru: `Теперь у ${name} роль ${role}.` })}`,
  };
});

export const password = command<OutputFlags, [name?: string]>(async function ({ output }, name) {
  const { io, t, style } = this;
  const { client, connection } = universeOf(io);
  if (name !== undefined) {
    const chosen = await newPassword(this, output);
    await client.changeUser({ params: { user: name }, body: { password: chosen } });
  } else {
    // Root on Universe's own machine is not a Universe user.
    if ('socketPath' in connection) throw badValue('NAME', { en: 'the name of a user', ru: 'имя пользователя' });
    await client.changePassword({ body: await oldAndNewPassword(this, output) });
  }
  const done =
    name === undefined
      ? t({ en: 'Your password is changed.', ru: 'Ваш пароль изменён.' })
      : t({ en: `The password of ${name} is changed.`, ru: `Пароль ${name} изменён.` });
  return { data: { changed: name ?? null }, text: `${style.green('✓')} ${done}` };
});

export const remove = command<OutputFlags, [name: string]>(async function (_flags, name) {
  const { io, t, style } = this;
  await universeOf(io).client.removeUser({ params: { user: name } });
  return {
    data: { removed: name },
    text: `${style.green('✓')} ${t({ en: `The user ${name} is removed with all tokens.`, ru: `Пользователь ${name} удалён вместе с токенами.` })}`,
  };
});
