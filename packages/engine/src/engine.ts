import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem, type Text } from '@nova-platform/api';
import type {
  ConsoleKind,
  ExecOptions,
  HostMaintenance,
  MachineStatus,
  NetworkView,
  Volume,
} from '@nova-platform/contracts/engine';
import type { Site } from '@nova-platform/plan';
import type { Sdn } from '@nova-platform/sdn';
import { faultPoint } from './fault.ts';
import { linkMtu } from './host/link.ts';
import {
  assertNoMaintenance,
  byOwner,
  machinesToRun,
  readMaintenance,
  removeMaintenance,
  writeMaintenance,
} from './host/maintenance.ts';
import { HostNetworks } from './host-networks.ts';
import { readCheck } from './images/check.ts';
import type { MachineCommand, MachineDriver, MachineLink } from './machines/driver.ts';
import type { Drivers } from './machines/drivers.ts';
import { assertStopped, knownMachine } from './machines/known.ts';
import { deleteNamespace, keepNamespaces, newNamespace } from './machines/namespaces.ts';
import { type Connection, type MachineSpec, newMachine } from './machines/new-machine.ts';
import { Pauses } from './machines/pauses.ts';
import { type MachineRecord, type NetworkCard, readMachine, readMachines, writeMachine } from './machines/record.ts';
import { type MachineSize, sizeAfter, sizeOf } from './machines/resize.ts';
import { machineStatus } from './machines/status.ts';
import { addressFor, macOf } from './networks.ts';
import { ContentStore } from './storage/content.ts';
import { DiskStore } from './storage/disk-store.ts';
import { diskDrivers } from './storage/drivers.ts';
import { SnapshotStore } from './storage/snapshot-store.ts';
import { TemplateStore } from './storage/template-store.ts';
import { Turns } from './turns.ts';
import { unknownName } from './unknown-name.ts';
import { tapName } from './vms/command-line.ts';
import { endTools } from './vms/hypervisor.ts';
import { deleteVolume, readVolumes, removeDeletedVolumes, volumeNames } from './volumes.ts';

/** With `card: undefined` the machine loses its card. */
type RecordChange = Partial<Omit<MachineRecord, 'card'>> & { card?: NetworkCard | undefined };

const lookPause = 500;
const volumeWord: Text = { en: 'volume', ru: 'том' };

/**
 * The machines and networks of this host. Every change is recorded first and then applied by `reconcile…`, which is
 * idempotent. Changes that a crash interrupts are completed at the next start of the engine.
 */
export class Engine {
  private readonly sdn: Sdn;
  private readonly drivers: Drivers;
  readonly networks: HostNetworks;
  readonly disks: DiskStore;
  readonly snapshots: SnapshotStore;
  readonly templates: TemplateStore;
  readonly contents: ContentStore;
  /** Changes of one machine run one after another. */
  private readonly turns = new Turns();
  private readonly pauses = new Pauses();
  /** Machines whose last reconciliation failed. */
  private readonly failed = new Set<string>();

  constructor(sdn: Sdn, drivers: Drivers, site: Site) {
    this.sdn = sdn;
    this.networks = new HostNetworks(sdn, site, this.turns);
    this.drivers = drivers;
    this.disks = new DiskStore(this.turns, drivers, diskDrivers);
    this.snapshots = new SnapshotStore(this.turns, drivers, diskDrivers);
    this.templates = new TemplateStore(this.turns, drivers, diskDrivers);
    this.contents = new ContentStore(this.turns, drivers, this.disks);
  }

  /** Applies all recorded state. */
  async recover(): Promise<void> {
    await endTools();
    await this.networks.recover();
    await removeDeletedVolumes();
    await this.disks.recover();
    await this.templates.recover();
    await this.contents.recover();
    const machines = await readMachines();
    await keepNamespaces(machines);
    await Promise.all(
      machines.map(({ name }) =>
        // One failure must not stop the other machines or the engine.
        this.reconcileMachine(name).catch((error: unknown) => console.error(`machine ${name}:`, error)),
      ),
    );
  }

  /** Restarts machines that should run and have exited or failed to boot, for any reason. */
  async keepRunning(signal: AbortSignal): Promise<void> {
    const booting = new Set<string>();
    while (!signal.aborted) {
      const machines = (await readMaintenance()) ? [] : await readMachines();
      for (const { name, kind, wanted } of machines) {
        if (wanted !== 'running' || booting.has(name)) continue;
        if (!this.failed.has(name) && !(await this.drivers[kind].hasEnded(name))) continue;
        if (!this.pauses.isOver(name, Date.now())) continue;
        console.error(`machine ${name} is not in its recorded state: retrying`);
        booting.add(name);
        void this.reconcileMachine(name)
          .catch((error: unknown) => console.error(`machine ${name}:`, error))
          .finally(() => booting.delete(name));
      }
      await sleep(lookPause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Absent while machines run. */
  async maintenance(): Promise<HostMaintenance | undefined> {
    const maintenance = await readMaintenance();
    return maintenance && { ...maintenance, machines: (await machinesToRun()).map(({ name }) => name) };
  }

  /** Stops all machines: those of clusters first, because they use services of Universe until they have stopped. */
  async enterMaintenance(): Promise<void> {
    await this.turns.take('maintenance', async () => {
      // Queued with new machines: those that are not recorded by now are refused.
      await this.networks.inTurn(async () => {
        if (!(await readMaintenance())) await writeMaintenance({ since: new Date().toISOString() });
      });
      faultPoint('maintenance.recorded');
      const [platform, others] = byOwner(await machinesToRun());
      await this.reconcileAll(others);
      faultPoint('maintenance.clusters-stopped');
      await this.reconcileAll(platform);
    });
  }

  /** Starts the machines that should run, those of Universe first. */
  async leaveMaintenance(): Promise<void> {
    await this.turns.take('maintenance', async () => {
      await removeMaintenance();
      faultPoint('maintenance.removed');
      const [platform, others] = byOwner(await machinesToRun());
      await this.reconcileAll(platform);
      faultPoint('maintenance.universe-started');
      await this.reconcileAll(others);
    });
  }

  /** The actual state of a network from OVN, with its machines. */
  async showNetwork(name: string): Promise<NetworkView> {
    const machines = (await this.listMachines()).filter(({ network }) => network === name);
    return { ...(await this.networks.status(name)), machines };
  }

  async createMachine(spec: MachineSpec): Promise<MachineStatus> {
    // Queued with changes of networks: the machine's network must not be deleted meanwhile.
    await this.networks.inTurn(async () => {
      await assertNoMaintenance();
      const machines = await readMachines();
      const record = await newMachine(spec, machines);
      const { network, address, allowedNetworks } = spec;
      const card = network && (await this.newCard(spec.name, { network, address, allowedNetworks }, machines));
      await writeMachine({ ...record, ...(card && { card }) });
    });
    faultPoint('machine.recorded');
    await this.reconcileMachine(spec.name);
    if (spec.isStarted) await this.booted(spec.name);
    return this.statusOf(spec.name);
  }

  /** Connects a stopped machine to a network, instead of the one that it was in. */
  async connectMachine(name: string, connection: Connection): Promise<MachineStatus> {
    await this.networks.inTurn(async () => {
      await this.assertStopped(name);
      const others = (await readMachines()).filter((each) => each.name !== name);
      await this.changeRecord(name, { card: await this.newCard(name, connection, others) });
    });
    await this.networks.applyTopology();
    return this.statusOf(name);
  }

  async disconnectMachine(name: string): Promise<MachineStatus> {
    await this.networks.inTurn(async () => {
      await this.assertStopped(name);
      await this.changeRecord(name, { card: undefined });
    });
    await this.networks.applyTopology();
    return this.statusOf(name);
  }

  async deleteMachine(name: string): Promise<void> {
    await this.changeRecord(name, { wanted: 'gone' });
    faultPoint('machine.marked');
    await this.reconcileMachine(name);
  }

  async stopMachine(name: string): Promise<void> {
    await this.changeRecord(name, { wanted: 'stopped' });
    await this.reconcileMachine(name);
  }

  /** Returns when the machine has booted, also if it was booting already. */
  async startMachine(name: string): Promise<void> {
    await assertNoMaintenance();
    await this.changeRecord(name, { wanted: 'running' });
    await this.reconcileMachine(name);
    await this.booted(name);
  }

  /** The recorded state stays `running`: after any interruption the machine runs. */
  async restartMachine(name: string): Promise<void> {
    await assertNoMaintenance();
    const { kind } = await this.changeRecord(name, { wanted: 'running' });
    await this.turns.take(`machine ${name}`, () => this.drivers[kind].halt(name));
    faultPoint('machine.halted');
    await this.reconcileMachine(name);
    await this.booted(name);
  }

  /** Takes effect at once if the machine runs, otherwise at its next start. A refused change has no effect. */
  async resizeMachine(name: string, size: MachineSize): Promise<MachineStatus> {
    await this.turns.take(`machine ${name}`, async () => {
      const before = await knownMachine(name);
      const wanted = await sizeAfter(before, size);
      // Recorded first: after a crash the engine applies it at the next start.
      const after = await this.changeRecord(name, wanted);
      faultPoint('machine.resized');
      const driver = this.drivers[after.kind];
      if (!(await driver.isRunning(name))) return;
      await driver.resize(after).catch(async (error: unknown) => {
        // A machine that has ended meanwhile gets its size at its next start.
        if (!(await driver.isRunning(name))) return;
        await driver.resize(await this.changeRecord(name, sizeOf(before)));
        throw error;
      });
    });
    return this.statusOf(name);
  }

  async restoreSnapshot(name: string, snapshot: string): Promise<MachineStatus> {
    await this.snapshots.restore(name, snapshot);
    return this.statusOf(name);
  }

  /** Queued with new machines: none of them can use the template meanwhile. */
  async deleteTemplate(name: string): Promise<void> {
    await this.networks.inTurn(() => this.templates.delete(name));
  }

  async listMachines(): Promise<MachineStatus[]> {
    const check = await readCheck();
    return Promise.all((await readMachines()).map((record) => machineStatus(record, this.drivers[record.kind], check)));
  }

  async machineConsole(name: string): Promise<string> {
    const { kind } = await knownMachine(name);
    return this.drivers[kind].console(name);
  }

  async machineUsage(name: string): Promise<{ memory: number; disk: number }> {
    const { kind } = await knownMachine(name);
    return this.drivers[kind].usage(name);
  }

  async listVolumes(): Promise<Volume[]> {
    return readVolumes(await readMachines());
  }

  async deleteVolume(name: string): Promise<void> {
    // Queued with new machines: none of them can take the volume meanwhile.
    await this.networks.inTurn(async () => {
      const known = await volumeNames();
      if (!known.includes(name)) throw unknownName(volumeWord, name, known);
      await deleteVolume(name, await readMachines());
    });
  }

  async execIn(name: string, options: ExecOptions): Promise<MachineCommand> {
    return (await this.driverOfRunning(name)).exec(name, options);
  }

  async openConsole(name: string, kind: ConsoleKind): Promise<Duplex> {
    return (await this.driverOfRunning(name)).openConsole(name, kind);
  }

  private async driverOfRunning(name: string): Promise<MachineDriver> {
    const driver = this.drivers[(await knownMachine(name)).kind];
    if (!(await driver.isRunning(name))) throw new ProblemError(problem('NOVA7011', { name }));
    return driver;
  }

  private async booted(name: string): Promise<void> {
    // It may have begun since the machine was requested.
    await assertNoMaintenance();
    const { kind } = await knownMachine(name);
    await this.drivers[kind].booted(name);
  }

  /** Applies the records of machines. One failure does not keep the others from theirs. */
  private async reconcileAll(machines: readonly MachineRecord[]): Promise<void> {
    const applied = await Promise.allSettled(machines.map(({ name }) => this.reconcileMachine(name)));
    for (const each of applied) if (each.status === 'rejected') throw each.reason;
  }

  /** Applies the record of a machine. */
  private async reconcileMachine(name: string): Promise<void> {
    await this.turns.take(`machine ${name}`, async () => {
      try {
        await this.bringMachineAbout(name);
        this.failed.delete(name);
      } catch (error) {
        this.failed.add(name);
        throw error;
      }
    });
  }

  private async bringMachineAbout(name: string): Promise<void> {
    const record = await readMachine(name);
    if (!record) return;
    const driver = this.drivers[record.kind];
    if (record.wanted === 'gone') {
      await driver.remove(name, async () => {
        await this.sdn.detach(name);
        await deleteNamespace(name);
        faultPoint('machine.detached');
        await this.networks.applyTopology();
      });
      await this.disks.releaseAll(name);
      return;
    }
    await this.snapshots.recover(record);
    if (record.wanted === 'stopped' || (await readMaintenance())) {
      await driver.halt(name);
      await this.sdn.detach(name);
      await deleteNamespace(name);
    } else if (!(await driver.isRunning(name))) {
      // In parallel. A failure waits for the other one, so that a retry does not overlap with it.
      const [connected, prepared] = await Promise.allSettled([this.connect(record), driver.prepare(record)]);
      if (prepared.status === 'rejected') throw prepared.reason;
      if (connected.status === 'rejected') throw connected.reason;
      faultPoint('machine.connected');
      await driver.boot(record, connected.value);
    } else {
      await driver.resize(record);
      await diskDrivers[record.kind].apply(record);
    }
  }

  /** Connects a machine that is about to boot. */
  private async connect(record: MachineRecord): Promise<MachineLink> {
    await this.sdn.detach(record.name);
    const netns = await newNamespace(record.name);
    await this.networks.applyTopology();
    if (!record.card) return { netns };
    const { mac, address } = record.card;
    const { network, gateway } = await this.networks.linkOf(record.card.network);
    const card = { mac, address, prefix: Number(network.split('/')[1]), gateway, mtu: linkMtu };
    const tap = record.vm && { name: tapName, owner: record.vm.uid };
    await this.sdn.attach({ name: record.name, netns, ...card, ...(tap && { tap }) });
    return { netns, card };
  }

  private async newCard(
    machine: string,
    { network, address: asked, allowedNetworks }: Connection,
    others: readonly MachineRecord[],
  ): Promise<NetworkCard> {
    const address = addressFor(machine, asked, await this.networks.find(network), others);
    return { network, address, mac: macOf(address), ...(allowedNetworks && { allowedNetworks }) };
  }

  /** A running machine would keep its old connection. */
  private async assertStopped(name: string): Promise<void> {
    const record = await knownMachine(name);
    await assertStopped(record, this.drivers[record.kind]);
  }

  /** Changes of one record are queued, so none is lost. */
  private changeRecord(name: string, change: RecordChange): Promise<MachineRecord> {
    return this.turns.take(`record ${name}`, async () => {
      const { card, ...before } = await knownMachine(name);
      const { card: newCard, ...rest } = 'card' in change ? change : { ...change, card };
      const record = { ...before, ...rest, ...(newCard && { card: newCard }) };
      await writeMachine(record);
      return record;
    });
  }

  private async statusOf(name: string): Promise<MachineStatus> {
    const record = await knownMachine(name);
    return machineStatus(record, this.drivers[record.kind], await readCheck());
  }
}
