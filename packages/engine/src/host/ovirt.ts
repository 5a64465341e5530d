import { chown, mkdir, rm } from 'node:fs/promises';
import { ProblemError, problem } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { ovirtClientName, ovirtFolder, ovirtUser } from '@nova-platform/contracts/ovirt';
import { ovirtClient } from '@nova-platform/contracts/ovirt/client';
import { attempt, run, waitUntil } from '@nova-platform/process';
import { faultPoint } from '../fault.ts';
import { clientEndpoint } from '../paths.ts';
import { logPath } from '../supervisor.ts';
import { installOvirt, removeOvirtProgram, writeOvirtVersion } from './ovirt-program.ts';
import { removeService, restartService } from './services.ts';
import { keptSite } from './site.ts';

const day = 24 * 3600_000;
const renewBefore = 30 * day;
const startTimeoutMilliseconds = 30_000;

/** Switches the oVirt-compatible API on. `up` completes what a crash interrupts. */
export async function enableOvirt(program: readonly string[]): Promise<void> {
  await engineClient.changeOvirt(true);
  faultPoint('ovirt.on');
  await startOvirt(program);
}

/** Starts the API, or restarts it with new code. Every step is idempotent. */
export async function startOvirt(program: readonly string[]): Promise<void> {
  await createUser();
  const isNew = await installOvirt();
  const health = () => ovirtClient.health({}).catch(() => undefined);
  if (isNew || !(await health())) await restartService(program, ovirtUser);
  await writeOvirtVersion();
  await responding(async () => (await health()) !== undefined);
  await certify();
  await responding(async () => (await health())?.isServed === true);
}

/** Switches the API off. With `purge`, users and all other data of the API are removed as well. */
export async function disableOvirt(program: readonly string[], { purge }: { purge: boolean }): Promise<void> {
  await engineClient.changeOvirt(false);
  faultPoint('ovirt.off');
  await stopOvirt(program);
  if (!purge) return;
  await rm(ovirtFolder, { recursive: true, force: true });
  faultPoint('ovirt.purged');
  await removeOvirtUser();
}

/** Removes everything of the API but its data. The program is last: while it is there, `up` knows that it has to go on. */
export async function stopOvirt(program: readonly string[]): Promise<void> {
  await removeService(program, ovirtUser);
  const clients = await engineClient.clients();
  if (clients.some(({ name }) => name === ovirtClientName)) await engineClient.revokeClient(ovirtClientName);
  faultPoint('ovirt.revoked');
  await removeOvirtProgram();
}

export async function removeOvirtUser(): Promise<void> {
  if (await userExists()) await run('userdel', [ovirtUser]);
}

function userExists(): Promise<boolean> {
  return attempt('getent', ['passwd', ovirtUser]);
}

/** The user of the API, and the only folder that it can write to. Root never writes there. */
async function createUser(): Promise<void> {
  if (!(await userExists())) {
    const options = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin'];
    await run('useradd', [...options, '--home-dir', ovirtFolder, ovirtUser]);
  }
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number(await run('id', [option, ovirtUser]))),
  );
  await mkdir(ovirtFolder, { recursive: true, mode: 0o700 });
  await chown(ovirtFolder, uid ?? 0, gid ?? 0);
}

/** Gives the API its certificate as a client of the engine. */
async function certify(): Promise<void> {
  const { publicKey, notAfter } = await ovirtClient.engineIdentity({});
  const end = Date.parse(notAfter ?? '');
  // A crash may have left another one in the list of the engine, which the API never got.
  const isAccepted = (await engineClient.clients()).some(
    (client) => client.name === ovirtClientName && Date.parse(client.notAfter) === end,
  );
  if (isAccepted && end - Date.now() > renewBefore) return;
  const issued = await engineClient.createClient(ovirtClientName, publicKey);
  faultPoint('ovirt.certified');
  await ovirtClient.acceptEngineIdentity({ body: { ...issued, ...clientEndpoint(await keptSite()) } });
}

async function responding(isReady: () => Promise<boolean>): Promise<void> {
  await waitUntil(async () => ((await isReady()) ? undefined : ovirtUser), {
    every: 50,
    within: startTimeoutMilliseconds,
    expired: (what) =>
      new ProblemError(problem('NOVA7033', { what, log: logPath(what), command: 'nova-ctl host ovirt enable' })),
  });
}
