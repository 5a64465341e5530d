import { modules } from '@nova-platform/api';
import type { RegistryAccess } from '@nova-platform/contracts/registry/client';
import type { UniverseClient } from '@nova-platform/contracts/universe/client';
import type { SiteAddresses } from '@nova-platform/plan';
import { releaseComponents } from './release-content.ts';
import type { Step } from './step.ts';
import { type Session, userAccess } from './steps/access.ts';
import { components, image } from './steps/builds.ts';
import { engineIdentity } from './steps/engine-identity.ts';
import { firstCluster } from './steps/first-cluster.ts';
import { host } from './steps/host.ts';
import { platformRelease, registryImages } from './steps/release.ts';
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

const universeComponents = ['distribution', 'coredns'];
const nodeComponents = ['kubernetes', 'etcd'];
const imageComponents = ['pause', ...releaseComponents(modules)];

/** Everything that makes a platform out of a Linux host, in order. */
export function upSteps(options: UpOptions): Step[] {
  const { universe } = options;
  return [
    addresses(options.addresses, options.withFirstCluster),
    host(options.addresses),
    components(
      { en: 'programs of Universe, from source', ru: 'программы Universe, из исходников' },
      universeComponents,
    ),
    image('universe'),
    universeMachine,
    userAccess(options.session),
    engineIdentity(universe),
    settings(options.settings),
    services(universe),
    ...(options.withFirstCluster ? clusterSteps(options) : []),
  ];
}

function clusterSteps({ universe, registry, release }: UpOptions): Step[] {
  return [
    components({ en: 'programs of clusters, from source', ru: 'программы кластеров, из исходников' }, [
      ...nodeComponents,
      ...imageComponents,
    ]),
    image('kubernetes-node'),
    registryImages(registry, imageComponents),
    platformRelease(universe, release),
    firstCluster(universe),
  ];
}
