import type { NodeInput } from '../node.ts';
import { file, piece, type Resource } from '../resource.ts';
import { lines } from './text.ts';

/** In networks of ours names are answered on their way to Universe; other networks have resolvers of their own. */
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
