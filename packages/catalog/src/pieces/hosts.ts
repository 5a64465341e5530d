import type { NodeInput } from '../node.ts';
import { file, piece, type Resource } from '../resource.ts';
import { lines } from './text.ts';

/**
 * Names that must resolve without DNS: the node's own name, the manager's, and all names of the platform if the network
 * has no DNS interceptor.
 */
export function hosts({ plan, node, manager }: NodeInput): Resource[] {
  const platform = plan.network.kind === 'site' ? plan.network.hosts.filter(({ name }) => name !== manager.name) : [];
  const content = lines(
    '127.0.0.1 localhost',
    '::1 localhost ip6-localhost ip6-loopback',
    `${node.address} ${node.name}`,
    `${manager.address} ${manager.name}`,
    ...platform.flatMap(({ name, addresses }) => addresses.map((address) => `${address} ${name}`)),
  );
  return piece('hosts', file('/etc/hosts', { content, mode: '0644' }));
}
