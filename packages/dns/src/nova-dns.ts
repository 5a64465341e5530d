/** The base domain of a cluster, and where it leads. */
export interface BaseZone {
  name: string;
  /** Names within it: `@` is the domain itself, `*` any that is not listed. */
  records: readonly { name: string; type: 'A' | 'CNAME'; values: readonly string[] }[];
}

/** Above 1024: they need no privilege. The cluster asks at one; at the other, whoever reaches the infra nodes. */
const [inside, outside] = [1053, 1054];
const ttl = 60;

/**
 * What Nova DNS is configured with: the zone of the base domain, whose domain itself leads to the infra nodes. It looks
 * other names up for the cluster alone. Who asks cannot be told by addresses: the ingress controllers ask for everybody.
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

/** Another zone has another number; it need not grow, because nobody copies it. */
function serialOf(records: BaseZone['records']): number {
  let serial = 1;
  for (const letter of JSON.stringify(records)) serial = (serial * 31 + letter.charCodeAt(0)) % 2 ** 31;
  return serial;
}
