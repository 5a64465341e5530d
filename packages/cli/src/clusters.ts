import { type MachineKind, ProblemError, type Text } from '@nova-platform/api';
import { configClient } from '@nova-platform/contracts/config-manager/client';
import {
  type ClusterPlan,
  checkAgainstPlans,
  checkClusters,
  type DeclaredClusters,
  isOutdated,
  type OutdatedPlan,
  type Site,
  siteOf,
} from '@nova-platform/plan';
import { chosenContext } from './contexts.ts';
import type { HintedProblem } from './failure.ts';
import type { Io } from './io.ts';
import { readDocuments, readPlanFile } from './read.ts';
import { localSite } from './site.ts';
import { knownUniverse } from './universe.ts';

interface ClusterFlags {
  file?: readonly string[];
  against?: string;
  beside?: readonly string[];
}

const defaultFiles = ['cluster.yaml'];

/** Reads the named documents and validates every cluster in them, also against each other and against saved plans. */
export async function readClusters(io: Io, { file = defaultFiles, against, beside = [] }: ClusterFlags) {
  const current = against === undefined ? undefined : await readPlanFile(io, against);
  const others = await Promise.all(beside.map((name) => readPlanFile(io, name)));
  return checkClusters(await readDocuments(io, file), () => ({ current, others }), await localSite());
}

/** Like readClusters, but also against the plans of a server that this release can read. */
export async function readClustersBeside(
  io: Io,
  file: readonly string[] = defaultFiles,
  plans: readonly (ClusterPlan | OutdatedPlan)[],
  site: Site,
): Promise<DeclaredClusters> {
  const readable = plans.flatMap((plan) => (isOutdated(plan) ? [] : [plan]));
  return checkAgainstPlans(await readDocuments(io, file), readable, site);
}

/** The site of Universe and the plans of its clusters. */
export interface UniverseClusters {
  site: Site;
  plans: ClusterPlan[];
  /** The kind of machines that suits the host; absent while the host is unreachable. */
  hostKind?: MachineKind;
}

const offlineHint: Text = {
  en: 'Add --offline to work without Universe. ',
  ru: 'Чтобы работать без Universe, добавьте --offline. ',
};

/** Undefined without a login. Clusters that this release cannot read are left out. */
export async function universeClusters(io: Io): Promise<UniverseClusters | undefined> {
  const universe = isLoggedOut(io) ? undefined : knownUniverse(io);
  if (!universe) return undefined;
  try {
    const [addresses, plans, host] = await Promise.all([
      universe.client.site({}),
      configClient(universe.call, '/api').listPlans({}),
      universe.client.showHost({}).catch(() => undefined),
    ]);
    return {
      site: siteOf(addresses),
      plans: plans.flatMap((plan) => (isOutdated(plan) ? [] : [plan])),
      ...(host && { hostKind: host.hasKvm ? 'vm' : 'container' }),
    };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new ProblemError(...error.problems.map((each): HintedProblem => ({ ...each, hint: offlineHint })));
  }
}

/** After a logout, the context remains without a token. */
function isLoggedOut(io: Io): boolean {
  if (io.env.NOVA_UNIVERSE_SOCKET) return false;
  const chosen = chosenContext(io);
  return chosen !== undefined && chosen.context.token === undefined;
}
