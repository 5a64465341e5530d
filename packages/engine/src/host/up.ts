import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { ProblemError, problem } from '@nova-platform/api';
import { engineClient } from '@nova-platform/contracts/engine/client';
import type { SiteAddresses } from '@nova-platform/plan';
import { attempt, run, waitUntil } from '@nova-platform/process';
import { detectDatapath, prepareRoot } from '@nova-platform/sdn';
import { buildImage } from '../images/build.ts';
import { networkRoot } from '../paths.ts';
import { logPath } from '../supervisor.ts';
import { versionOf } from '../version.ts';
import { checkHost, type Finding } from './check.ts';
import { startOvirt, stopOvirt } from './ovirt.ts';
import { isOvirtInstalled } from './ovirt-program.ts';
import { isOvirtOn } from './ovirt-switch.ts';
import { restartService, startServices } from './services.ts';
import { checkSite, chooseSite } from './site.ts';

export type Progress = (step: string) => void;

const neededWatchers = 8192;
const upTimeoutMilliseconds = 30_000;

/** Sets up this host to run machines. Every step is idempotent. */
export async function hostUp(
  program: readonly string[],
  progress: Progress,
  addresses: Partial<SiteAddresses> = {},
): Promise<void> {
  await checkSite(addresses);
  await installMissing(progress);
  await chooseSite(addresses);
  const { layers } = await buildImage('network', (line) => progress(`network image: ${line}`));
  await allowManyWatchers();
  progress('networks');
  await mountNetworkRoot(layers);
  await prepareRoot(networkRoot, { datapath: await detectDatapath() });
  await startServices(program);
  progress('engine');
  const version = versionOf(program.at(-1) ?? '');
  if ((await engineAnswers()).version !== version) {
    // Machines and networks continue, as after a crash.
    await restartService(program, 'nova-engine');
    await engineAnswers(version);
  }
  const isOn = await isOvirtOn();
  if (!isOn && !isOvirtInstalled()) return;
  progress('oVirt-compatible API');
  // Completes what a crash interrupted.
  await (isOn ? startOvirt(program) : stopOvirt(program));
}

/** Installs missing Debian packages. */
export async function installMissing(progress: Progress): Promise<void> {
  const missing = (await checkHost()).filter(({ isThere }) => !isThere);
  const unfixable = missing.filter(({ packages, isOptional }) => !packages && !isOptional);
  if (unfixable.length > 0)
    throw new ProblemError(...unfixable.map(({ what, remedy }) => problem('NOVA7032', { what, remedy })));
  const packagesOf = (isWanted: (finding: Finding) => boolean) =>
    missing.filter(isWanted).flatMap(({ packages = [] }) => packages);
  await install(
    packagesOf(({ isOptional }) => !isOptional),
    progress,
  );
  const optional = packagesOf(({ isOptional }) => isOptional === true);
  await install(optional, progress).catch(() => progress(`not installed: ${optional.join(', ')}`));
}

async function install(packages: readonly string[], progress: Progress): Promise<void> {
  if (packages.length === 0) return;
  if (!(await attempt('sh', ['-c', 'command -v apt-get']))) {
    throw new ProblemError(
      ...packages.map((name) =>
        problem('NOVA7032', {
          what: name,
          remedy: { en: 'Install it with your package manager.', ru: 'Установите его пакетным менеджером.' },
        }),
      ),
    );
  }
  progress(`installing ${packages.join(', ')}`);
  await run('apt-get', ['-q', 'update']);
  await run('env', [
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    // A fresh host often runs an upgrade of its own at first.
    '-o',
    'DPkg::Lock::Timeout=300',
    '-q',
    '-y',
    'install',
    '--no-install-recommends',
    ...packages,
  ]);
}

/** Every machine has inotify watchers, and all of them count against the limit of this host. */
async function allowManyWatchers(): Promise<void> {
  const file = '/proc/sys/fs/inotify/max_user_instances';
  if (Number(await readFile(file, 'utf8')) < neededWatchers) await writeFile(file, String(neededWatchers));
}

/** The daemons of the network run in a clone of their image and in the host's network namespace. */
async function mountNetworkRoot(layers: readonly string[]): Promise<void> {
  if (await attempt('mountpoint', ['-q', networkRoot])) return;
  const [upper, work] = [`${networkRoot}.upper`, `${networkRoot}.work`];
  for (const folder of [networkRoot, upper, work]) await mkdir(folder, { recursive: true });
  await run('mount', [
    '-t',
    'overlay',
    'nova-network',
    '-o',
    `lowerdir=${layers.join(':')},upperdir=${upper},workdir=${work}`,
    networkRoot,
  ]);
}

/** Waits for the engine. It responds once networks and machines match their records. */
async function engineAnswers(version?: string): Promise<{ version: string }> {
  let found = '';
  const check = async () => {
    const health = await engineClient.health().catch(() => undefined);
    found = health?.version ?? '';
    return health && (version === undefined || found === version) ? undefined : 'nova-engine';
  };
  await waitUntil(check, {
    every: 50,
    within: upTimeoutMilliseconds,
    expired: (what) => new ProblemError(problem('NOVA7033', { what, log: logPath(what), command: 'nova-ctl host up' })),
  });
  return { version: found };
}
