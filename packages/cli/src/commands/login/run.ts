import { ProblemError, problem } from '@nova-platform/api';
import { fingerprintOf } from '@nova-platform/pki';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { chosenContext, contextName, readContexts, saveContext, type UniverseContext } from '../../contexts.ts';
import { badValue } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { promptsOf, secretLines } from '../../prompts.ts';
import { clock } from '../../time.ts';
import { table } from '../../tree.ts';
import { serverOf, strangerAt, universeAt } from '../../universe.ts';

export interface LoginFlags {
  fingerprint?: string;
  user?: string;
  token?: string;
  name?: string;
  output: Output;
}

export const run = command<LoginFlags, [url?: string]>(async function (flags, url) {
  const { io } = this;
  const before = url === undefined ? chosenContext(io) : undefined;
  if (url === undefined && !before) throw new ProblemError(problem('NOVA8332', {}));
  const server = serverOf(url ?? before?.context.server ?? '');
  const name = contextName('--name', flags.name ?? before?.name ?? new URL(server).host);

  const known = before?.context ?? Object.values(readContexts(io).contexts).find((each) => each.server === server);
  const authority =
    before && flags.fingerprint === undefined
      ? before.context.authority
      : await trustedAuthority(this, server, known?.authority, flags);
  // Check the server's certificate before sending a secret.
  await universeAt({ server, authority }).client.health({});

  const who = flags.token === undefined ? await byPassword(this, { server, authority }, flags, known?.user) : undefined;
  const login = who ?? (await byToken(this, { server, authority }, flags.token ?? ''));
  saveContext(io, name, { server, authority, ...login }, { makeCurrent: true });
  const { user, role, expiresAt } = login;
  return { data: { context: name, server, user, role, expiresAt }, text: doneText(this, server, login) };
});

type Login = Pick<UniverseContext, 'user' | 'role' | 'expiresAt'> & { token: string };
type Server = Pick<UniverseContext, 'server' | 'authority'>;

/** The CA that the server reports, after the user has confirmed its fingerprint. */
async function trustedAuthority(
  context: Context,
  server: string,
  known: string | undefined,
  { fingerprint: given, output }: LoginFlags,
): Promise<string> {
  const expected = given === undefined ? known && fingerprintOf(known) : digits(given);
  const authority = await reportedAuthority(server);
  const fingerprint = fingerprintOf(authority);
  if (expected !== undefined) {
    if (fingerprint === expected) return authority;
    throw new ProblemError(problem('NOVA8333', { server, fingerprint }));
  }
  const { t } = context;
  const prompts = await promptsOf(context, output);
  if (!prompts) {
    throw badValue('--fingerprint', {
      en: 'the fingerprint of the server, as `nova-ctl up` shows it; without a terminal it cannot be confirmed',
      ru: 'отпечаток сервера, как его показывает `nova-ctl up`: без терминала подтвердить его нельзя',
    });
  }
  const isRight = await prompts.yes(
    t({
      en: `${server} is a new server. The fingerprint of its CA is\n${fingerprint}\nDoes it match the fingerprint from the administrator?`,
      ru: `${server} — новый сервер. Отпечаток его CA:\n${fingerprint}\nСовпадает ли он с отпечатком от администратора?`,
    }),
  );
  if (isRight) return authority;
  throw new ProblemError(problem('NOVA8333', { server, fingerprint }));
}

/** The response is not trusted yet: a response without a CA certificate is not from Universe. */
async function reportedAuthority(server: string): Promise<string> {
  const noUniverse = problem('NOVA8331', {
    server,
    reason: { en: 'the server at this address is not Universe', ru: 'по этому адресу отвечает не Universe' },
  });
  const isUnreachable = (error: unknown) =>
    error instanceof ProblemError &&
    error.problems.every(({ code, params }) => code === 'NOVA8331' && params.server === server);
  const reported: unknown = await strangerAt(server)
    .authority({})
    .catch((error: unknown) => {
      throw isUnreachable(error) ? error : new ProblemError(noUniverse);
    });
  const { certificate } = (reported ?? {}) as { certificate?: unknown };
  if (typeof certificate === 'string' && certificate.includes('-----BEGIN CERTIFICATE-----')) return certificate;
  throw new ProblemError(noUniverse);
}

/** Accepts a fingerprint as people copy it: with the `SHA256:` prefix, in capitals, with colons. */
function digits(fingerprint: string): string {
  const plain = fingerprint
    .trim()
    .toLowerCase()
    .replace(/^sha256:/, '')
    .replaceAll(':', '');
  if (/^[0-9a-f]{64}$/.test(plain)) return plain;
  throw badValue('--fingerprint', { en: '64 hexadecimal digits', ru: '64 шестнадцатеричные цифры' });
}

async function byPassword(
  context: Context,
  server: Server,
  { user: given, output }: LoginFlags,
  knownUser: string | undefined,
): Promise<Login> {
  const { t, io } = context;
  const prompts = await promptsOf(context, output);
  const ask = (message: string, initial: string) =>
    prompts?.text(message, initial, (value) => (value === '' ? t({ en: 'a name', ru: 'имя' }) : undefined));
  const name = given ?? (await ask(t({ en: 'User name', ru: 'Имя пользователя' }), knownUser ?? 'admin')) ?? knownUser;
  if (name === undefined) {
    throw badValue('--user', { en: 'the name to log in with', ru: 'имя, под которым войти' });
  }
  const message = t({ en: `Password of ${name}`, ru: `Пароль ${name}` });
  const password = prompts ? await prompts.secret(message) : (await secretLines(io, ['password']))[0];
  const { token, user, role, expiresAt } = await universeAt(server).client.login({
    body: { user: name, password: password ?? '' },
  });
  return { token, user, role, expiresAt };
}

async function byToken({ io }: Context, server: Server, given: string): Promise<Login> {
  const token = given === '-' ? ((await secretLines(io, ['--token']))[0] ?? '') : given;
  // The token becomes part of a header.
  if (!/^[\w-]+$/.test(token)) {
    throw badValue('--token', {
      en: 'a token as `nova-ctl token create` prints it',
      ru: 'токен, как его вывел `nova-ctl token create`',
    });
  }
  const { client } = universeAt({ ...server, token });
  const { user, role } = await client.whoami({});
  const { tokens } = await client.listTokens({});
  const own = tokens.find(({ id }) => token.startsWith(`nova_${id}_`));
  return { token, user, role, ...(own && { expiresAt: own.expiresAt }) };
}

function doneText({ t, style }: Context, server: string, { user, role = '', expiresAt }: Login): string {
  const until = expiresAt === undefined ? '' : t({ en: `, until ${clock(expiresAt)}`, ru: `, до ${clock(expiresAt)}` });
  return [
    `${style.green('✓')} ${t({ en: `Logged in to ${server} as ${user} (${role})${until}.`, ru: `Вход в ${server} выполнен: ${user} (${role})${until}.` })}`,
    '',
    ...table([
      ['  nova-ctl status', style.dim(t({ en: 'show the state of Universe', ru: 'показать состояние Universe' }))],
      ['  nova-ctl operation list', style.dim(t({ en: 'list operations', ru: 'показать операции' }))],
    ]),
  ].join('\n');
}
