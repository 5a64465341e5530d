import { clusterName, maxClusterName, platformServices } from '../infrastructure.ts';
import { hasSdn } from '../infrastructure-provider.ts';
import { contains, parseNetwork, parseRange } from '../ipv4.ts';
import { configPath, type Finding, finding, type Rule } from './rule.ts';

export const clusterNameIsShortEnough: Rule = (document) => {
  const name = clusterName(document);
  return name.length <= maxClusterName
    ? []
    : [finding('NOVA3014', { name, limit: maxClusterName }, configPath('dnsBaseDomain'), [configPath('clusterName')])];
};

export const dnsZonesDoNotOverlap: Rule = ({ spec }) => {
  const { dnsBaseDomain: base, k8sDefaultDnsZone: zone } = spec.clusterConfiguration;
  if (!isInside(base, zone) && !isInside(zone, base)) return [];
  return [finding('NOVA3026', { base, zone }, configPath('k8sDefaultDnsZone'), [configPath('dnsBaseDomain')])];
};

/** A name under a base domain must resolve to one cluster. */
export const baseDomainIsUnique: Rule = ({ spec }, { clusters }) => {
  const { dnsBaseDomain: domain } = spec.clusterConfiguration;
  return clusters
    .filter(({ dnsBaseDomain }) => dnsBaseDomain === domain)
    .map(({ name }) => finding('NOVA3031', { domain, cluster: name }, configPath('dnsBaseDomain')));
};

/** Otherwise Universe's resolver would forward names of the platform to a cluster, or not find names of the cluster. */
export const baseDomainIsOutsideSiteZones: Rule = ({ spec }, { siteZones, installed }) => {
  const { dnsBaseDomain: domain } = spec.clusterConfiguration;
  // The base domain is immutable; an installed cluster must stay scalable and removable.
  if (installed?.clusterConfiguration.dnsBaseDomain === domain) return [];
  const zone = siteZones.find((each) => isInside(domain, each) || isInside(each, domain));
  return zone === undefined ? [] : [finding('NOVA3040', { domain, zone }, configPath('dnsBaseDomain'))];
};

export const apiNamesAreFree: Rule = ({ spec }) => {
  const { k8sAPIDefaultFqdn, k8sAPIAdditionalSANs, k8sDefaultDnsZone: zone, dnsBaseDomain } = spec.clusterConfiguration;
  const names = [
    ...(k8sAPIDefaultFqdn ? [{ name: k8sAPIDefaultFqdn, path: configPath('k8sAPIDefaultFqdn') }] : []),
    ...k8sAPIAdditionalSANs.map((name, index) => ({ name, path: configPath('k8sAPIAdditionalSANs', index) })),
  ];
  const taken = new Set([dnsBaseDomain, ...platformServices.map((service) => `${service}.${dnsBaseDomain}`)]);
  return names.flatMap(({ name, path }): Finding[] => {
    if (isInside(name, zone)) return [finding('NOVA3015', { name, zone }, path, [configPath('k8sDefaultDnsZone')])];
    if (taken.has(name)) return [finding('NOVA3016', { name }, path, [configPath('dnsBaseDomain')])];
    return [];
  });
};

export const customerDnsIsValid: Rule = ({ spec }) => {
  const { extraOptions, k8sDefaultDnsZone, podNetwork, serviceNetwork, nodeNetwork } = spec.clusterConfiguration;
  const { enable, forwardZones, servers } = extraOptions.dns.customerDns;
  const path = (...steps: (string | number)[]) => configPath('extraOptions', 'dns', 'customerDns', ...steps);
  const findings: Finding[] = [];

  if (!enable) {
    for (const [field, list] of Object.entries({ forwardZones, servers })) {
      if (list.length > 0) findings.push(finding('NOVA3019', { field }, path(field), [path('enable')]));
    }
  }

  // No DNS server of the company can be in networks that the platform creates.
  const own = hasSdn(spec.provider.type) ? { nodeNetwork, podNetwork, serviceNetwork } : { podNetwork, serviceNetwork };
  const isOwn = (server: string) =>
    Object.values(own).some((network) => contains(parseNetwork(network), parseRange(server)));
  const dependsOn = Object.keys(own).map((field) => configPath(field));
  for (const [index, { name, server }] of forwardZones.entries()) {
    if (isInside(name, k8sDefaultDnsZone)) {
      findings.push(
        finding('NOVA3015', { name, zone: k8sDefaultDnsZone }, path('forwardZones', index, 'name'), [
          configPath('k8sDefaultDnsZone'),
        ]),
      );
    }
    if (isOwn(server))
      findings.push(finding('NOVA3025', { zone: name, server }, path('forwardZones', index, 'server'), dependsOn));
  }
  for (const [index, server] of servers.entries()) {
    if (isOwn(server)) findings.push(finding('NOVA3025', { zone: '.', server }, path('servers', index), dependsOn));
  }
  return findings;
};

function isInside(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
