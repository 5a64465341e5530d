import type { LoadBalancer, Published } from './topology.ts';

/** Traffic that is allowed on a switch that drops everything else. */
export interface Rule {
  id: string;
  direction: 'from-lport' | 'to-lport';
  match: string;
}

/** A network as the external network sees it. */
interface Member {
  name: string;
  router: { externalAddress?: string };
  published: readonly Published[];
  loadBalancers: readonly LoadBalancer[];
  /** Ports of the host that the machines of the network can reach. */
  hostPorts: readonly string[];
  /** Ports of addresses beyond the external network that the machines of the network can reach. */
  distantPorts?: readonly string[];
}

interface Place {
  /** The external network. */
  network: string;
  /** Names of the switch ports of the member's router and of the host. */
  routerPort: string;
  hostPort: string;
  hostAddress: string;
}

/** IDs of rules for open ports have this form, so that the status can read the ports from them. */
const openPrefix = 'open';

/**
 * Rules of one network, without connection tracking. They need none because the addresses show the direction: a router's
 * own address is the source of outbound connections only, a published address is the target of inbound connections only.
 */
export function externalRules(member: Member, { network, routerPort, hostPort, hostAddress }: Place): Rule[] {
  const { name, router, published, loadBalancers, hostPorts, distantPorts = [] } = member;
  const balanced = loadBalancers.flatMap(({ externalAddress, port }) =>
    externalAddress ? [{ externalAddress, ports: [`${port}/tcp`] }] : [],
  );
  const inbound = [...published, ...balanced];
  const inboundAddresses = inbound.map(({ externalAddress }) => externalAddress);
  const outbound = router.externalAddress ?? '';
  const fromRouter = `inport == ${JSON.stringify(routerPort)}`;
  const toRouter = `outport == ${JSON.stringify(routerPort)}`;
  const toHost = `outport == ${JSON.stringify(hostPort)}`;
  return [
    // A router sends only from its external addresses, so that internal addresses stay inside.
    {
      id: `external ${name} from-lport`,
      direction: 'from-lport',
      match: `${fromRouter} && ip4.src == {${[outbound, ...inboundAddresses].join(', ')}}`,
    },
    // Replies to outbound connections; the router drops the rest.
    { id: `external ${name} to-lport`, direction: 'to-lport', match: `${toRouter} && ip4.dst == ${outbound}` },
    ...inbound.flatMap(({ externalAddress, ports }): Rule[] => [
      ...ports.map(
        (port): Rule => ({
          id: `${openPrefix} ${externalAddress} ${port}`,
          direction: 'to-lport',
          match: `${toRouter} && ip4.dst == ${externalAddress} && ${portMatch(port)}`,
        }),
      ),
      // ICMP destination unreachable, echo request, time exceeded.
      {
        id: `external ${name} icmp ${externalAddress}`,
        direction: 'to-lport',
        match: `${toRouter} && ip4.dst == ${externalAddress} && icmp4.type == {3, 8, 11}`,
      },
    ]),
    ...(inbound.length
      ? [
          {
            id: `external ${name} replies`,
            direction: 'to-lport',
            match: `${toHost} && ip4.src == {${inboundAddresses.join(', ')}}`,
          } as const,
        ]
      : []),
    ...hostPorts.map(
      (port): Rule => ({
        id: `external ${name} host ${port}`,
        direction: 'to-lport',
        match: `${toHost} && ip4.src == ${outbound} && ip4.dst == ${hostAddress} && ${portMatch(port)}`,
      }),
    ),
    ...distantPorts.map(
      (port): Rule => ({
        id: `external ${name} distant ${port}`,
        direction: 'to-lport',
        match: `${toHost} && ip4.src == ${outbound} && ip4.dst != ${network} && ${portMatch(port)}`,
      }),
    ),
  ];
}

/** The ports that rules with these ids open at an address. */
export function openPorts(ids: readonly string[], externalAddress: string): string[] {
  const prefix = `${openPrefix} ${externalAddress} `;
  return ids
    .filter((id) => id.startsWith(prefix))
    .map((id) => id.slice(prefix.length))
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** The OVN match for ports such as `80/tcp` or `30000-32767/tcp`. */
function portMatch(text: string): string {
  const [range = '', protocol = ''] = text.split('/');
  const [first = '', last = first] = range.split('-');
  const field = `${protocol}.dst`;
  return first === last ? `${field} == ${first}` : `${field} >= ${first} && ${field} <= ${last}`;
}
