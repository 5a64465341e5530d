import { allNodes, configClient } from '@nova-platform/contracts/config-manager/client';
import { createEngineClient, engineSocket } from '@nova-platform/contracts/engine/client';
import { nodeContract, universeContract } from '@nova-platform/contracts/universe';
import { type UniverseClient, universeClient } from '@nova-platform/contracts/universe/client';
import { type ApiClient, apiClient } from '@nova-platform/http/client';
import type { Contract } from '@nova-platform/http/contract';
import type { Application, Command, RouteMap } from '@stricli/core';
import type { Context } from '../../context.ts';
import { oneLine } from '../../outside.ts';
import { knownUniverse } from '../../universe.ts';

/** A proposed value, and what it is. */
export interface Proposal {
  completion: string;
  brief: string;
}

/** A shell waits for proposals, so a slow server is given up. */
const timeLimit = 1000;

interface Sources {
  client: () => UniverseClient;
  call: () => ApiClient;
  signal: AbortSignal;
  language: Context['language'];
}
type Source = (sources: Sources, given: readonly string[]) => Promise<Proposal[]>;

const named = (items: readonly { name: string }[]): Proposal[] =>
  items.map(({ name }) => ({ completion: name, brief: '' }));

const clusters: Source = async ({ client }) => {
  const page = await client().listClusters({ query: { limit: 500 } });
  return page.clusters.map(({ name, kubernetesVersion }) => ({ completion: name, brief: kubernetesVersion }));
};
/** Groups with their current size, ready to be changed. */
const groups: Source = async ({ client }, [cluster = '']) => {
  const { plan } = await client().showCluster({ params: { cluster } });
  const sizes = Map.groupBy(plan.nodes, ({ group }) => group);
  return [...sizes].map(([group, nodes]) => ({ completion: `${group}=${nodes.length}`, brief: '' }));
};
const modules: Source = async ({ client, language }, [cluster = '']) => {
  const found = (await client().listModules({ params: { cluster } })).modules;
  return found.map(({ name, description }) => ({ completion: name, brief: description[language] }));
};
const operations: Source = async ({ client, language }) => {
  const found = (await client().listOperations({ query: { limit: 50 } })).operations;
  return found.map(({ id, title, lock = '' }) => ({ completion: String(id), brief: `${lock} ${title[language]}` }));
};
const users: Source = async ({ client }) => named((await client().listUsers({})).users);
const tokens: Source = async ({ client }) =>
  (await client().listTokens({})).tokens.map(({ id, name, user }) => ({ completion: id, brief: `${user} ${name}` }));
const nodes: Source = async ({ call }) => named(await allNodes(configClient(call(), '/api')));
/** Machines belong to the host, not to Universe. */
const machines: Source = async ({ signal }) => {
  const connection = { socketPath: engineSocket, signal };
  return named(await createEngineClient(connection).machines());
};

/** Networks of this host. */
const networks: Source = async ({ signal }) => {
  const connection = { socketPath: engineSocket, signal };
  return named(await createEngineClient(connection).networks());
};
/** Additional disks of this host. */
const disks: Source = async ({ signal }) => {
  const connection = { socketPath: engineSocket, signal };
  return named(await createEngineClient(connection).disks());
};

const templates: Source = async ({ signal }) => {
  const connection = { socketPath: engineSocket, signal };
  return named((await createEngineClient(connection).images()).filter(({ isTemplate }) => isTemplate));
};

const snapshots: Source = async ({ signal }, [machine = '']) => {
  const connection = { socketPath: engineSocket, signal };
  return named(await createEngineClient(connection).snapshots(machine));
};
const tenants: Source = async ({ client }, [cluster = '']) =>
  named((await client().listTenants({ params: { cluster } })).tenants);

/** The calls that the audit trail records. It also has refused reads; those are not proposed. */
const actions: Source = async () => {
  const calls: Contract = { ...universeContract, ...nodeContract };
  return Object.entries(calls)
    .filter(([, { method, isReading = false }]) => method !== 'GET' && !isReading)
    .map(([completion]) => ({ completion, brief: '' }))
    .toSorted((one, other) => one.completion.localeCompare(other.completion));
};

/** The values of positional arguments by command. The last source also serves all further arguments of `more`. */
const positionals: Record<string, { sources: readonly Source[]; more?: true }> = {
  status: { sources: [clusters] },
  kubeconfig: { sources: [clusters] },
  events: { sources: [clusters] },
  stop: { sources: [clusters] },
  start: { sources: [clusters] },
  destroy: { sources: [clusters] },
  scale: { sources: [clusters, groups], more: true },
  'wait cluster': { sources: [clusters] },
  'wait operation': { sources: [operations] },
  'module list': { sources: [clusters] },
  'module enable': { sources: [clusters, modules], more: true },
  'module disable': { sources: [clusters, modules], more: true },
  'tenant list': { sources: [clusters] },
  'tenant create': { sources: [clusters, tenants] },
  'tenant remove': { sources: [clusters, tenants] },
  'logs operation': { sources: [operations] },
  'logs node': { sources: [nodes] },
  'network show': { sources: [networks] },
  'network delete': { sources: [networks] },
  'operation show': { sources: [operations] },
  'operation resume': { sources: [operations] },
  'operation cancel': { sources: [operations] },
  'user change': { sources: [users] },
  'user password': { sources: [users] },
  'user remove': { sources: [users] },
  'token remove': { sources: [tokens] },
  'node facts': { sources: [nodes] },
  'node reports': { sources: [nodes] },
  'node catalog': { sources: [nodes] },
  'node run': { sources: [nodes] },
  'node revoke': { sources: [nodes] },
  'machine resize': { sources: [machines] },
  'machine shell': { sources: [machines] },
  'machine console': { sources: [machines] },
  'machine exec': { sources: [machines] },
  'machine logs': { sources: [machines] },
  'machine restart': { sources: [machines] },
  'machine stop': { sources: [machines] },
  'machine delete': { sources: [machines] },
  'machine snapshot list': { sources: [machines] },
  'machine snapshot create': { sources: [machines] },
  'machine snapshot restore': { sources: [machines, snapshots] },
  'machine snapshot delete': { sources: [machines, snapshots] },
  'disk grow': { sources: [disks] },
  'disk attach': { sources: [disks, machines] },
  'disk detach': { sources: [disks] },
  'disk delete': { sources: [disks] },
  'disk export': { sources: [disks] },
  // The first one is a new name.
  'template create': { sources: [async () => [], machines] },
  'template delete': { sources: [templates] },
};
/** The values of options. */
const options: Record<string, Source> = {
  'operation list --cluster': clusters,
  'token create --user': users,
  'audit --who': users,
  'audit --action': actions,
  'audit --object': clusters,
  'config token create --node': nodes,
};

/** Everything that has completed values, for the test that it exists. */
export const completedPaths = [...Object.keys(positionals), ...Object.keys(options)];

/** Values from the live system for the last word; none if the system does not respond in time. */
export async function proposeValues(
  app: Application<Context>,
  words: readonly string[],
  { io, language }: Context,
): Promise<Proposal[]> {
  const found = sourceOf(app.root as RouteMap<Context>, words);
  if (!found) return [];
  const signal = AbortSignal.timeout(timeLimit);
  const call = (): ApiClient => {
    const universe = knownUniverse(io);
    if (!universe) throw new Error('not logged in');
    const connection = { ...universe.connection, signal };
    return apiClient(connection, (error) => error);
  };
  try {
    const sources = { client: () => universeClient(call()), call, signal, language };
    const proposals = await found.source(sources, found.given);
    return proposals
      .filter(({ completion }) => completion.startsWith(found.partial) && !found.given.includes(completion))
      .map(({ completion, brief }) => ({ completion, brief: oneLine(brief).trim() }));
  } catch {
    // A message would appear in the middle of the user's command line.
    return [];
  }
}

type RoutingTarget = RouteMap<Context> | Command<Context>;

interface Found {
  source: Source;
  /** The positional arguments before the last word. */
  given: string[];
  partial: string;
}

function sourceOf(root: RouteMap<Context>, words: readonly string[]): Found | undefined {
  const path: string[] = [];
  let target: RoutingTarget = root;
  while ('getRoutingTargetForInput' in target) {
    const next = words[path.length] ?? '';
    const below: RoutingTarget | undefined = target.getRoutingTargetForInput(next);
    if (!below) break;
    path.push(next);
    target = below;
  }
  const rest = words.slice(path.length);
  if ('getDefaultCommand' in target) {
    // `wait demo` is `wait cluster demo`.
    const fallback = target.getDefaultCommand();
    const entry = target.getAllEntries().find((each) => each.target === fallback);
    if (!fallback || !entry) return undefined;
    path.push(entry.name.original);
    target = fallback;
  }
  const command = path.join(' ');
  const partial = rest.pop();
  if (partial === undefined) return undefined;
  const given: string[] = [];
  let option: string | undefined;
  for (const word of rest) {
    if (option !== undefined) option = undefined;
    else if (!word.startsWith('-')) given.push(word);
    else if (takesValue(target, word)) option = word;
  }
  if (option !== undefined) {
    const source = options[`${command} ${option}`];
    return source && { source, given: [], partial };
  }
  const known = positionals[command];
  if (!known || partial.startsWith('-')) return undefined;
  const source = known.sources[given.length] ?? (known.more && known.sources.at(-1));
  return source && { source, given, partial };
}

/** Whether the next word is the value of this option. */
function takesValue({ parameters }: Command<Context>, word: string): boolean {
  if (word.includes('=')) return false;
  const { flags = {}, aliases = {} } = parameters as {
    flags?: Record<string, { kind: string }>;
    aliases?: Record<string, string>;
  };
  const name = word.startsWith('--')
    ? word.slice(2).replace(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase())
    : (aliases[word.slice(-1)] ?? '');
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  return flag !== undefined && flag.kind !== 'boolean' && flag.kind !== 'counter';
}
