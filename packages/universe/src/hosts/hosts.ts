import type { ConfigManager } from '@nova-platform/config-manager';
import type { Hosts, JoinedHost } from '@nova-platform/infra';
import type { HostRepository } from './repository.ts';

/** Cleaning a host takes a minute: it removes packages. */
const signalOf = () => new AbortController().signal;
const pageSize = 500;

/** The existing hosts whose agents have enrolled. */
export function joinedHosts({ services }: ConfigManager, repository: Pick<HostRepository, 'isThere'>): Hosts {
  const { agents, catalogs, enrolment, nodes } = services;
  return {
    joined: async (cluster) => {
      const plan = (await catalogs.plans.of(cluster))?.plan;
      const found: JoinedHost[] = [];
      let after: string | undefined;
      do {
        const page = await nodes.page({ cluster, after, limit: pageSize });
        for (const { name, address, identity } of page.nodes) {
          if (identity !== 'valid') continue;
          const node = plan?.nodes.find((each) => each.name === name);
          const size = sizeIn(await catalogs.facts(name));
          found.push({ name, address: address ?? node?.address ?? '', ...(node && { node }), ...(size && { size }) });
        }
        after = page.next;
      } while (after !== undefined);
      return found;
    },
    hasJoined: async (name) => (await enrolment.certificateOf(name)) !== undefined,
    leave: async (name, onLine) => agents.leave(name, { onLine, signal: signalOf() }),
    hasPackages: () => repository.isThere(),
  };
}

/** The size of a machine in its facts. The first ones of a node have none. */
function sizeIn(facts: Readonly<Record<string, unknown>> = {}): JoinedHost['size'] {
  const { processors, memory } = facts as {
    processors?: { count?: unknown };
    memory?: { system?: { total_bytes?: unknown } };
  };
  const [cpu, memoryBytes] = [processors?.count, memory?.system?.total_bytes];
  return typeof cpu === 'number' && typeof memoryBytes === 'number' ? { cpu, memoryBytes } : undefined;
}
