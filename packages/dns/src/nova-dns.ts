/** The base domain of a cluster and its records. */
export interface BaseZone {
  name: string;
  /** Names relative to the domain: `@` is the domain itself, `*` is any name that is not listed. */
  records: readonly { name: string; type: 'A' | 'CNAME'; values: readonly string[] }[];
}

/**
 * Ports above 1024 need no privileges. The cluster queries the first port; clients outside query the second on the
 * infra nodes.
 */
const [inside, outside] = [1053, 1054];
const ttl = 60;

/**
 * The configuration of Nova DNS: the zone of the base domain. The domain itself points to the infra nodes. Nova DNS
 * resolves other names only for the cluster. Source addresses cannot tell clients apart, because the ingress
 * controllers forward all queries, so there are two ports.
 */
export function novaDnsFiles({ name, records }: BaseZone): { corefile: string; zone: string } {
  const record = (owner: string, rest: string) => `${owner} ${ttl} IN ${rest}\n`;
  const servers = records.find((each) => each.name === '@')?.values ?? [];
  return {
    corefile: `${name}:${inside} ${name}:${outside} {
    errors
    file /etc/coredns/zone ${name}
    loadbalance
}
.:${inside} {
    errors
    health :8080
    ready :8181
    cache 30
    forward . /etc/resolv.conf
}
`,
    zone: [
      record(`${name}.`, `SOA ns.${name}. nova.${name}. ${serialOf(records)} 7200 1800 86400 ${ttl}`),
      record(`${name}.`, `NS ns.${name}.`),
      ...servers.map((address) => record(`ns.${name}.`, `A ${address}`)),
      ...records.flatMap((each) => {
        const owner = each.name === '@' ? `${name}.` : `${each.name}.${name}.`;
        return each.values.map((value) => record(owner, `${each.type} ${value}`));
      }),
    ].join(''),
  };
}

/** Changes with the zone. It need not increase, because no secondary server copies the zone. */
function serialOf(records: BaseZone['records']): number {
  let serial = 1;
  for (const letter of JSON.stringify(records)) serial = (serial * 31 + letter.charCodeAt(0)) % 2 ** 31;
  return serial;
}
