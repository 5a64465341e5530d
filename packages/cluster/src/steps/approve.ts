import type { ClusterSecrets } from '@nova-platform/catalog';
import type { Sealer } from '@nova-platform/pki';
import type { ClusterPlan } from '@nova-platform/plan';
import type { Approved, Step } from '../operation.ts';

/** From now on, agents get catalogs of this plan. */
export const approve: Step<Approved> = {
  name: 'approve',
  title: { en: 'Approve the catalogs of the nodes', ru: 'Утвердить каталоги узлов' },
  run: async ({ plan, sealedSecrets, config }) => {
    const { catalogs, sealer } = config.services;
    const secrets = JSON.parse(sealer.open(sealedSecrets, sealContext(plan))) as ClusterSecrets;
    await catalogs.apply(plan, secrets);
  },
};

/** The secrets of documents, as the input of an operation keeps them. */
export function sealedSecrets(sealer: Sealer, plan: ClusterPlan, secrets: ClusterSecrets): string {
  return sealer.seal(JSON.stringify(secrets), sealContext(plan));
}

const sealContext = ({ cluster }: ClusterPlan): string => `operation/${cluster.name}`;
