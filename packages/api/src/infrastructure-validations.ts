import type { Validation } from './kind.ts';

// CEL rules between fields of an Infrastructure, for the API server. `rules/` checks the same for `validate`.

const config = 'self.clusterConfiguration';
const dns = `${config}.extraOptions.dns.customerDns`;
const provider = 'self.provider.type';
const hasSdn = `${provider} in ['local', 'zvirt', 'ovirt']`;
const controlPlanes =
  "self.nodeGroups.filter(g, 'control-plane' in g.roles).map(g, has(g.hosts) ? size(g.hosts) : has(g.count) ? g.count : 1).sum()";
const apiNames = `(has(${config}.k8sAPIDefaultFqdn) ? [${config}.k8sAPIDefaultFqdn] : []) + ${config}.k8sAPIAdditionalSANs`;

const isInside = (name: string, zone: string) => `('.' + ${name}).endsWith('.' + ${zone})`;
const nameOf = (spec: string) =>
  `(has(${spec}.clusterConfiguration.clusterName) ? ${spec}.clusterConfiguration.clusterName : ${spec}.clusterConfiguration.dnsBaseDomain.split('.')[0])`;
const isExternal = (spec: string) =>
  `(${spec}.clusterConfiguration.extraOptions.dns.customerDns.enable && ${spec}.clusterConfiguration.extraOptions.dns.customerDns.forwardZones.exists(z, z.name == ${spec}.clusterConfiguration.dnsBaseDomain))`;
const contains = (network: string, address: string) => `cidr(${config}.${network}).containsIP(${address})`;

export function infrastructureValidations(limits: {
  maxClusterName: number;
  platformServices: readonly string[];
  least: { memory: string; disk: string };
  networkPrefixes: Record<
    'nodeNetwork' | 'podNetwork' | 'serviceNetwork' | 'externalNetwork',
    readonly [number, number]
  >;
}): Validation[] {
  const { maxClusterName, platformServices, least, networkPrefixes } = limits;
  const networks = ['nodeNetwork', 'podNetwork', 'serviceNetwork'] as const;
  const external = 'self.externalNetwork.network';
  const apart = (one: string, other: string) =>
    `!cidr(${one}).containsCIDR(${other}) && !cidr(${other}).containsCIDR(${one})`;
  const isNetwork = (network: string) => `string(cidr(${network}).masked()) == ${network}`;
  const fits = (network: string, [shortest, longest]: readonly [number, number]) =>
    `cidr(${network}).prefixLength() >= ${shortest} && cidr(${network}).prefixLength() <= ${longest}`;
  return [
    { rule: `${controlPlanes} in [1, 3, 5]`, message: 'there must be 1, 3 or 5 control-plane nodes' },
    ...['zvirt', 'ovirt', 'vsphere'].map((type) => ({
      rule: `has(self.provider.${type}) == (${provider} == '${type}')`,
      message: `settings of ${type} and the provider ${type} belong together`,
    })),
    {
      rule: `${provider} == 'local' || has(self.externalNetwork) == (${provider} in ['zvirt', 'ovirt'])`,
      message: 'the providers zvirt and ovirt need externalNetwork; existing and vsphere have none',
    },
    {
      rule: `${hasSdn} ? !has(${config}.k8sAPIAddress) : !${config}.publishNodePorts`,
      message: 'k8sAPIAddress is for providers without SDN, publishNodePorts for providers with SDN',
    },
    {
      rule: `self.nodeGroups.all(g, has(g.hosts) == (${provider} == 'existing'))`,
      message: 'hosts are for the provider existing, which needs them',
    },
    {
      rule: 'self.nodeGroups.all(g, !has(g.hosts) || !has(g.count) || g.count == size(g.hosts))',
      message: 'count must be the number of hosts',
    },
    {
      rule: `${hasSdn} || has(${config}.k8sAPIAddress) || ${controlPlanes} <= 1`,
      message: 'more than one control plane needs k8sAPIAddress where the provider has no SDN',
    },
    ...(['memory', 'disk'] as const).map((field) => ({
      rule: `self.nodeGroups.all(g, quantity(g.${field}).compareTo(quantity('${least[field]}')) >= 0)`,
      message: `${field} must be at least ${least[field]}`,
    })),
    ...networks.flatMap((name) => [
      { rule: isNetwork(`${config}.${name}`), message: `${name} must be the address of a network` },
      { rule: fits(`${config}.${name}`, networkPrefixes[name]), message: `${name} has an unusable size` },
      {
        rule: `!has(self.externalNetwork) || (${apart(`${config}.${name}`, external)})`,
        message: `externalNetwork overlaps ${name}`,
      },
    ]),
    {
      rule: `cidr(${config}.podNetwork).prefixLength() <= ${config}.podNetworkNodePrefix`,
      message: 'podNetwork is smaller than the share of one node',
    },
    {
      rule: `!has(self.externalNetwork) || (${isNetwork(external)} && ${fits(external, networkPrefixes.externalNetwork)})`,
      message: 'externalNetwork must be the address of a network of a usable size',
    },
    ...[
      ['podNetwork', 'nodeNetwork'],
      ['serviceNetwork', 'nodeNetwork'],
      ['serviceNetwork', 'podNetwork'],
    ].map(([one, other]) => ({
      rule: apart(`${config}.${one}`, `${config}.${other}`),
      message: `${one} overlaps ${other}`,
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
      message: 'forwardZones and servers need customerDns.enable',
    },
    {
      rule: `size(${nameOf('self')}) <= ${maxClusterName}`,
      message: `the name of the cluster has at most ${maxClusterName} characters`,
    },
    {
      rule: `!${isInside(`${config}.dnsBaseDomain`, `${config}.k8sDefaultDnsZone`)} && !${isInside(`${config}.k8sDefaultDnsZone`, `${config}.dnsBaseDomain`)}`,
      message: 'dnsBaseDomain and k8sDefaultDnsZone must lie apart',
    },
    {
      rule: `(${apiNames} + ${dns}.forwardZones.map(z, z.name)).all(n, !${isInside('n', `${config}.k8sDefaultDnsZone`)})`,
      message: 'names of the API and forwarded zones must lie outside k8sDefaultDnsZone',
    },
    {
      rule: `(${apiNames}).all(n, n != ${config}.dnsBaseDomain && ![${platformServices.map((name) => `'${name}'`).join(', ')}].exists(s, n == s + '.' + ${config}.dnsBaseDomain))`,
      message: 'names of the API must not be those of platform services',
    },
    {
      rule: `${config}.delivery != 'none' || ${config}.modules.all(m, !m.enabled)`,
      message: 'modules need delivery',
    },
    { rule: `${config}.cni == 'basic'`, message: 'other pod networking than basic does not work yet' },
    { rule: `${nameOf('self')} == ${nameOf('oldSelf')}`, message: 'the name of the cluster cannot change' },
    {
      rule: `oldSelf.clusterConfiguration.delivery == 'none' || ${config}.delivery != 'none'`,
      message: 'delivery cannot become none after installation',
    },
    {
      rule: `${isExternal('oldSelf')} || !${isExternal('self')}`,
      message: 'external DNS cannot be chosen after installation',
    },
  ];
}
