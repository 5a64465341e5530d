import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import type { CloudConfig } from './cloud-config.ts';
import type { MachineRecord } from './record.ts';
import { makeFolderIn, readIn, resolveIn, writeIn } from './root-files.ts';

const firstUserId = 1000;
const millisecondsPerDay = 86_400_000;

/**
 * Writes the configuration of a machine that has never run. It runs no program of the machine, because on the host that
 * would run as root. Idempotent.
 */
export async function configureRoot(
  { hostname, card, machineId, cloudConfig }: MachineRecord,
  root: string,
): Promise<void> {
  const { users, write_files: files, ssh_authorized_keys: rootKeys } = cloudConfig;
  for (const user of users) await addUser(root, user);
  const owned = { owner: 'root:root', permissions: '0644' };
  const own: CloudConfig['write_files'] = [
    { ...owned, path: '/etc/hostname', content: `${hostname}\n` },
    { ...owned, path: '/etc/hosts', content: `127.0.0.1 localhost\n${card?.address ?? '127.0.1.1'} ${hostname}\n` },
    { ...owned, path: '/etc/machine-id', content: `${machineId}\n`, permissions: '0444' },
    ...users.flatMap(({ name, sudo }) =>
      sudo ? [{ ...owned, path: `/etc/sudoers.d/90-${name}`, content: `${name} ${sudo}\n`, permissions: '0440' }] : [],
    ),
  ];
  await authorizeKeys(root, '/root', 'root', rootKeys);
  for (const { name, ssh_authorized_keys: keys } of users) await authorizeKeys(root, `/home/${name}`, name, keys);
  for (const { path, content, permissions, owner } of [...own, ...files])
    await writeIn(root, path, content, { mode: Number.parseInt(permissions, 8), ...(await idsOf(root, owner)) });
}

async function authorizeKeys(root: string, home: string, owner: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const ids = await idsOf(root, `${owner}:${owner}`);
  await makeFolderIn(root, `${home}/.ssh`, { mode: 0o700, ...ids });
  await writeIn(root, `${home}/.ssh/authorized_keys`, `${keys.join('\n')}\n`, { mode: 0o600, ...ids });
}

/** The same as `useradd --create-home`: without a password, in a group of its own. */
async function addUser(root: string, { name, shell }: CloudConfig['users'][number]): Promise<void> {
  const [passwd, group] = await Promise.all([readIn(root, '/etc/passwd'), readIn(root, '/etc/group')]);
  const taken = new Set([...idsIn(passwd).values(), ...idsIn(group).values()]);
  let free = firstUserId;
  while (taken.has(free)) free += 1;
  const gid = idsIn(group).get(name) ?? free;
  const uid = idsIn(passwd).get(name) ?? free;
  const today = Math.floor(Date.now() / millisecondsPerDay);
  const home = `/home/${name}`;
  await addLine(root, '/etc/group', `${name}:x:${gid}:`);
  await addLine(root, '/etc/gshadow', `${name}:!::`);
  await addLine(root, '/etc/shadow', `${name}:!:${today}:0:99999:7:::`);
  await addLine(root, '/etc/passwd', `${name}:x:${uid}:${gid}::${home}:${shell}`);
  await makeFolderIn(root, home, { mode: 0o700, uid, gid });
  const skeleton = await resolveIn(root, '/etc/skel');
  for (const entry of await readdir(skeleton, { withFileTypes: true }).catch(() => []))
    if (entry.isFile())
      await writeIn(root, join(home, entry.name), await readFile(join(skeleton, entry.name)), {
        mode: 0o644,
        uid,
        gid,
      });
}

/** Adds a line to an account file unless the account has one. */
async function addLine(root: string, path: string, line: string): Promise<void> {
  const place = await resolveIn(root, path);
  const [text, { mode, uid, gid }] = await Promise.all([readFile(place, 'utf8'), stat(place)]);
  const [name = ''] = line.split(':');
  if (text.split('\n').some((each) => each.startsWith(`${name}:`))) return;
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  await writeIn(root, place.slice(root.length), `${ended}${line}\n`, { mode: mode & 0o7777, uid, gid });
}

/** The IDs of `user` or `user:group` in the image's own files. */
async function idsOf(root: string, owner: string): Promise<{ uid: number; gid: number }> {
  if (owner === 'root:root') return { uid: 0, gid: 0 };
  const [user = '', group] = owner.split(':');
  const uid = idsIn(await readIn(root, '/etc/passwd')).get(user);
  const gid = group === undefined ? 0 : idsIn(await readIn(root, '/etc/group')).get(group);
  if (uid === undefined || gid === undefined) throw new ProblemError(problem('NOVA7050', { owner }));
  return { uid, gid };
}

/** Names and IDs in /etc/passwd or /etc/group. */
function idsIn(text: string): Map<string, number> {
  const fields = text.split('\n').map((line) => line.split(':'));
  return new Map(fields.filter(([name]) => name).map(([name = '', , id]) => [name, Number(id)]));
}
