import { nearestTo, ProblemError, problem, type Text } from '@nova-platform/api';
import type { Clusters } from '@nova-platform/cluster';
import type { EngineClient, MachineStatus } from '@nova-platform/contracts/engine/client';
import type { EngineConnection } from '@nova-platform/infra';

/** The platform's own: not shown here, and never changed. */
const platformMachine = 'universe';
const platformNetwork = 'integration';
const platformImages: ReadonlySet<string> = new Set(['network', 'universe-base', 'universe', 'hypervisor']);

export const machineWord: Text = { en: 'machine', ru: 'машина' };
const networkWord: Text = { en: 'network', ru: 'сеть' };

type EngineNetwork = Awaited<ReturnType<EngineClient['networks']>>[number];

export type Owned<T> = T & { cluster?: string };

/** Machines, images and networks of the engine's host as users see them. A cluster owns the network of its name. */
export class Machines {
  readonly #engine: EngineConnection;
  readonly #clusters: Pick<Clusters, 'names'>;

  constructor(engine: EngineConnection, clusters: Pick<Clusters, 'names'>) {
    this.#engine = engine;
    this.#clusters = clusters;
  }

  get engine(): EngineClient {
    return this.#engine.client();
  }

  async list(): Promise<Owned<MachineStatus>[]> {
    const [machines, clusters] = await Promise.all([this.engine.machines(), this.#clusters.names()]);
    return machines
      .filter(({ name, network }) => name !== platformMachine && network !== platformNetwork)
      .map((machine) => owned(machine, machine.network, clusters));
  }

  async show(name: string): Promise<Owned<MachineStatus>> {
    const machines = await this.list();
    return known(machineWord, name, machines);
  }

  /** Throws unless the machine exists and belongs to no cluster; `refusal` names the reason. */
  async assertFree(
    name: string,
    refusal: 'NOVA8430' | 'NOVA8433' | 'NOVA8434' = 'NOVA8430',
  ): Promise<Owned<MachineStatus>> {
    const machine = await this.show(name);
    if (machine.cluster !== undefined) throw new ProblemError(problem(refusal, { name, cluster: machine.cluster }));
    return machine;
  }

  async images() {
    return (await this.engine.images()).filter(({ name }) => !platformImages.has(name));
  }

  async networks(): Promise<(Owned<EngineNetwork> & { machines: number })[]> {
    const [networks, machines, clusters] = await Promise.all([
      this.engine.networks(),
      this.engine.machines(),
      this.#clusters.names(),
    ]);
    return networks
      .filter(({ name, wanted }) => name !== platformNetwork && wanted === 'present')
      .map((network) => ({
        ...owned(network, network.name, clusters),
        machines: machines.filter((machine) => machine.network === network.name).length,
      }));
  }

  async network(name: string) {
    const { cluster } = known(networkWord, name, await this.networks());
    return { ...(await this.engine.network(name)), ...(cluster !== undefined && { cluster }) };
  }

  /** Throws if the network belongs to a cluster, also to one that has no network yet. */
  async assertFreeNetwork(name: string): Promise<void> {
    if (name === platformNetwork) throw new ProblemError(problem('NOVA7027', { network: name }));
    if ((await this.#clusters.names()).has(name)) throw new ProblemError(problem('NOVA8431', { name, cluster: name }));
  }
}

function owned<T extends object>(thing: T, network: string | undefined, clusters: ReadonlySet<string>): Owned<T> {
  return { ...thing, ...(network !== undefined && clusters.has(network) && { cluster: network }) };
}

/** The thing with this name; throws if there is none. */
export function known<T extends { name: string }>(kind: Text, name: string, things: readonly T[]): T {
  const names = things.map((each) => each.name);
  const found = things.find((each) => each.name === name);
  if (found) return found;
  throw new ProblemError(
    problem('NOVA8432', { kind, name, known: names.join(', ') || '—', nearest: nearestTo(name, names) }),
  );
}
