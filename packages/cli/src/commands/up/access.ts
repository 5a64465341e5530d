import { randomBytes } from 'node:crypto';
import { defaultSite } from '@nova-platform/plan';
import { saveContext } from '../../contexts.ts';
import type { Io } from '../../io.ts';
import { execIn } from '../../machine-exec.ts';
import { universeOf } from '../../universe.ts';

export interface Access {
  user: string;
  isNew: boolean;
  /** Only where the user was made just now. */
  password?: string;
}

const admin = 'admin';
const tokenDays = 365;

/** Whoever is root on this host may come in as administrator: Universe's own machine hands out the token. */
export async function logIn(io: Io): Promise<Access> {
  if (await isLoggedIn(io)) return { user: admin, isNew: false };
  const ask = async <T>(...words: string[]) =>
    JSON.parse(await execIn('universe', ['nova-ctl', ...words, '--output', 'json'])) as T;

  const { users } = await ask<{ users: { name: string }[] }>('user', 'list');
  let password: string | undefined;
  if (!users.some(({ name }) => name === admin)) {
    password = randomBytes(12).toString('base64url');
    await execIn('universe', ['nova-ctl', 'user', 'create', admin, '--role', 'admin'], `${password}\n`);
  }
  const create = [
    'token',
    'create',
    '--user',
    admin,
    '--role',
    'admin',
    '--ttl',
    `${tokenDays}d`,
    '--name',
    'nova-ctl up',
  ];
  const { token } = await ask<{ token: string }>(...create);
  const { certificate } = await localAuthority();
  const server = `https://${defaultSite.universe.externalAddress}`;
  saveContext(io, 'local', { server, authority: certificate, token, user: admin }, { makeCurrent: true });
  return { user: admin, isNew: true, ...(password !== undefined && { password }) };
}

async function isLoggedIn(io: Io): Promise<boolean> {
  try {
    const { client, server } = universeOf(io);
    return server === `https://${defaultSite.universe.externalAddress}` && (await client.whoami({})).role === 'admin';
  } catch {
    return false;
  }
}

/** Asked inside its machine, where nobody can stand between. */
async function localAuthority(): Promise<{ certificate: string }> {
  const answer = await execIn('universe', [
    'curl',
    '--silent',
    '--fail',
    '--unix-socket',
    '/run/nova/universe.sock',
    'http://universe/api/v1/authority',
  ]);
  return JSON.parse(answer) as { certificate: string };
}
