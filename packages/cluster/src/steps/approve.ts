import { isDeepStrictEqual } from 'node:util';
import { ProblemError, problem } from '@nova-platform/api';
import type { ClusterSecrets } from '@nova-platform/catalog';
import { type CatalogChange, type Change, differenceOf, linesOf } from '@nova-platform/change';
import type { Sealer } from '@nova-platform/pki';
import type { ClusterPlan } from '@nova-platform/plan';
import type { Approved, Step } from '../operation.ts';

/** From now on, agents get catalogs of this plan. */
export const approve: Step<Approved> = {
  name: 'approve',
  title: { en: 'Approve the catalogs of the nodes', ru: 'Утвердить каталоги узлов' },
  run: async ({ plan, change, sealedSecrets, config }) => {
    const { catalogs, sealer } = config.services;
    const secrets = JSON.parse(sealer.open(sealedSecrets, sealContext(plan))) as ClusterSecrets;
    await catalogs.apply(plan, secrets, (nodes) => assertPreviewed(change, nodes));
  },
};

/**
 * Refuses changes of catalogs that the approved preview did not contain: facts, revocations or Nova itself may have
 * changed since. The first catalog of a node is compiled when its facts are known.
 */
function assertPreviewed(
  change: Change,
  nodes: readonly { node: string; changes: CatalogChange[]; isSeen: boolean }[],
): void {
  // Previews do not contain the certificates of CAs that this step creates.
  const hasNewAuthority = change.items.some(({ kind, action }) => kind === 'authority' && action === 'add');
  const compared = (each: CatalogChange) => (hasNewAuthority ? [each.resource, each.kind] : each);
  const isKnown = (each: CatalogChange, shown: readonly CatalogChange[]) =>
    shown.some((other) => isDeepStrictEqual(compared(other), compared(each)));
  const previewed = new Map(change.catalogs.map((each) => [each.node, each]));
  const changed = nodes.filter(({ node, changes, isSeen }) => {
    const { isFirst = false, changes: shown = [] } = previewed.get(node) ?? {};
    return isSeen && !isFirst && !changes.every((each) => isKnown(each, shown));
  });
  if (changed.length === 0) return;
  const catalogs = [
    ...change.catalogs.filter(({ node }) => !changed.some((each) => each.node === node)),
    ...changed.map(({ node, changes }) => ({ node, changes, isFirst: false, isBehind: false })),
  ];
  throw new ProblemError(problem('NOVA8017', { difference: differenceOf(linesOf(change), { ...change, catalogs }) }));
}

/** The secrets of documents, as the input of an operation keeps them. */
export function sealedSecrets(sealer: Sealer, plan: ClusterPlan, secrets: ClusterSecrets): string {
  return sealer.seal(JSON.stringify(secrets), sealContext(plan));
}

const sealContext = ({ cluster }: ClusterPlan): string => `operation/${cluster.name}`;
