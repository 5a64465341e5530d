import { type MachineKind, ProblemError, type Provider, problem } from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';
import type { InfrastructureProvider } from './provider.ts';

/** The kind of machines that suits the provider; undefined while it is unreachable. */
export async function suitableKind({ hasKvm }: InfrastructureProvider): Promise<MachineKind | undefined> {
  try {
    return (await hasKvm()) ? 'vm' : 'container';
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return undefined;
  }
}

/** Infrastructure providers by their type. */
export class Providers {
  readonly #providers: Readonly<Partial<Record<Provider, InfrastructureProvider>>>;

  constructor(providers: Readonly<Partial<Record<Provider, InfrastructureProvider>>>) {
    this.#providers = providers;
  }

  /** The provider of a cluster. Refuses clusters whose provider is not implemented yet: they can only be planned. */
  of({ cluster: { provider } }: Pick<ClusterPlan, 'cluster'>): InfrastructureProvider {
    const found = this.#providers[provider];
    if (!found) throw new ProblemError(problem('NOVA3029', { provider }, ['spec', 'provider', 'type']));
    return found;
  }
}
