import { z } from 'zod';
import { type ClusterPlan, clusterPlan, mismatchOf } from './cluster-plan.ts';

/** A stored plan of another release that does not match the schema of this one. */
export const outdatedPlan = z
  .object({
    cluster: z.object({ name: z.string() }),
    isOutdated: z.literal(true),
    /** The first field that does not match. */
    field: z.string(),
  })
  .meta({ id: 'OutdatedPlan' });

export type OutdatedPlan = z.output<typeof outdatedPlan>;

/** Checks a plan from a store against the schema of this release. */
export function storedPlan(cluster: string, stored: unknown): ClusterPlan | OutdatedPlan {
  const { error } = clusterPlan.safeParse(stored);
  if (!error) return stored as ClusterPlan;
  return { cluster: { name: cluster }, isOutdated: true, field: mismatchOf(error) };
}

/** Checks plans from a store, each once for as long as its text stays the same: plans are large and read often. */
export class StoredPlans {
  readonly #read = new Map<string, { text: string; plan: ClusterPlan | OutdatedPlan }>();

  read(cluster: string, text: string): ClusterPlan | OutdatedPlan {
    const known = this.#read.get(cluster);
    if (known?.text === text) return known.plan;
    const plan = storedPlan(cluster, JSON.parse(text));
    this.#read.set(cluster, { text, plan });
    return plan;
  }
}

export function isOutdated(plan: ClusterPlan | OutdatedPlan): plan is OutdatedPlan {
  return 'isOutdated' in plan;
}

/**
 * Translates an outdated plan to this release: keeps the sections that still match, above all addresses, and takes the
 * others from `fresh`.
 */
export function translatedPlan(stored: unknown, fresh: ClusterPlan): ClusterPlan {
  const sections = Object.entries(clusterPlan.shape).flatMap(([name, schema]) => {
    const section = (stored as Record<string, unknown> | null)?.[name];
    return section !== undefined && schema.safeParse(section).success ? [[name, section]] : [];
  });
  return { ...fresh, ...(Object.fromEntries(sections) as Partial<ClusterPlan>) };
}
