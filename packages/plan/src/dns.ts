import { isDeepStrictEqual } from 'node:util';
import { dnsMode, type Infrastructure, platformServices, type Role } from '@nova-platform/api';
import type { ClusterPlan, PlannedNode, PlannedZone } from './cluster-plan.ts';

/** The zones and the servers that resolve them. */
export function planDns(
  document: Infrastructure,
  { nodes, api }: Pick<ClusterPlan, 'nodes' | 'api'>,
  novaDns: string,
): ClusterPlan['dns'] {
  const { dnsBaseDomain, k8sDefaultDnsZone, extraOptions, delivery } = document.spec.clusterConfiguration;
  const { enable, forwardZones, servers } = extraOptions.dns.customerDns;
  const mode = dnsMode(document);
  const base: PlannedZone = {
    name: dnsBaseDomain,
    answeredBy: 'nova-dns',
    servers: [novaDns],
    records: withApi(baseRecords(dnsBaseDomain, nodes), dnsBaseDomain, api),
  };
  return {
    mode,
    baseDomain: dnsBaseDomain,
    zones: [
      { name: k8sDefaultDnsZone, answeredBy: 'coredns' },
      // Nova DNS is a module, so it is missing without modules.
      ...(mode === 'internal' && delivery !== 'none' ? [base] : []),
      ...(enable ? forwardZones : []).map(
        ({ name, server }): PlannedZone => ({ name, answeredBy: 'forward', servers: [server] }),
      ),
      { name: '.', answeredBy: 'forward', servers: enable && servers.length > 0 ? servers : ['/etc/resolv.conf'] },
    ],
  };
}

type Records = NonNullable<PlannedZone['records']>;

/** Platform services run on infra nodes, applications on ingress nodes. */
function baseRecords(domain: string, nodes: readonly PlannedNode[]): Records {
  const addressesOf = (role: Role) =>
    nodes.filter(({ roles }) => roles.includes(role)).map((node) => node.externalAddress ?? node.address);
  const [infra, ingress] = [addressesOf('infra'), addressesOf('ingress')];
  const toInfra = (name: string): Records[number] => ({ name, type: 'CNAME', values: [`${domain}.`] });
  const apex: Records[number] = { name: '@', type: 'A', values: infra };
  if (ingress.length === 0 || isDeepStrictEqual(infra, ingress)) return [apex, toInfra('*')];
  return [apex, ...platformServices.map(toInfra), { name: '*', type: 'A', values: ingress }];
}

/** Adds the name of the API if it is in the domain; other names resolve as before. */
function withApi(records: Records, domain: string, { fqdn = '', externalAddress }: ClusterPlan['api']): Records {
  if (!fqdn.endsWith(`.${domain}`)) return records;
  const label = fqdn.slice(0, -domain.length - 1);
  // The wildcard of the domain does not cover names below an existing name.
  const [, ...parents] = label.split('.').map((_, index, labels) => labels.slice(index).join('.'));
  const others = records.filter(({ name }) => name === '*');
  const beside = parents.flatMap((parent) =>
    others.flatMap((other) => [
      { ...other, name: parent },
      { ...other, name: `*.${parent}` },
    ]),
  );
  return [
    ...records.filter(({ name }) => name !== '*'),
    { name: label, type: 'A', values: [externalAddress] },
    ...beside,
    ...others,
  ];
}

/** The addresses that Nova DNS returns for a name of the base domain. */
export function addressesOfName({ baseDomain, zones }: ClusterPlan['dns'], name: string): string[] {
  const records = zones.find((zone) => zone.name === baseDomain)?.records ?? [];
  const find = (owner: string) => records.find((record) => record.name === owner);
  const label = name.slice(0, -baseDomain.length - 1) || '@';
  const found = find(label) ?? find('*');
  return (found?.type === 'CNAME' ? find('@') : found)?.values ?? [];
}
