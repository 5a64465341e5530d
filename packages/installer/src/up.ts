import { type Module, modules } from '@nova-platform/api';
import type { RegistryAccess } from '@nova-platform/contracts/registry/client';
import type { UniverseClient } from '@nova-platform/contracts/universe/client';
import { fluxComponents } from '@nova-platform/delivery/build';
import type { SiteAddresses } from '@nova-platform/plan';
import { Builds, usualSecondsOf } from './builds.ts';
import type { Step } from './step.ts';
import { type Session, userAccess } from './steps/access.ts';
import { components, image, vmImages } from './steps/builds.ts';
import { clusters } from './steps/clusters.ts';
import { engineIdentity } from './steps/engine-identity.ts';
import { firstCluster, firstClusterModule } from './steps/first-cluster.ts';
import { host } from './steps/host.ts';
import { type Publishing, platformRelease, registryImages } from './steps/release.ts';
import { type Settings, settings } from './steps/settings.ts';
import { addresses } from './steps/site.ts';
import { services, universeMachine } from './steps/universe.ts';

export interface UpOptions {
  /** The version of the release that this program belongs to. */
  release: string;
  /** Addresses to set this host up with; those that are left out stay as they are. */
  addresses: Partial<SiteAddresses>;
  /** Settings of Universe to change. */
  settings: Settings;
  /** Whether to create a cluster if the site has none. */
  withFirstCluster: boolean;
  session: Session;
  /** Universe and its registry, as the logged-in user. */
  universe: () => UniverseClient;
  registry: () => Promise<RegistryAccess>;
}

const universeComponents = ['distribution', 'coredns', 'opentofu'];
const nodeComponents = ['kubernetes', 'etcd'];
/** The first images of a cluster, and an application to try it with. */
const clusterImages = ['pause', 'coredns', 'nettest'];

export interface UpSteps extends AsyncDisposable {
  /** The steps until Universe and a first cluster are usable. */
  first: Step[];
  /** One step per module of the first cluster; each waits for the programs of the module. */
  modules: Step[];
}

/** The steps that install the platform on a Linux host, in order. */
export function upSteps(options: UpOptions): UpSteps {
  const { universe, registry, release, withFirstCluster } = options;
  const builds = new Builds();
  const publishing = { builds, universe, registry, release };
  let isStarted = false;
  const ordered = modules.toSorted((one, other) => buildTime(one) - buildTime(other));
  return {
    [Symbol.asyncDispose]: () => builds[Symbol.asyncDispose](),
    first: [
      addresses(options.addresses, withFirstCluster),
      buildsStarted(builds, [
        ...universeComponents,
        ...(withFirstCluster
          ? [...nodeComponents, ...clusterImages, ...fluxComponents, ...ordered.flatMap((module) => module.components)]
          : []),
      ]),
      host(options.addresses, () => {
        isStarted = true;
      }),
      components(
        { en: 'programs of Universe, from source', ru: 'программы Universe, из исходников' },
        builds,
        universeComponents,
      ),
      image('universe'),
      universeMachine,
      userAccess(options.session),
      engineIdentity(universe),
      settings(options.settings),
      services(universe),
      clusters(universe, () => isStarted),
      ...(withFirstCluster ? clusterSteps(publishing) : []),
    ],
    modules: withFirstCluster ? ordered.map((module) => firstClusterModule(publishing, module)) : [],
  };
}

function clusterSteps(publishing: Publishing): Step[] {
  return [
    components(
      { en: 'programs of clusters, from source', ru: 'программы кластеров, из исходников' },
      publishing.builds,
      [...nodeComponents, ...clusterImages],
    ),
    image('kubernetes-node'),
    vmImages(publishing.universe),
    registryImages(publishing, clusterImages),
    platformRelease(publishing),
    firstCluster(publishing),
  ];
}

/** The builds continue while the next steps prepare the host. */
function buildsStarted(builds: Builds, names: readonly string[]): Step {
  return {
    title: { en: 'builds in the background', ru: 'сборка в фоне' },
    run: (report) => builds.start([...new Set(names)], report),
  };
}

/** The build time of a module and of the modules that it needs. */
function buildTime({ components: own, needs }: Module): number {
  const needed = modules.filter(({ name }) => needs.includes(name));
  return usualSecondsOf(own) + needed.reduce((sum, module) => sum + buildTime(module), 0);
}
