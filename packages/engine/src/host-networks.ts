import { ProblemError, problem, type Text } from '@nova-platform/api';
import { integrationName, type PlannedRouter } from '@nova-platform/contracts/engine';
import { ovirtPort } from '@nova-platform/contracts/ovirt';
import type { Site } from '@nova-platform/plan';
import { attempt } from '@nova-platform/process';
import type { RouterStatus, Sdn, SwitchStatus } from '@nova-platform/sdn';
import { faultPoint } from './fault.ts';
import { hostLink } from './host/link.ts';
import { readOpenPorts, writeOpenPorts } from './host/open-ports.ts';
import { isOvirtOn, writeOvirt } from './host/ovirt-switch.ts';
import { readMachines } from './machines/record.ts';
import {
  integrationNetwork,
  type NetworkRecord,
  planNetwork,
  readNetworks,
  removeNetwork,
  topologyOf,
  writeNetwork,
} from './networks.ts';
import { clientPort } from './paths.ts';
import type { Turns } from './turns.ts';
import { unknownName } from './unknown-name.ts';

/** The actual state of a network, read from OVN. */
export interface NetworkStatus extends Omit<SwitchStatus, 'name'> {
  name: string;
  network: string;
  router: RouterStatus;
}

type NetworkSettings = Partial<Pick<NetworkRecord, 'names' | 'published' | 'loadBalancers'>>;

const networkWord: Text = { en: 'network', ru: 'сеть' };

/** The networks of this host. Every change is recorded first and then applied to OVN, which is idempotent. */
export class HostNetworks {
  readonly #sdn: Sdn;
  readonly #site: Site;
  readonly #turns: Turns;

  constructor(sdn: Sdn, site: Site, turns: Turns) {
    this.#sdn = sdn;
    this.#site = site;
    this.#turns = turns;
  }

  /**
   * Queues changes of networks. The creation of machines uses the same queue: their network must not be deleted
   * meanwhile.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.take('networks', work);
  }

  /** Applies all recorded state. */
  async recover(): Promise<void> {
    await this.inTurn(() => this.#applyRecords());
  }

  async create(
    name: string,
    network: string,
    router?: PlannedRouter,
    settings: NetworkSettings = {},
  ): Promise<NetworkRecord> {
    return this.inTurn(async () => {
      // A network whose removal failed still occupies its addresses.
      if ((await readNetworks()).some(({ wanted }) => wanted === 'gone')) await this.#applyRecords();
      const record = { ...planNetwork(this.#site, name, network, await readNetworks(), router), ...settings };
      await writeNetwork(record);
      faultPoint('network.recorded');
      await this.#applyRecords();
      return record;
    });
  }

  async delete(name: string): Promise<void> {
    await this.inTurn(async () => {
      const record = (await readNetworks()).find((each) => each.name === name) ?? (await this.#own(name));
      const machines = (await readMachines())
        .filter((machine) => machine.card?.network === name)
        .map((machine) => machine.name);
      if (machines.length > 0)
        throw new ProblemError(problem('NOVA7024', { network: name, machines: machines.join(', ') }));
      await writeNetwork({ ...record, wanted: 'gone' });
      faultPoint('network.marked');
      await this.#applyRecords();
    });
  }

  async list(): Promise<NetworkRecord[]> {
    return [integrationNetwork(this.#site), ...(await readNetworks()).filter(({ wanted }) => wanted === 'present')];
  }

  async find(name: string): Promise<NetworkRecord> {
    const records = await this.list();
    const record = records.find((each) => each.name === name);
    if (record) return record;
    throw unknownName(
      networkWord,
      name,
      records.map((each) => each.name),
    );
  }

  async status(name: string): Promise<NetworkStatus> {
    const record = await this.find(name);
    const { switches, routers } = await this.#sdn.status();
    const own = switches.find((each) => each.name === name);
    const router = routers.find((each) => each.name === record.router.name);
    return {
      name,
      network: record.network,
      router: {
        name: record.router.name,
        ports: router?.ports ?? [],
        routes: router?.routes ?? [],
        nat: router?.nat ?? [],
      },
      ports: own?.ports ?? [],
      names: own?.names ?? [],
      loadBalancers: own?.loadBalancers ?? [],
    };
  }

  /** Changes the names, published addresses or load balancers of a network. */
  async change(name: string, change: NetworkSettings): Promise<NetworkRecord> {
    return this.inTurn(async () => {
      const record = { ...(await this.#own(name)), ...change };
      await writeNetwork(record);
      await this.#sdn.apply(await this.#topology());
      return record;
    });
  }

  async openPorts(): Promise<string[]> {
    return readOpenPorts();
  }

  /** Sets the ports of the host that machines of all networks can reach. */
  async changeOpenPorts(ports: readonly string[]): Promise<string[]> {
    await this.inTurn(async () => {
      await writeOpenPorts([...new Set(ports)]);
      await this.#sdn.apply(await this.#topology());
    });
    return readOpenPorts();
  }

  /** Universe reaches the port of the oVirt-compatible API only while it is on. */
  async changeOvirt(isOn: boolean): Promise<void> {
    await this.inTurn(async () => {
      await writeOvirt(isOn);
      await this.#sdn.apply(await this.#topology());
    });
  }

  /** Called after changes of machines: their ports are part of the topology. */
  async applyTopology(): Promise<void> {
    await this.inTurn(async () => this.#sdn.apply(await this.#topology()));
  }

  /** The network and the gateway of a machine's link. */
  async linkOf(name: string): Promise<{ network: string; gateway: string }> {
    const { integration, networks } = await this.#topology();
    const found = name === integrationName ? integration : networks.find((network) => network.name === name);
    if (!found) throw unknownName(networkWord, name, []);
    return found;
  }

  /**
   * Removes the guard route of a deleted network last: without it packets to its addresses would leave by the default
   * route.
   */
  async #applyRecords(): Promise<void> {
    const networks = await readNetworks();
    const present = networks.filter(({ wanted }) => wanted === 'present').map(({ network }) => network);
    await this.#sdn.hostLinkUp(hostLink(this.#site, present));
    await this.#sdn.apply(await this.#topology());
    for (const { name, network } of networks.filter(({ wanted }) => wanted === 'gone')) {
      await attempt('ip', ['route', 'delete', 'unreachable', network]);
      await removeNetwork(name);
    }
  }

  /** Returns a network that users can change. */
  async #own(name: string): Promise<NetworkRecord> {
    if (name === integrationName) throw new ProblemError(problem('NOVA7027', { network: name }));
    return this.find(name);
  }

  async #topology() {
    const servicePorts = [clientPort, ...((await isOvirtOn()) ? [ovirtPort] : [])].map((port) => `${port}/tcp`);
    return topologyOf(this.#site, await readNetworks(), await readMachines(), await readOpenPorts(), servicePorts);
  }
}
