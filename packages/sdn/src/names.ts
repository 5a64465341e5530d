import { createHash } from 'node:crypto';

/** Names of devices on the host. All have a prefix that identifies them as ours. */
export const integrationBridge = 'nova-int';
export const externalBridge = 'nova-ex';
export const hostLinkName = 'nova-host';
export const hostLinkPeer = 'nova-host-ovs';

/** The name of the external network in the bridge mapping and the localnet port. */
export const physicalNetwork = 'nova-external';

/** The only chassis: this host. */
export const chassis = 'nova';

const linkPrefix = 'nova_';
const longestLink = 15;

/** The host's end of a machine's link. The kernel allows 15 bytes; longer names are hashed. */
export function linkName(port: string): string {
  const plain = `${linkPrefix}${port}`;
  if (/^[\w-]+$/.test(plain) && plain.length <= longestLink) return plain;
  return `${linkPrefix}${digest(port).subarray(0, 5).toString('hex')}`;
}

/**
 * The MAC address of a router's port. It is constant, so that neighbour tables of machines stay valid when the database
 * is rebuilt.
 */
export function macOf(routerPort: string): string {
  return ['0a', ...(digest(routerPort).subarray(0, 5).toString('hex').match(/../g) ?? [])].join(':');
}

/** The symbolic name of a row inside one transaction. */
export function rowName(table: string, id: string): string {
  return `row_${digest(`${table} ${id}`).subarray(0, 16).toString('hex')}`;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
