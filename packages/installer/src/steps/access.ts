import { randomBytes } from 'node:crypto';
import { execIn } from '@nova-platform/contracts/engine/client';
import { keptSite } from '@nova-platform/engine';
import type { Step } from '../step.ts';

/** A session with Universe, to be kept by the program that runs the steps. */
export interface Login {
  server: string;
  /** Certificates (PEM) that sign the server's certificate. */
  authority: string;
  token: string;
  user: string;
  /** Set only if the user was created just now. */
  password?: string;
}

export interface Session {
  /** Whether the saved session is an administrator's at this server. */
  isAdmin: (server: string) => Promise<boolean>;
  save: (login: Login) => void;
}

const adminUser = 'admin';
const tokenDays = 365;

/** Root on this host is an administrator of Universe: Universe's machine issues the token. */
export const userAccess = (session: Session): Step => ({
  title: { en: 'access', ru: 'доступ' },
  run: async () => {
    const server = `https://${(await keptSite()).universe.externalAddress}`;
    if (await session.isAdmin(server)) return false;
    const { users } = await novaCtl<{ users: { name: string }[] }>('user', 'list');
    let password: string | undefined;
    if (!users.some(({ name }) => name === adminUser)) {
      password = randomBytes(12).toString('base64url');
      await execIn('universe', ['nova-ctl', 'user', 'create', adminUser, '--role', 'admin'], `${password}\n`);
    }
    const create = `token create --user ${adminUser} --role admin --ttl ${tokenDays}d`.split(' ');
    const { token } = await novaCtl<{ token: string }>(...create, '--name', 'nova-ctl up');
    const authority = await localAuthority();
    session.save({ server, authority, token, user: adminUser, ...(password !== undefined && { password }) });
    return true;
  },
});

async function novaCtl<T>(...words: string[]): Promise<T> {
  return JSON.parse(await execIn('universe', ['nova-ctl', ...words, '--output', 'json'])) as T;
}

/** Read inside the machine, where no third party can replace it. */
async function localAuthority(): Promise<string> {
  const body = await execIn('universe', [
    'curl',
    '--silent',
    '--fail',
    '--unix-socket',
    '/run/nova/universe.sock',
    'http://universe/api/v1/authority',
  ]);
  return (JSON.parse(body) as { certificate: string }).certificate;
}
