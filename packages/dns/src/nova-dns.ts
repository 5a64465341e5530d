/** The base domain of a cluster, and where it leads. */
export interface BaseZone {
  name: string;
  /** Addresses of the infra nodes, where they are published. */
  addresses: readonly string[];
}

/** Above 1024: they need no privilege. The cluster asks at one; at the other, whoever reaches the infra nodes. */
const [inside, outside] = [1053, 1054];
const ttl = 60;

/**
 * What Nova DNS is configured with: the zone of the base domain, every name of which leads to the infra nodes. It looks
 * other names up for the cluster alone. Who asks cannot be told by addresses: the ingress controllers ask for everybody.
 */
export function novaDnsFiles({ name, addresses }: BaseZone): { corefile: string; zone: string } {
  const record = (owner: string, rest: string) => `${owner} ${ttl} IN ${rest}\n`;
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
      record(`${name}.`, `SOA ns.${name}. nova.${name}. ${serialOf(addresses)} 7200 1800 86400 ${ttl}`),
      record(`${name}.`, `NS ns.${name}.`),
      ...addresses.flatMap((address) => [record(`${name}.`, `A ${address}`), record(`ns.${name}.`, `A ${address}`)]),
      record(`*.${name}.`, `CNAME ${name}.`),
    ].join(''),
  };
}

/** Another zone has another number; it need not grow, because nobody copies it. */
function serialOf(addresses: readonly string[]): number {
  let serial = 1;
  for (const letter of addresses.join(' ')) serial = (serial * 31 + letter.charCodeAt(0)) % 2 ** 31;
  return serial;
}
