import { ipv4 } from '@nova-platform/api';
import type { HostNetwork } from '@nova-platform/plan';
import { attempt, run } from '@nova-platform/process';
import { z } from 'zod';

const route = z.object({
  dst: z.string(),
  type: z.string().optional(),
  dev: z.string().optional(),
  gateway: z.string().optional(),
  table: z.union([z.string(), z.number()]).optional(),
});
export type Route = z.output<typeof route>;

const link = z.object({
  ifname: z.string(),
  addr_info: z.array(z.object({ family: z.string(), local: z.string().optional(), prefixlen: z.int().optional() })),
});
export type Link = z.output<typeof link>;

/** OpenVPN and WireGuard replace the default route with two halves of the address space. */
const longestDefault = 1;

/** The networks that this host's routes and addresses use, except its default routes and our own. */
export function usedNetworks(routes: readonly Route[], links: readonly Link[]): HostNetwork[] {
  const ours = (device: string | undefined) => device?.startsWith('nova') === true;
  const routed = routes
    // Local and broadcast routes repeat the addresses. Unreachable routes lead nowhere; our guard routes are of this
    // type.
    .filter(({ type = 'unicast' }) => type === 'unicast')
    .filter(({ dst, dev }) => dst !== 'default' && !ours(dev))
    .map(({ dst, dev, gateway, table }) => ({
      network: dst.includes('/') ? dst : `${dst}/32`,
      shown: ['route', dst, ...words('via', gateway), ...words('dev', dev), ...words('table', table)].join(' '),
    }))
    .filter(({ network }) => Number(network.split('/')[1]) > longestDefault);
  const assigned = links
    .filter(({ ifname }) => !ours(ifname))
    .flatMap(({ ifname, addr_info }) =>
      addr_info
        .filter(({ family }) => family === 'inet')
        .flatMap(({ local, prefixlen }) =>
          local === undefined
            ? []
            : [{ network: `${local}/32`, shown: `address ${local}/${prefixlen ?? 32} dev ${ifname}` }],
        ),
    )
    // Skip addresses that a route covers already.
    .filter(
      ({ network }) =>
        !routed.some((each) => ipv4.contains(ipv4.parseNetwork(each.network), ipv4.parseNetwork(network))),
    );
  return [...routed, ...assigned];
}

/** Reads the networks with `ip`; returns none if it is not installed yet. */
export async function hostNetworks(): Promise<HostNetwork[]> {
  if (!(await attempt('sh', ['-c', 'command -v ip']))) return [];
  const [routes, links] = await Promise.all([
    run('ip', ['-4', '-json', 'route', 'show', 'table', 'all']),
    run('ip', ['-4', '-json', 'address', 'show']),
  ]);
  return usedNetworks(z.array(route).parse(JSON.parse(routes || '[]')), z.array(link).parse(JSON.parse(links || '[]')));
}

function words(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [name, String(value)];
}
