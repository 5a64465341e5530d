import { createHash } from 'node:crypto';

/** What the host sees of us; everything carries the prefix, so that a person knows whose it is. */
export const integrationBridge = 'nova-int';
export const externalBridge = 'nova-ex';
export const hostLinkName = 'nova-host';
export const hostLinkPeer = 'nova-host-ovs';

/** How the bridge mapping and the localnet port call the network outside. */
export const physicalNetwork = 'nova-external';

/** The one hypervisor there is: the box itself. */
export const chassis = 'nova';

const linkPrefix = 'nova_';
const longestLink = 15;

/** The host's end of a machine's link. The kernel allows 15 bytes; a longer name is replaced by its hash. */
export function linkName(port: string): string {
  const plain = `${linkPrefix}${port}`;
  if (/^[\w-]+$/.test(plain) && plain.length <= longestLink) return plain;
  return `${linkPrefix}${digest(port).subarray(0, 5).toString('hex')}`;
}

/** A MAC address of a router's port: always the same, so that machines' neighbour tables outlive a rebuilt database. */
export function macOf(routerPort: string): string {
  return ['0a', ...(digest(routerPort).subarray(0, 5).toString('hex').match(/../g) ?? [])].join(':');
}

/** A name for a row inside one transaction. */
export function rowName(table: string, id: string): string {
  return `row_${digest(`${table} ${id}`).subarray(0, 16).toString('hex')}`;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
