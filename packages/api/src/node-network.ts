import { infrastructure } from './infrastructure.ts';
import * as ipv4 from './ipv4.ts';
import { kindSchema, schemaAt } from './schema.ts';

const mostNetworks = 1000;

/** The node network that a new manifest proposes: the default, or the next one of its size that overlaps no other. */
export function freeNodeNetwork(taken: readonly string[]): string {
  const usual = String(schemaAt(kindSchema(infrastructure), ['spec', 'clusterConfiguration', 'nodeNetwork'])?.default);
  const ranges = taken.map(ipv4.parseNetwork);
  const first = ipv4.parseNetwork(usual);
  const size = first.last - first.first + 1;
  for (let index = 0; index < mostNetworks; index += 1) {
    const shift = index * size;
    const candidate = { first: first.first + shift, last: first.last + shift, prefix: first.prefix };
    if (ranges.every((range) => !ipv4.overlaps(range, candidate))) return ipv4.formatNetwork(candidate);
  }
  return usual;
}
