import { ipv4, ProblemError, problem, type Text } from '@nova-platform/api';
import { integrationName, type MachineStatus } from '@nova-platform/contracts/engine';
import type { EngineClient } from '@nova-platform/contracts/engine/client';
import type { Kysely } from 'kysely';
import { idOf } from '../api/ids.ts';
import { assertPossible, invalid, optionalName, type Received, text } from './accept.ts';
import type { NetworkingSchema } from './schema.ts';
import {
  networkId,
  networkValues,
  portId,
  portValues,
  type Resources,
  resourcesOf,
  routerOwner,
  subnetId,
  subnetValues,
} from './views.ts';

export type Kind = keyof Resources;
type Resource<K extends Kind> = Resources[K][number];

const words: Record<Kind, Text> = {
  networks: { en: 'network', ru: 'сеть' },
  subnets: { en: 'subnet', ru: 'подсеть' },
  routers: { en: 'router', ru: 'маршрутизатор' },
  ports: { en: 'port', ru: 'порт' },
};
/** Longer names do not fit the engine. */
const longestName = 40;

/**
 * The networks of the engine as OpenStack Networking sees them. A network of the engine is a network, its one subnet and
 * the router between it and the others; a network without a subnet exists only here.
 */
export class Networking {
  readonly #engine: () => EngineClient;
  readonly #db: Kysely<NetworkingSchema>;
  /** Changes run one after another. */
  #changes: Promise<unknown> = Promise.resolve();

  constructor(engine: () => EngineClient, db: Kysely<NetworkingSchema>) {
    this.#engine = engine;
    this.#db = db;
  }

  async resources(): Promise<Resources> {
    const engine = this.#engine();
    const [networks, machines, declared, vmId] = await Promise.all([
      engine.networks(),
      engine.machines(),
      this.#db.selectFrom('declared_networks').selectAll().orderBy('name').execute(),
      this.#vmIds(),
    ]);
    // Only Universe uses its network, and only the engine changes it.
    const visible = networks.filter(({ name }) => name !== integrationName);
    return resourcesOf(visible, machines, declared, vmId);
  }

  async find<K extends Kind>(kind: K, id: string): Promise<Resource<K>> {
    return found(await this.resources(), kind, id);
  }

  create(kind: Kind, given: Received): Promise<Resource<Kind>> {
    return this.#inTurn(async () => {
      if (kind === 'networks') return this.#createNetwork(given);
      if (kind === 'subnets') return this.#createSubnet(given);
      if (kind === 'ports') return this.#createPort(given);
      throw new ProblemError(problem('NOVA7672', {}));
    });
  }

  delete(kind: Kind, id: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.find(kind, id);
      if (kind === 'networks') return this.#deleteNetwork(id);
      if (kind === 'subnets') return this.#deleteSubnet(id);
      if (kind === 'ports') return this.#deletePort(id);
      throw new ProblemError(problem('NOVA7672', {}));
    });
  }

  /** The engine gets the network with its subnet. */
  async #createNetwork(given: Received): Promise<Resource<'networks'>> {
    assertPossible(given, ['name'], networkValues);
    const name = text(given, 'name', 'label');
    if (name.length > longestName)
      throw invalid('name', { en: `at most ${longestName} characters`, ru: `не больше ${longestName} знаков` });
    const { networks } = await this.resources();
    if (name === integrationName || networks.some((each) => each.name === name))
      throw new ProblemError(problem('NOVA7021', { kind: { en: 'network', ru: 'сеть' }, name }));
    await this.#declare(name, null);
    return this.find('networks', networkId(name));
  }

  async #createSubnet(given: Received): Promise<Resource<'subnets'>> {
    assertPossible(given, ['name', 'network_id', 'cidr', 'gateway_ip', 'ip_version'], subnetValues);
    if (given.ip_version !== undefined && given.ip_version !== 4) throw invalid('ip_version', { en: '4', ru: '4' });
    const { name, subnets } = found(await this.resources(), 'networks', String(given.network_id));
    if (subnets.length > 0) throw new ProblemError(problem('NOVA7671', { network: name }));
    const cidr = text(given, 'cidr', 'network');
    const gateway = ipv4.formatAddress(ipv4.parseNetwork(cidr).first + 1);
    if (given.gateway_ip !== undefined && given.gateway_ip !== gateway)
      throw invalid('gateway_ip', { en: gateway, ru: gateway });
    // Recorded first: the name of the subnet exists only here.
    await this.#declare(name, optionalName(given) ?? name);
    await this.#engine()
      .createNetwork(name, cidr)
      .catch(async (error: unknown) => {
        await this.#declare(name, null);
        throw error;
      });
    return this.find('subnets', subnetId(name));
  }

  /** Without its subnet, the engine has no network. */
  async #deleteSubnet(id: string): Promise<void> {
    const resources = await this.resources();
    const { network_id } = found(resources, 'subnets', id);
    const { name } = found(resources, 'networks', network_id);
    await this.#engine().deleteNetwork(name);
    await this.#declare(name, null);
  }

  /** Also deletes its subnet. */
  async #deleteNetwork(id: string): Promise<void> {
    const { name, subnets } = await this.find('networks', id);
    if (subnets.length > 0) await this.#engine().deleteNetwork(name);
    await this.#db.deleteFrom('declared_networks').where('name', '=', name).execute();
  }

  /** Only the name of a subnet can change. */
  change<K extends Kind>(kind: K, id: string, given: Received): Promise<Resource<K>> {
    return this.#inTurn(async () => {
      const resources = await this.resources();
      const resource = found(resources, kind, id);
      const isSubnet = kind === 'subnets';
      assertPossible(given, isSubnet ? ['name'] : [], resource);
      const name = isSubnet ? optionalName(given) : undefined;
      if (name === undefined) return resource;
      const { network_id } = found(resources, 'subnets', id);
      await this.#declare(found(resources, 'networks', network_id).name, name);
      return this.find(kind, id);
    });
  }

  /** The router of a network is connected to its subnet from the beginning. */
  async addRouterInterface(id: string, { subnet_id, port_id }: Received) {
    const { port, refusal } = await this.#routerInterface(id);
    const { id: own, network_id, tenant_id, fixed_ips } = port;
    const [subnet = ''] = fixed_ips.map((each) => each.subnet_id);
    if (subnet_id !== subnet && port_id !== own) throw refusal;
    return { id, subnet_id: subnet, subnet_ids: [subnet], port_id: own, network_id, tenant_id };
  }

  async removeRouterInterface(id: string): Promise<never> {
    throw (await this.#routerInterface(id)).refusal;
  }

  /** Connects a stopped machine. */
  async #createPort(given: Received): Promise<Resource<'ports'>> {
    assertPossible(given, ['name', 'network_id', 'device_id', 'device_owner', 'fixed_ips'], portValues);
    const resources = await this.resources();
    const { name: network, subnets } = found(resources, 'networks', String(given.network_id));
    if (subnets.length === 0) throw invalid('network_id', { en: 'a network with a subnet', ru: 'сеть с подсетью' });
    const machine = await this.#machine(given.device_id);
    if (machine.network !== undefined) throw new ProblemError(problem('NOVA7676', { machine: machine.name }));
    const address = addressOf(given.fixed_ips, subnets);
    await this.#engine().connectMachine(machine.name, { network, ...(address !== undefined && { address }) });
    return this.find('ports', portId(machine.id));
  }

  /** Disconnects a stopped machine. */
  async #deletePort(id: string): Promise<void> {
    const { device_id, device_owner } = await this.find('ports', id);
    if (device_owner === routerOwner) throw (await this.#routerInterface(device_id)).refusal;
    await this.#engine().disconnectMachine((await this.#machine(device_id)).name);
  }

  async #machine(id: unknown): Promise<MachineStatus> {
    const vmId = await this.#vmIds();
    const machine = (await this.#engine().machines()).find((each) => vmId(each.id) === id);
    if (!machine) throw new ProblemError(problem('NOVA7674', {}));
    return machine;
  }

  /** The IDs of machines as virtual machines: those that were created through the API have IDs of their own. */
  async #vmIds(): Promise<(machine: string) => string> {
    const rows = await this.#db
      .selectFrom('ovirt_records')
      .select(['id', 'value'])
      .where('kind', '=', 'machine')
      .execute();
    const ids = new Map(rows.map(({ id, value }) => [(JSON.parse(value) as { engineId?: string }).engineId, id]));
    return (machine) => ids.get(machine) ?? idOf('vm', machine);
  }

  async #routerInterface(id: string) {
    const resources = await this.resources();
    const { name: router } = found(resources, 'routers', id);
    const port = resources.ports.find(({ device_id }) => device_id === id);
    if (!port) throw missing('ports', id);
    const { name: network } = found(resources, 'networks', port.network_id);
    return { port, refusal: new ProblemError(problem('NOVA7673', { router, network })) };
  }

  async #declare(name: string, subnet_name: string | null): Promise<void> {
    await this.#db
      .insertInto('declared_networks')
      .values({ name, subnet_name })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ subnet_name }))
      .execute();
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#changes.then(change);
    this.#changes = changed.catch(() => undefined);
    return changed;
  }
}

function found<K extends Kind>(resources: Resources, kind: K, id: string): Resource<K> {
  const resource = (resources[kind] as readonly Resource<K>[]).find((each) => each.id === id);
  if (resource) return resource;
  throw missing(kind, id);
}

function missing(kind: Kind, id: string): ProblemError {
  return new ProblemError(problem('NOVA7670', { kind: words[kind], id: id.slice(0, 64) }));
}

/** The address that a port asks for: `[{ "subnet_id": …, "ip_address": … }]`. */
function addressOf(fixedIps: unknown, subnets: readonly string[]): string | undefined {
  if (fixedIps === undefined || fixedIps === null) return undefined;
  const [first, ...more] = Array.isArray(fixedIps) ? (fixedIps as Received[]) : [];
  const { subnet_id = subnets[0], ip_address, ...rest } = first ?? {};
  if (!first || more.length > 0 || Object.keys(rest).length > 0 || subnet_id !== subnets[0])
    throw invalid('fixed_ips', {
      en: 'one address of the subnet of the network',
      ru: 'один адрес подсети этой сети',
    });
  return ip_address === undefined ? undefined : text({ ip_address }, 'ip_address', 'address');
}
