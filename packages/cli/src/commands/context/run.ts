import { fingerprintOf } from '@nova-platform/pki';
import { command, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { changeContexts, contextNamed, readContexts, type UniverseContext } from '../../contexts.ts';
import type { OutputFlags } from '../../group.ts';
import { oneLine } from '../../outside.ts';
import { clock } from '../../time.ts';
import { table } from '../../tree.ts';

export async function list(this: Context): Promise<Result> {
  const { t, io, style } = this;
  const { current, contexts } = readContexts(io);
  const listed = Object.entries(contexts).map(([name, { authority, token, ...context }]) => ({
    name,
    isCurrent: name === current,
    isLoggedIn: token !== undefined,
    ...context,
    fingerprint: fingerprintOf(authority),
  }));
  const data = { contexts: listed };
  if (listed.length === 0) {
    return {
      data,
      text: [
        t({ en: 'There are no contexts yet.', ru: 'Контекстов ещё нет.' }),
        '',
        ...table([
          [
            '  nova-ctl up',
            style.dim(t({ en: 'start Universe on this host', ru: 'запустить Universe на этом хосте' })),
          ],
          [
            '  nova-ctl login https://…',
            style.dim(t({ en: 'log in to a running Universe', ru: 'войти в работающий Universe' })),
          ],
        ]),
      ].join('\n'),
    };
  }
  const head = [
    ' ',
    t({ en: 'NAME', ru: 'ИМЯ' }),
    t({ en: 'SERVER', ru: 'СЕРВЕР' }),
    t({ en: 'USER', ru: 'ПОЛЬЗОВАТЕЛЬ' }),
    t({ en: 'ROLE', ru: 'РОЛЬ' }),
    t({ en: 'LOGGED IN UNTIL', ru: 'ВХОД ДО' }),
  ];
  const rows = listed.map(({ name, isCurrent, server, user, role = '—' }) => [
    isCurrent ? style.green('*') : '',
    isCurrent ? style.bold(oneLine(name)) : oneLine(name),
    oneLine(server),
    oneLine(user),
    oneLine(role),
    untilText(this, contexts[name]),
  ]);
  return { data, text: table([head, ...rows], { width: io.stdout.columns, yielding: 2 }).join('\n') };
}

function untilText({ t, style }: Context, context: UniverseContext | undefined): string {
  const { token, expiresAt } = context ?? {};
  if (token === undefined) return style.dim(t({ en: 'logged out', ru: 'выход выполнен' }));
  if (expiresAt === undefined) return '—';
  const isExpired = Date.parse(expiresAt) <= Date.now();
  return isExpired
    ? style.yellow(t({ en: `expired ${clock(expiresAt)}`, ru: `истёк ${clock(expiresAt)}` }))
    : clock(expiresAt);
}

export const use = command<OutputFlags, [name: string]>(async function (_flags, name) {
  const { io, t, style } = this;
  const { server } = contextNamed(readContexts(io), name, 'NAME');
  changeContexts(io, (known) => ({ ...known, current: name }));
  return {
    data: { current: name, server },
    text: `${style.green('✓')} ${t({ en: `Commands use ${server} now.`, ru: `Теперь команды используют ${server}.` })}`,
  };
});

export const remove = command<OutputFlags, [name: string]>(async function (_flags, name) {
  const { io, t, style } = this;
  contextNamed(readContexts(io), name, 'NAME');
  changeContexts(io, ({ current, contexts: { [name]: _removed, ...contexts } }) => ({
    ...(current !== undefined && current !== name && { current }),
    contexts,
  }));
  return {
    data: { removed: name },
    text: `${style.green('✓')} ${t({ en: `The context ${name} is removed.`, ru: `Контекст ${name} удалён.` })}`,
  };
});
