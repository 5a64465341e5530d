import {
  bytesOf,
  type OvirtOptions,
  type Problem,
  ProblemError,
  type ProviderSettings,
  problem,
  quantityText,
  sizeTexts,
  type Text,
} from '@nova-platform/api';
import type { ClusterPlan } from '@nova-platform/plan';
import { z } from 'zod';
import type { Tofu } from '../tofu/tofu.ts';
import { OvirtClient } from './client.ts';
import { isMachine, type OvirtPlaces, ovirtConfiguration } from './configuration.ts';
import { allMachines, machinesOf, markOf } from './machines.ts';

/** One thing that a cluster needs from the provider. */
export interface Check {
  name: 'connection' | 'rights' | 'cluster' | 'template' | 'network' | 'storage' | 'names' | 'plan';
  problems: Problem[];
  /** What was found. */
  found?: Text;
}

interface Checked {
  checks: Check[];
  /** Set if nothing is missing. */
  places?: OvirtPlaces;
}

const named = z.object({ id: z.string(), name: z.string() });
const statusOf = z.string().default('');
const amount = z.coerce.number();
const reference = z.object({ id: z.string() });
const disks = z.object({ disk: z.object({ id: z.string(), provisioned_size: amount.default(0) }) });
const profile = named.extend({ network: reference });
const storageDomain = named.extend({
  status: statusOf,
  type: z.string().default('data'),
  available: amount.default(0),
});
const permission = z.object({ role: reference, user: reference.optional() });
const api = z.object({ authenticated_user: reference.optional() });

const words = {
  cluster: { en: 'cluster', ru: 'кластер' },
  template: { en: 'template', ru: 'шаблон' },
  storageDomain: { en: 'storage domain', ru: 'домен хранения' },
  vnicProfile: { en: 'vNIC profile', ru: 'профиль vNIC' },
} satisfies Record<string, Text>;

/** What the configuration needs, by the names of oVirt's permits. */
const neededPermits = [
  'create_vm',
  'delete_vm',
  'edit_vm_properties',
  'vm_basic_operations',
  'configure_vm_network',
  'create_disk',
  'edit_disk_properties',
  'tag_management',
] as const;
const superUser = 'SuperUser';
/** What a machine writes at first: its disk is sparse. */
const firstBytes = 3 * 1024 ** 3;

/** Checks the provider of a cluster; refuses those that have nothing to connect to. */
export async function checkProvider(settings: ProviderSettings, plan: ClusterPlan, tofu?: Tofu): Promise<Check[]> {
  const ovirt = settings.type === 'zvirt' || settings.type === 'ovirt' ? settings[settings.type] : undefined;
  if (ovirt) {
    const { checks, places } = await checkOvirt(ovirt, plan);
    return places && tofu ? [...checks, await planned(tofu, { plan, settings: ovirt, places })] : checks;
  }
  throw new ProblemError(problem('NOVA8563', { provider: settings.type }, ['spec', 'provider', 'type']));
}

/** Connects to the engine and reports everything that a cluster lacks there. */
export async function checkOvirt(settings: OvirtOptions, plan: ClusterPlan): Promise<Checked> {
  const path = ['spec', 'provider', plan.cluster.provider];
  let client: OvirtClient;
  let user: string | undefined;
  try {
    client = await OvirtClient.login(settings);
    user = (await client.get('', api)).authenticated_user?.id;
  } catch (error) {
    return { checks: [{ name: 'connection', problems: problemsIn(error) }] };
  }
  const places: Partial<OvirtPlaces> = {};
  const input = { client, settings, user, plan, path, places };
  const checks: Check[] = [
    { name: 'connection', problems: [], found: both(settings.url) },
    ...(await Promise.all(
      ([rights, cluster, template, network, storage, names] as const).map(async (check) => {
        const { name } = check;
        const made = await check(input).catch((error: unknown) => ({ problems: problemsIn(error) }));
        return { name: name as Check['name'], ...made };
      }),
    )),
  ];
  const isWhole = checks.every(({ problems }) => problems.length === 0);
  return { checks, ...(isWhole && { places: places as OvirtPlaces }) };
}

/** Whether OpenTofu and its provider can plan the machines. */
async function planned(tofu: Tofu, input: Parameters<typeof ovirtConfiguration>[0]): Promise<Check> {
  try {
    const work = { cluster: input.plan.cluster.name, configuration: ovirtConfiguration(input) };
    const { changes } = await tofu.plan(work);
    const count = changes.filter(({ address, action }) => isMachine(address) && action === 'create').length;
    return { name: 'plan', problems: [], found: { en: `machines to create: ${count}`, ru: `машин создать: ${count}` } };
  } catch (error) {
    return { name: 'plan', problems: problemsIn(error) };
  }
}

interface Input {
  client: OvirtClient;
  settings: OvirtOptions;
  /** Its ID, if the engine tells it. */
  user: string | undefined;
  plan: ClusterPlan;
  path: string[];
  /** Filled in by the checks. */
  places: Partial<OvirtPlaces>;
}
type Result = Omit<Check, 'name'>;

/** Rights that come from a group are not among those of a user: without any of its own, nothing is known. */
async function rights({ client, settings: { username }, user }: Input): Promise<Result> {
  if (user === undefined) return { problems: [] };
  const [own, all] = await Promise.all([
    client.list(`/users/${user}/permissions`, 'permission', permission),
    client.list('/permissions', 'permission', permission).catch(() => []),
  ]);
  const roles = new Set([...own, ...all.filter((each) => each.user?.id === user)].map(({ role }) => role.id));
  if (roles.size === 0) return { problems: [] };
  const known = (await client.list('/roles', 'role', named)).filter(({ id }) => roles.has(id));
  const found = both(known.map(({ name }) => name).join(', '));
  if (known.some(({ name }) => name === superUser)) return { problems: [], found };
  const permits = await Promise.all(known.map(({ id }) => client.list(`/roles/${id}/permits`, 'permit', named)));
  const granted = new Set(permits.flat().map(({ name }) => name));
  const missing = neededPermits.filter((permit) => !granted.has(permit));
  if (missing.length === 0) return { problems: [], found };
  return { problems: [problem('NOVA8556', { user: username, missing: missing.join(', ') })], found };
}

async function cluster({ client, settings, path, places }: Input): Promise<Result> {
  const { item, problems } = await chosen(client, '/clusters', 'cluster', words.cluster, settings.cluster, named, [
    ...path,
    'cluster',
  ]);
  if (!item) return { problems };
  const host = z.object({ status: statusOf, cluster: reference });
  const hosts = (await client.list('/hosts', 'host', host)).filter((each) => each.cluster.id === item.id);
  const up = hosts.filter(({ status }) => status === 'up').length;
  places.cluster = item.id;
  places.hosts = up;
  const found = { en: `${item.name}, hosts up: ${up}`, ru: `${item.name}, работает хостов: ${up}` };
  if (up > 0) return { problems: [], found };
  const reason = { en: 'none of its hosts is up', ru: 'ни один его хост не работает' };
  const where = [...path, 'cluster'];
  return { problems: [problem('NOVA8558', { what: words.cluster, name: item.name, reason }, where)] };
}

async function template({ client, settings, plan, path, places }: Input): Promise<Result> {
  const where = [...path, 'template'];
  const schema = named.extend({ status: statusOf });
  const { item, problems } = await chosen(
    client,
    '/templates',
    'template',
    words.template,
    settings.template,
    schema,
    where,
  );
  if (!item) return { problems };
  const { name } = item;
  const attached = z.object({ disk: reference });
  const attachments = await client.list(`/templates/${item.id}/diskattachments`, 'disk_attachment', attached);
  const sizes = await Promise.all(
    attachments.map(async ({ disk }) => (await client.get(`/disks/${disk.id}`, disks.shape.disk)).provisioned_size),
  );
  places.template = item.id;
  places.disks = attachments.map(({ disk }) => disk.id);
  const size = Math.max(0, ...sizes);
  const small = plan.declared.nodeGroups.filter(({ disk }) => bytesOf(disk) < size);
  const status = { en: `its status is ${item.status}`, ru: `состояние: ${item.status}` };
  return {
    problems: [
      ...(item.status === 'ok' ? [] : [problem('NOVA8558', { what: words.template, name, reason: status }, where)]),
      ...small.map(({ name: group, disk }) =>
        problem('NOVA8559', { name, size: sizeTexts(size), group, disk: quantityText(disk) }, where),
      ),
    ],
    found: both(name),
  };
}

async function network({ client, settings, plan, path, places }: Input): Promise<Result> {
  // Without a profile, it is the one of the cluster's own network.
  const wanted = settings.vnicProfile ?? plan.cluster.name;
  const [profiles, networks] = await Promise.all([
    client.list('/vnicprofiles', 'vnic_profile', profile),
    client.list('/networks', 'network', named),
  ]);
  const all = profiles.map(({ id, name, network: { id: of } }) => {
    const owner = networks.find((each) => each.id === of)?.name ?? '';
    return { id, name, full: `${owner}/${name}` };
  });
  const found = all.filter(({ name, full }) => [name, full].includes(wanted));
  const [one] = found;
  const where = [...path, 'vnicProfile'];
  if (one && found.length === 1) {
    places.vnicProfile = one.id;
    return { problems: [], found: both(one.full) };
  }
  if (one) {
    const known = found.map(({ full }) => full).join(', ');
    const reason = { en: `several networks have one: ${known}`, ru: `он есть у нескольких сетей: ${known}` };
    return { problems: [problem('NOVA8558', { what: words.vnicProfile, name: wanted, reason }, where)] };
  }
  return { problems: [missing(words.vnicProfile, wanted, all, ({ full }) => full, where)] };
}

async function storage({ client, settings, plan, path, places }: Input): Promise<Result> {
  const where = [...path, 'storageDomain'];
  const { item, problems } = await chosen(
    client,
    '/storagedomains',
    'storage_domain',
    words.storageDomain,
    settings.storageDomain,
    storageDomain,
    where,
  );
  if (!item) return { problems };
  const { name, status, type, available } = item;
  places.storageDomain = item.id;
  const own = await machinesOf(client, plan.cluster.name);
  const added = plan.nodes.filter((node) => !own.some((each) => each.name === node.name)).length;
  const needed = added * firstBytes;
  const unusable = (reason: Text) => problem('NOVA8558', { what: words.storageDomain, name, reason }, where);
  return {
    problems: [
      // In several data centers the engine reports the status per data center.
      ...(status === 'active' || status === ''
        ? []
        : [unusable({ en: `its status is ${status}`, ru: `состояние: ${status}` })]),
      ...(type === 'data' ? [] : [unusable({ en: `it is of the type ${type}`, ru: `его тип: ${type}` })]),
      ...(available < needed
        ? [problem('NOVA8557', { name, free: sizeTexts(available), needed: sizeTexts(needed) }, where)]
        : []),
    ],
    found: {
      en: `${name}, available: ${sizeTexts(available).en}`,
      ru: `${name}, доступно: ${sizeTexts(available).ru}`,
    },
  };
}

/** Machines of others with the names of nodes. */
async function names({ client, plan }: Input): Promise<Result> {
  const { name: clusterName } = plan.cluster;
  const planned = new Set(plan.nodes.map(({ name }) => name));
  const taken = (await allMachines(client)).filter(
    ({ name, comment }) => planned.has(name) && comment !== markOf(clusterName),
  );
  return { problems: taken.map(({ name }) => problem('NOVA8562', { name, cluster: clusterName })) };
}

async function chosen<Schema extends z.ZodType<{ id: string; name: string }>>(
  client: OvirtClient,
  path: string,
  element: string,
  what: Text,
  wanted: string,
  schema: Schema,
  where: string[],
): Promise<{ item?: z.output<Schema>; problems: Problem[] }> {
  const all = await client.list(path, element, schema);
  const item = all.find(({ name }) => name === wanted);
  return item ? { item, problems: [] } : { problems: [missing(what, wanted, all, ({ name }) => name, where)] };
}

const shownNames = 10;

function missing<T>(what: Text, name: string, all: readonly T[], nameOf: (one: T) => string, where: string[]): Problem {
  const known = all.slice(0, shownNames).map(nameOf).join(', ');
  return problem('NOVA8555', { what, name, known: known || { en: 'none', ru: 'ничего' } }, where);
}

function problemsIn(error: unknown): Problem[] {
  if (!(error instanceof ProblemError)) throw error;
  return [...error.problems];
}

function both(text: string): Text {
  return { en: text, ru: text };
}
