import { ProblemError, type Provider, problem, type UsableProvider } from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';
import type { InfrastructureProvider } from './provider.ts';

/** Infrastructure providers by their type. */
export class Providers {
  readonly #providers: Readonly<Partial<Record<Provider, InfrastructureProvider>>>;

  constructor(providers: Readonly<Record<UsableProvider, InfrastructureProvider>>) {
    this.#providers = providers;
  }

  /** The provider of a cluster. Refuses clusters whose provider is not implemented yet: they can only be planned. */
  of({ cluster: { provider } }: Pick<ClusterPlan, 'cluster'>): InfrastructureProvider {
    const found = this.#providers[provider];
    if (!found) throw new ProblemError(problem('NOVA3029', { provider }, ['spec', 'provider', 'type']));
    return found;
  }
}
