import { bytesOf, mebibytesOf, minimumSizes, type Problem, ProblemError, problem } from '@nova-platform/api';
import type { ClusterPlan, PlannedNode } from '@nova-platform/plan';
import { waitUntil } from '@nova-platform/process';
import type { InfrastructureProvider, MachineState, Waiting } from '../provider.ts';

const hour = 3600_000;
/** People join hosts by hand; after this time the operation stops and can be resumed. */
const patience = hour;
const pause = 500;
/** The kernel and the firmware take a part of the memory. */
const usableMemory = 0.9;

/** A host that has joined. */
export interface JoinedHost {
  name: string;
  address: string;
  /** Missing once the host is no longer planned. */
  node?: PlannedNode;
  /** What its agent has reported; missing before the first report. */
  size?: { cpu: number; memoryBytes: number };
}

/** The agents of existing hosts. */
export interface Hosts {
  /** The joined hosts of a cluster, including those that are no longer planned. */
  joined: (cluster: string) => Promise<JoinedHost[]>;
  hasJoined: (name: string) => Promise<boolean>;
  /** Removes Nova from the host. Rejects if its agent does not respond. */
  leave: (name: string, onLine: (line: string) => void) => Promise<void>;
  /** Whether Universe has the packages that hosts install. */
  hasPackages: () => Promise<boolean>;
}

/** Hosts that exist already: a person joins them, and they leave clean. Networks are those of the site. */
export function existingProvider(hosts: Hosts): InfrastructureProvider {
  const refuse = async (name: string) => Promise.reject(new ProblemError(problem('NOVA8503', { name })));
  return {
    isFixed: true,
    machines: {
      ensure: async ({ name }, { log, signal } = nobody) => {
        if (await hosts.hasJoined(name)) return;
        log(`${name} has not joined yet. Run on it what this command prints: nova-ctl node join-command ${name}`);
        await waitUntil(async () => ((await hosts.hasJoined(name)) ? undefined : name), {
          every: pause,
          within: patience,
          expired: () => new ProblemError(problem('NOVA8501', { name })),
          signal,
        });
        log(`${name} has joined.`);
      },
      resize: refuse,
      stop: refuse,
      start: refuse,
      remove: async (name, { log } = nobody) => {
        if (!(await hosts.hasJoined(name))) return;
        try {
          await hosts.leave(name, log);
          log(`${name} is clean.`);
        } catch (error) {
          if (!(error instanceof ProblemError)) throw error;
          // A broken host must not block the cluster.
          log(`${name} does not respond and was not cleaned. Run on it: sh /var/lib/nova-host/leave`);
        }
      },
      observe: async (cluster) => (await hosts.joined(cluster)).map((host) => stateOf(host, host.node)),
    },
    hasKvm: async () => true,
    preflight: async (plan) => {
      const joined = await hosts.joined(plan.cluster.name);
      return {
        problems: [
          ...((await hosts.hasPackages()) ? [] : [problem('NOVA8502', {}, ['spec', 'provider', 'type'])]),
          ...joined.flatMap((host) => problemsOf(host, plan)),
        ],
        // Sizes are what hosts must have, and not what they get: they never differ from the plan.
        machines: joined.map((host) =>
          stateOf(
            host,
            plan.nodes.find(({ name }) => name === host.name),
          ),
        ),
        processors: Number.POSITIVE_INFINITY,
        canLimitDisks: true,
        hasKvm: true,
      };
    },
  };
}

const nobody: Waiting = { log: () => undefined, signal: new AbortController().signal };

/** A host cannot be resized, renamed or moved to another address. */
function problemsOf({ name, address, size }: JoinedHost, { nodes }: ClusterPlan): Problem[] {
  const node = nodes.find((each) => each.name === name);
  if (!node) return [];
  if (node.address !== address) return [problem('NOVA8504', { name, before: address, after: node.address })];
  if (!size) return [];
  const memory = `${Math.floor(size.memoryBytes / 1024 ** 2)}Mi`;
  return [
    ...(size.cpu < node.cpu ? [problem('NOVA8505', { name, what: 'cpu', has: size.cpu, needs: node.cpu })] : []),
    ...(size.memoryBytes < bytesOf(node.memory) * usableMemory
      ? [problem('NOVA8505', { name, what: 'memory', has: memory, needs: node.memory })]
      : []),
  ];
}

/** A host that is no longer planned only needs a name and an address. */
function stateOf({ name, address }: JoinedHost, node?: PlannedNode): MachineState {
  const { cpu, memory, disk } = node ?? { cpu: 1, ...minimumSizes };
  return {
    name,
    kind: 'container',
    address,
    state: 'running',
    image: 'existing',
    imageDigest: '',
    cpu,
    memory: `${mebibytesOf(memory)}Mi`,
    disk: `${mebibytesOf(disk)}Mi`,
    isDiskLimited: true,
  };
}
