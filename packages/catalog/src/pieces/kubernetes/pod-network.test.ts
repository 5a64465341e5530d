import { expect, test } from 'vitest';
import { compileCatalog } from '../../compile.ts';
import { contentOf, highlyAvailable, nodeInput } from '../../testing.ts';

/** The routes that a node creates, and the networks whose routes it keeps. */
function routesOf(declaration: typeof highlyAvailable, podNetworks: readonly string[] = []) {
  const input = nodeInput(declaration);
  const nodes = input.plan.nodes.map((node, index) => ({ ...node, podNetwork: podNetworks[index] ?? node.podNetwork }));
  const plan = { ...input.plan, nodes };
  return nodes.map((node) => {
    const script = contentOf(compileCatalog({ ...input, plan, node }), '/usr/local/lib/nova/pod-routes');
    return {
      made: [...script.matchAll(/^ip route replace (.+) via (.+) proto 99$/gm)].map(([, ...route]) => route),
      kept: /case "(.*)" in/
        .exec(script)?.[1]
        ?.split(' ')
        .filter((network) => network !== ''),
      others: nodes.filter((other) => other !== node),
    };
  });
}

// Some networks are suffixes of others.
const alike = ['10.1.0.0/24', '110.1.0.0/24', '0.1.0.0/24', '10.1.1.0/24', '10.1.2.0/24', '10.1.3.0/24'];

test.each([
  ['of six nodes', highlyAvailable, []],
  ['with similar networks', highlyAvailable, alike],
  ['of one node', {}, []],
])('each node of a cluster %s has routes to all other nodes, and none to itself', (_name, declaration, networks) => {
  for (const { made, kept, others } of routesOf(declaration, networks)) {
    expect(made).toEqual(others.map(({ podNetwork, address }) => [podNetwork, address]));
    expect(kept).toEqual(others.map(({ podNetwork }) => podNetwork));
  }
});
