import { ProblemError, problem, type Text } from '@nova-platform/api';
import type { Disk, Image, Snapshot } from '@nova-platform/contracts/engine';
import type { EngineClient } from '@nova-platform/contracts/engine/client';
import { known, type Machines, type Owned } from './machines.ts';

export const diskWord: Text = { en: 'disk', ru: 'диск' };
export const snapshotWord: Text = { en: 'snapshot', ru: 'снимок' };
const templateWord: Text = { en: 'template', ru: 'шаблон' };

/** Disks, snapshots and templates of the engine's host as users see them. */
export class MachineStorage {
  readonly machines: Machines;

  constructor(machines: Machines) {
    this.machines = machines;
  }

  get engine(): EngineClient {
    return this.machines.engine;
  }

  /** A disk belongs to the cluster of its machine; those of the platform are left out. */
  async disks(): Promise<Owned<Disk>[]> {
    const [disks, machines] = await Promise.all([this.engine.disks(), this.machines.list()]);
    return disks.flatMap((disk) => {
      const machine = machines.find(({ name }) => name === disk.machine);
      if (disk.machine !== undefined && !machine) return [];
      return [{ ...disk, ...(machine?.cluster !== undefined && { cluster: machine.cluster }) }];
    });
  }

  /** Throws unless the disk exists and belongs to no cluster. */
  async assertFreeDisk(name: string): Promise<Owned<Disk>> {
    const disk = known(diskWord, name, await this.disks());
    const { cluster, machine = '' } = disk;
    if (cluster !== undefined) throw new ProblemError(problem('NOVA8430', { name: machine, cluster }));
    return disk;
  }

  async snapshots(machine: string): Promise<Snapshot[]> {
    await this.machines.show(machine);
    return this.engine.snapshots(machine);
  }

  async snapshot(machine: string, name: string): Promise<Snapshot> {
    return known(snapshotWord, name, await this.snapshots(machine));
  }

  async template(name: string): Promise<Omit<Image, 'layers'>> {
    const templates = (await this.machines.images()).filter(({ isTemplate }) => isTemplate);
    return known(templateWord, name, templates);
  }
}
