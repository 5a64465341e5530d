import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import { importLayout, type RegistryAccess, RegistryWriter } from '@nova-platform/contracts/registry/client';
import type { UniverseClient } from '@nova-platform/contracts/universe/client';
import { contentDigest } from '@nova-platform/delivery/build';
import {
  buildComponent,
  buildInTurn,
  cacheFolder,
  chooseComponents,
  emptyGoCachesWhenBuilt,
  findBuilt,
  findToolchain,
  notBuilt,
  readComponents,
} from '@nova-platform/distro';
import { clientEndpoint, engineClient, hostUp } from '@nova-platform/engine';
import { defaultSite } from '@nova-platform/plan';
import type { Context } from '../../context.ts';
import { execIn } from '../../machine-exec.ts';
import { release } from '../../release.ts';
import { releaseComponents, releaseContent, releaseFolder } from '../../release-content.ts';
import type { Step } from '../../steps.ts';
import { doingText } from '../component/build-progress.ts';

/** What Universe's image is made of, what runs on nodes, and what nodes pull. */
export const components = {
  universe: ['distribution', 'coredns'],
  nodes: ['kubernetes', 'etcd'],
  images: ['pause', ...releaseComponents],
} as const;
const renewBeforeDays = 30;
const patience = 60_000;
const settingsFile = '/var/lib/nova/universe/settings.json';

export const host: Step = {
  title: { en: 'networks and engine', ru: 'сети и движок' },
  run: async (say) => {
    const before = await engineClient.health().catch(() => undefined);
    await hostUp([process.execPath, join(import.meta.dirname, 'nova-engine.js')], say);
    return before?.version !== (await engineClient.health()).version;
  },
};

export const builtComponents = (title: Text, names: readonly string[], t: Context['t']): Step => ({
  title,
  run: async (say) => {
    const toolchain = await findToolchain(cacheFolder(), say);
    const missing = await notBuilt(chooseComponents(await readComponents(), names), toolchain);
    if (missing.length === 0) return false;
    await buildInTurn(missing, toolchain, async (component, index) => {
      const of = `${component.name} ${index + 1}/${missing.length}`;
      await buildComponent(component, {
        toolchain,
        onProgress: ({ doing, part, detail = '' }) =>
          say(`${of}: ${Math.round(part * 100)}% ${t(doingText[doing])} ${detail}`),
      });
    });
    await emptyGoCachesWhenBuilt(toolchain);
    return true;
  },
});

export const builtImage = (image: string): Step => ({
  title: { en: `image ${image}`, ru: `образ ${image}` },
  run: async (say) => {
    const isBuilt = (await engineClient.images()).some(({ name, isBuilt: is }) => name === image && is);
    if (!isBuilt) await engineClient.buildImage(image, say);
    return !isBuilt;
  },
});

/** What nodes of clusters pull. */
export const importedImages = (access: () => Promise<RegistryAccess>, names: readonly string[]): Step => ({
  title: { en: 'images in the registry', ru: 'образы в реестре' },
  run: async (say) => {
    const toolchain = await findToolchain(cacheFolder(), say);
    const writer = new RegistryWriter(await access());
    let isChanged = false;
    for (const component of chooseComponents(await readComponents(), names)) {
      const built = await findBuilt(component, toolchain);
      if (!built) throw new ProblemError(problem('NOVA8214', { component: component.name }));
      const sent = await importLayout(join(built.folder, 'images'), 'nova', writer, (image) => say(image));
      isChanged ||= sent.some((image) => image.sent > 0);
    }
    return isChanged;
  },
});

/** The release that this nova-ctl belongs to. A checkout that has moved on since is a release of its own. */
export const importedRelease = (client: () => UniverseClient): Step => ({
  title: { en: 'release', ru: 'выпуск' },
  run: async () => {
    const folder = releaseFolder();
    const { releases } = await client().listReleases({});
    const send = async (version: string) => {
      const files = await releaseContent(folder, version);
      await client().importRelease({ params: { release: version }, body: { files } });
      return !releases.includes(version);
    };
    try {
      return await send(release);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problems[0]?.code !== 'NOVA8405') throw error;
      return send(`${release}-${contentDigest(await releaseContent(folder, release)).slice(0, 8)}`);
    }
  },
});

/** Its data is in a volume: a machine of a newer image takes the place of the old one. */
export const machine: Step = {
  title: { en: 'machine of Universe', ru: 'машина Universe' },
  run: async (say) => {
    const image = (await engineClient.images()).find(({ name }) => name === 'universe');
    const current = (await engineClient.machines()).find(({ name }) => name === 'universe');
    const isCurrent = current?.imageDigest === image?.digest && current?.state === 'running';
    if (!isCurrent) {
      if (current) {
        say('replacing it by one of the current release');
        await engineClient.deleteMachine('universe');
      }
      await engineClient.createMachine({
        name: 'universe',
        image: 'universe',
        network: 'integration',
        address: defaultSite.universe.address,
        cpu: 2,
        memoryMebibytes: 2048,
        volumes: [{ name: 'universe', path: '/var/lib/nova' }],
      });
    }
    say('waiting for Universe');
    await answers();
    return !isCurrent;
  },
};

/** Universe drives the engine with an identity of its own. */
export const engineKnowsUniverse = (client: () => UniverseClient): Step => ({
  title: { en: 'identity of Universe toward the engine', ru: 'удостоверение Universe для движка' },
  run: async () => {
    const { publicKey, notAfter } = await client().engineIdentity({});
    const isGood = notAfter !== undefined && Date.parse(notAfter) - Date.now() > renewBeforeDays * 24 * 3600_000;
    if (isGood && (await isEngineReached(client()))) return false;
    const { certificate, authority } = await engineClient.createClient('universe', publicKey);
    await client().acceptEngineIdentity({ body: { certificate, authority, ...clientEndpoint } });
    return true;
  },
});

/** What differs from site to site; what nobody speaks of stays as it is. */
export const settings = (wanted: { nameServers?: readonly string[]; certificateHours?: number }): Step => ({
  title: { en: 'settings', ru: 'настройки' },
  run: async () => {
    if (Object.keys(wanted).length === 0) return false;
    const text = await execIn('universe', ['sh', '-c', `cat ${settingsFile} 2>/dev/null || echo '{}'`]);
    const current = JSON.parse(text) as object;
    const changed = { ...current, ...wanted };
    if (isDeepStrictEqual(changed, current)) return false;
    const install = ['install', '-m', '600', '-o', 'nova', '-g', 'nova', '/dev/stdin', settingsFile];
    await execIn('universe', install, JSON.stringify(changed, null, 2));
    await execIn('universe', ['systemctl', 'restart', 'nova-universe', 'nova-registry']);
    await answers();
    return true;
  },
});

export const readyServices = (client: () => UniverseClient): Step => ({
  title: { en: 'services', ru: 'сервисы' },
  run: async (say) => {
    const deadline = Date.now() + patience;
    for (;;) {
      const { services } = await client().status({});
      const missing = services.filter(({ isReady }) => !isReady);
      if (missing.length === 0) return false;
      const waiting = missing.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
      if (Date.now() > deadline)
        throw new ProblemError(
          problem('NOVA7033', { what: waiting, log: 'nova-ctl machine exec universe journalctl' }),
        );
      say(waiting);
      await sleep(250);
    }
  },
});

/** One late answer is no reason for a new identity. */
async function isEngineReached(client: UniverseClient): Promise<boolean> {
  for (let tries = 0; tries < 3; tries += 1) {
    const { services } = await client.status({});
    if (services.some(({ name, isReady }) => name === 'engine' && isReady)) return true;
  }
  return false;
}

/** Until Universe answers in its machine, which knows no network before its first moment. */
async function answers(): Promise<void> {
  const deadline = Date.now() + patience;
  const ask = ['curl', '-sf', '--unix-socket', '/run/nova/universe.sock', 'http://universe/api/v1/ready'];
  for (;;) {
    try {
      await execIn('universe', ask);
      return;
    } catch {
      if (Date.now() > deadline)
        throw new ProblemError(
          problem('NOVA7033', { what: 'Universe', log: 'nova-ctl machine exec universe journalctl -u nova-universe' }),
        );
      await sleep(250);
    }
  }
}
