import {
  hasMachineKinds,
  isInSiteNetwork,
  hasSdn as isSdn,
  type Provider,
  providers,
} from './infrastructure-provider.ts';
import type { Validation } from './kind.ts';

// CEL rules between fields of an Infrastructure, for the API server. `rules/` checks the same for `validate`.

const config = 'self.clusterConfiguration';
const dns = `${config}.extraOptions.dns.customerDns`;
const provider = 'self.provider.type';
const isOneOf = (isIncluded: (type: Provider) => boolean) =>
  `${provider} in [${providers
    .filter(isIncluded)
    .map((type) => `'${type}'`)
    .join(', ')}]`;
const hasSdn = isOneOf(isSdn);
const controlPlanes =
  "self.nodeGroups.filter(g, 'control-plane' in g.roles).map(g, has(g.hosts) ? size(g.hosts) : has(g.count) ? g.count : 1).sum()";
const apiNames = `(has(${config}.k8sAPIDefaultFqdn) ? [${config}.k8sAPIDefaultFqdn] : []) + ${config}.k8sAPIAdditionalSANs`;

const isControlPlane = (group: string) => `('control-plane' in ${group}.roles)`;
/** Groups with hosts are left to validation: CEL cannot compare so many hosts. */
const hasNoNumberedNodes = (group: string) => `has(${group}.hosts) || (has(${group}.count) && ${group}.count == 0)`;
const isInside = (name: string, zone: string) => `('.' + ${name}).endsWith('.' + ${zone})`;
const nameOf = (spec: string) =>
  `(has(${spec}.clusterConfiguration.clusterName) ? ${spec}.clusterConfiguration.clusterName : ${spec}.clusterConfiguration.dnsBaseDomain.split('.')[0])`;
const isExternal = (spec: string) =>
  `(${spec}.clusterConfiguration.extraOptions.dns.customerDns.enable && ${spec}.clusterConfiguration.extraOptions.dns.customerDns.forwardZones.exists(z, z.name == ${spec}.clusterConfiguration.dnsBaseDomain))`;
const contains = (network: string, address: string) => `cidr(${config}.${network}).containsIP(${address})`;

export function infrastructureValidations(limits: {
  maxClusterName: number;
  platformServices: readonly string[];
  minimumSizes: { memory: string; disk: string };
  networkPrefixes: Record<
    'nodeNetwork' | 'podNetwork' | 'serviceNetwork' | 'externalNetwork',
    readonly [number, number]
  >;
}): Validation[] {
  const { maxClusterName, platformServices, minimumSizes, networkPrefixes } = limits;
  const networks = ['nodeNetwork', 'podNetwork', 'serviceNetwork'] as const;
  const external = 'self.externalNetwork.network';
  const disjoint = (one: string, other: string) =>
    `!cidr(${one}).containsCIDR(${other}) && !cidr(${other}).containsCIDR(${one})`;
  const isNetwork = (network: string) => `string(cidr(${network}).masked()) == ${network}`;
  const fits = (network: string, [shortest, longest]: readonly [number, number]) =>
    `cidr(${network}).prefixLength() >= ${shortest} && cidr(${network}).prefixLength() <= ${longest}`;
  return [
    { rule: `${controlPlanes} in [1, 3, 5]`, message: 'there must be 1, 3 or 5 control-plane nodes' },
    ...['zvirt', 'ovirt', 'vsphere'].map((type) => ({
      rule: `has(self.provider.${type}) == (${provider} == '${type}')`,
      message: `provider.${type} must be set if and only if provider.type is ${type}`,
    })),
    {
      rule: `${isOneOf(isInSiteNetwork)} || has(self.externalNetwork) == (${hasSdn})`,
      message: 'externalNetwork is required for zvirt and ovirt, and not allowed for existing and vsphere',
    },
    {
      rule: `${hasSdn} ? !has(${config}.k8sAPIAddress) : !${config}.publishNodePorts`,
      message: 'k8sAPIAddress requires a provider without SDN, publishNodePorts a provider with SDN',
    },
    {
      rule: `${isOneOf(hasMachineKinds)} || (!has(self.provider.machineKind) && self.nodeGroups.all(g, !has(g.machineKind)))`,
      message: 'machineKind requires the provider local',
    },
    {
      rule: `self.nodeGroups.all(g, has(g.hosts) == (${provider} == 'existing'))`,
      message: 'hosts must be set if and only if the provider is existing',
    },
    {
      rule: 'self.nodeGroups.all(g, !has(g.hosts) || !has(g.count) || g.count == size(g.hosts))',
      message: 'count must be equal to the number of hosts',
    },
    {
      rule: `${hasSdn} || has(${config}.k8sAPIAddress) || ${controlPlanes} <= 1`,
      message: 'more than one control plane requires k8sAPIAddress if the provider has no SDN',
    },
    ...(['memory', 'disk'] as const).map((field) => ({
      rule: `self.nodeGroups.all(g, quantity(g.${field}).compareTo(quantity('${minimumSizes[field]}')) >= 0)`,
      message: `${field} must be at least ${minimumSizes[field]}`,
    })),
    ...networks.flatMap((name) => [
      { rule: isNetwork(`${config}.${name}`), message: `${name} must be a network, not an address inside one` },
      { rule: fits(`${config}.${name}`, networkPrefixes[name]), message: `the size of ${name} is out of range` },
      {
        rule: `!has(self.externalNetwork) || (${disjoint(`${config}.${name}`, external)})`,
        message: `externalNetwork must not overlap ${name}`,
      },
    ]),
    {
      rule: `cidr(${config}.podNetwork).prefixLength() <= ${config}.podNetworkNodePrefix`,
      message: 'podNetwork must not be smaller than the pod CIDR of one node',
    },
    {
      rule: `!has(self.externalNetwork) || (${isNetwork(external)} && ${fits(external, networkPrefixes.externalNetwork)})`,
      message: 'externalNetwork must be a network, and its size must be in range',
    },
    ...[
      ['podNetwork', 'nodeNetwork'],
      ['serviceNetwork', 'nodeNetwork'],
      ['serviceNetwork', 'podNetwork'],
    ].map(([one, other]) => ({
      rule: disjoint(`${config}.${one}`, `${config}.${other}`),
      message: `${one} must not overlap ${other}`,
    })),
    {
      rule: `(${config}.k8sAPIAdditionalSANs + (has(${config}.k8sAPIAddress) ? [${config}.k8sAPIAddress] : [])).all(a, !isIP(a) || (!${contains('podNetwork', 'a')} && !${contains('serviceNetwork', 'a')}))`,
      message: 'addresses of the API must not be in podNetwork or serviceNetwork',
    },
    {
      rule: `(${dns}.servers + ${dns}.forwardZones.map(z, z.server)).all(a, !${contains('podNetwork', 'a')} && !${contains('serviceNetwork', 'a')} && !(${hasSdn} && ${contains('nodeNetwork', 'a')}))`,
      message: 'DNS servers must not be in networks of the cluster',
    },
    {
      rule: `${dns}.enable || (size(${dns}.forwardZones) == 0 && size(${dns}.servers) == 0)`,
      message: 'forwardZones and servers require customerDns.enable',
    },
    {
      rule: `size(${nameOf('self')}) <= ${maxClusterName}`,
      message: `the name of the cluster must have at most ${maxClusterName} characters`,
    },
    {
      rule: `!${isInside(`${config}.dnsBaseDomain`, `${config}.k8sDefaultDnsZone`)} && !${isInside(`${config}.k8sDefaultDnsZone`, `${config}.dnsBaseDomain`)}`,
      message: 'dnsBaseDomain and k8sDefaultDnsZone must not overlap',
    },
    {
      rule: `(${apiNames} + ${dns}.forwardZones.map(z, z.name)).all(n, !${isInside('n', `${config}.k8sDefaultDnsZone`)})`,
      message: 'names of the API and forwarded zones must be outside k8sDefaultDnsZone',
    },
    {
      rule: `(${apiNames}).all(n, n != ${config}.dnsBaseDomain && ![${platformServices.map((name) => `'${name}'`).join(', ')}].exists(s, n == s + '.' + ${config}.dnsBaseDomain))`,
      message: 'names of the API must differ from those of platform services',
    },
    {
      rule: `${config}.delivery != 'none' || ${config}.modules.all(m, !m.enabled)`,
      message: 'modules require delivery',
    },
    { rule: `${config}.cni == 'basic'`, message: 'only the cni basic is supported yet' },
    { rule: `${nameOf('self')} == ${nameOf('oldSelf')}`, message: 'the name of the cluster cannot change' },
    {
      rule: `oldSelf.clusterConfiguration.delivery == 'none' || ${config}.delivery != 'none'`,
      message: 'delivery cannot change to none after installation',
    },
    {
      // Without `filter`, whose result the API server takes for a list of any length: the rule would cost too much.
      rule: `self.nodeGroups.all(g, ${hasNoNumberedNodes('g')} || oldSelf.nodeGroups.all(o, o.name != g.name || ${hasNoNumberedNodes('o')} || ${isControlPlane('o')} == ${isControlPlane('g')}))`,
      message: 'the role control-plane cannot be added to installed nodes or removed from them',
    },
    {
      rule: `${isExternal('oldSelf')} || !${isExternal('self')}`,
      message: 'DNS cannot change to external mode after installation',
    },
  ];
}
