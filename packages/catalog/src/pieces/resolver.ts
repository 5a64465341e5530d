import type { NodeInput } from '../node.ts';
import { file, piece, type Resource } from '../resource.ts';
import { lines } from './text.ts';

/**
 * In our networks, the interceptor answers DNS queries on their way to Universe. Other networks have their own
 * resolvers.
 */
export function resolver({ plan }: NodeInput): Resource[] {
  if (plan.network.kind !== 'sdn') return [];
  return piece(
    'resolver',
    file('/etc/resolv.conf', { content: resolverText(plan.network.integration.universe.address), mode: '0644' }),
  );
}

export function resolverText(server: string): string {
  return lines(`nameserver ${server}`, 'options timeout:2 attempts:2');
}
