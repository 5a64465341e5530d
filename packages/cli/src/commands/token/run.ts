import { command, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { badValue } from '../../failure.ts';
import type { OutputFlags } from '../../group.ts';
import type { Output } from '../../output.ts';
import { oneLine } from '../../outside.ts';
import type { Role } from '../../parameters.ts';
import { ago, clock } from '../../time.ts';
import { table } from '../../tree.ts';
import { universeOf } from '../../universe.ts';
import { lifetime } from '../../values.ts';

export interface CreateFlags {
  role: Role;
  ttl?: string;
  name: string;
  user?: string;
  output: Output;
}

export async function list(this: Context): Promise<Result> {
  const { t, io, language, style } = this;
  const { tokens } = await universeOf(io).client.listTokens({});
  if (tokens.length === 0) return { data: { tokens }, text: t({ en: 'There are no tokens.', ru: 'Токенов нет.' }) };
  const head = [
    t({ en: 'ID', ru: 'ID' }),
    t({ en: 'USER', ru: 'ВЛАДЕЛЕЦ' }),
    t({ en: 'ROLE', ru: 'РОЛЬ' }),
    t({ en: 'PURPOSE', ru: 'НАЗНАЧЕНИЕ' }),
    t({ en: 'USED', ru: 'ИСПОЛЬЗОВАН' }),
    t({ en: 'VALID UNTIL', ru: 'ДЕЙСТВУЕТ ДО' }),
  ];
  const rows = tokens.map(({ id, user, role, name, usedAt, expiresAt }) => [
    oneLine(id),
    oneLine(user),
    role,
    oneLine(name),
    usedAt === undefined ? '—' : ago(usedAt, language),
    Date.parse(expiresAt) <= Date.now() ? style.dim(t({ en: 'expired', ru: 'истёк' })) : clock(expiresAt),
  ]);
  return { data: { tokens }, text: table([head, ...rows], { width: io.stdout.columns, yielding: 3 }).join('\n') };
}

/** Ten years. */
const longestDays = 3650;

export const create = command<CreateFlags, []>(async function ({ role, ttl, name, user }) {
  const { io, t, style } = this;
  const seconds = ttl === undefined ? undefined : lifetime('--ttl', ttl, longestDays);
  const { client, connection } = universeOf(io);
  // Root on Universe's own machine is not a Universe user.
  if ('socketPath' in connection && user === undefined) {
    throw badValue('--user', { en: 'the name of a user', ru: 'имя пользователя' });
  }
  const { token, created } = await client.createAccessToken({
    body: { name, role, ...(seconds !== undefined && { seconds }), ...(user !== undefined && { user }) },
  });
  const facts = table([
    [t({ en: 'id', ru: 'id' }), created.id],
    [t({ en: 'user', ru: 'владелец' }), oneLine(created.user)],
    [t({ en: 'role', ru: 'роль' }), created.role],
    [t({ en: 'valid until', ru: 'действует до' }), clock(created.expiresAt)],
  ]);
  return {
    data: { token, ...created },
    text: [
      `${style.green('✓')} ${t({ en: 'The token is shown only now. Keep it secret.', ru: 'Токен показан только сейчас. Храните его в секрете.' })}`,
      '',
      `  ${style.bold(token)}`,
      '',
      ...facts.map((line) => `  ${line}`),
    ].join('\n'),
  };
});

export const remove = command<OutputFlags, [id: string]>(async function (_flags, id) {
  const { io, t, style } = this;
  await universeOf(io).client.removeToken({ params: { id } });
  return {
    data: { removed: id },
    text: `${style.green('✓')} ${t({ en: `The token ${id} is revoked.`, ru: `Токен ${id} отозван.` })}`,
  };
});
