import { allRoles, type Declaration, plan } from '@nova-platform/plan/testing';
import fc from 'fast-check';
import { type Catalog, createCatalog } from './catalog.ts';
import type { ClusterSecrets, Facts, Manager, NodeInput } from './node.ts';
import { exec, file, type Resource, reference, service } from './resource.ts';
import { Sensitive, sensitive } from './sensitive.ts';

export const manager: Manager = {
  name: 'config.universe.nova.internal',
  address: '172.30.0.10',
  port: 8140,
  registry: 'hub.universe.nova.internal:5000',
  authority: '-----BEGIN CERTIFICATE-----\nmanager\n-----END CERTIFICATE-----\n',
  fingerprint: 'AB:CD:EF',
};

export const authorities = { kubernetes: 'kubernetes PEM\n', etcd: 'etcd PEM\n', 'front-proxy': 'front-proxy PEM\n' };

export const highlyAvailable: Declaration = {
  nodeGroups: [
    { name: 'master', roles: ['control-plane'], count: 3 },
    { name: 'infra', roles: ['infra', 'ingress'] },
    { name: 'worker', roles: ['worker'], count: 2 },
  ],
};

export const existing: Declaration = {
  provider: { type: 'existing' },
  nodeGroups: [
    { name: 'main', roles: allRoles, hosts: [{ name: 'rack1-n1', address: '10.20.0.77' }] },
    { name: 'worker', roles: ['worker'], hosts: [{ name: 'rack2-n1', address: '10.20.0.5' }] },
  ],
};

/** The input of a catalog of the declared cluster, by default of its first node. */
export function nodeInput(
  declaration: Declaration = {},
  { node: name, facts, secrets = {} }: { node?: string; facts?: Facts; secrets?: ClusterSecrets } = {},
): NodeInput {
  const planned = plan(declaration);
  const node = planned.nodes.find((each) => name === undefined || each.name === name);
  if (!node) throw new Error(`no node ${name}`);
  return { plan: planned, node, facts, secrets, manager, authorities, denied: { users: [], groups: [] } };
}

export function resourceOf({ resources }: Pick<Catalog, 'resources'>, name: string): Resource {
  const found = resources.find((resource) => reference(resource) === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
}

/** The content of a file, secret or not. */
export function contentOf(catalog: Pick<Catalog, 'resources'>, path: string): string {
  const { content } = resourceOf(catalog, `File[${path}]`).parameters;
  return content instanceof Sensitive ? content.reveal() : String(content);
}

/** The prefix of every secret in `anyCatalog`. It appears nowhere else. */
export const secretMark = 's3cr3t';

const anySecret = fc.string({ unit: 'grapheme' }).map((text) => sensitive(`${secretMark}${text}`));
const anyText = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes(secretMark));

/** Files, commands and services. Resources are related to earlier ones. */
export const anyCatalog: fc.Arbitrary<Catalog> = fc
  .array(
    fc.record({
      type: fc.constantFrom('file', 'exec', 'service'),
      value: fc.oneof(anyText, anySecret),
      other: fc.nat(),
      relation: fc.constantFrom('require', 'subscribe', undefined),
    }),
    { maxLength: 12 },
  )
  .map((drawn) => {
    const made: Resource[] = [];
    for (const [index, { type, value, other, relation }] of drawn.entries()) {
      const target = made[other % (index || 1)];
      const related = target && relation ? { [relation]: [target] } : {};
      made.push(
        type === 'file'
          ? file(`/${index}`, { content: value }, related)
          : type === 'exec'
            ? exec(`exec ${index}`, { command: value, path: ['/usr/bin'] }, related)
            : service(`service-${index}`, { restart: value, enable: true }, related),
      );
    }
    return createCatalog('node-1', made);
  });

/** For tests that start their own API server. */
export { admission, admissionPlugins, auditPolicy } from './pieces/kubernetes/policies.ts';
