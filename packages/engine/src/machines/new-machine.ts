import { randomBytes } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import { hostMebibytes } from '@nova-platform/contracts/engine';
import { imageOf } from '../images/build.ts';
import { canCreateFileSystems } from '../storage/filesystem.ts';
import { assertHolds } from '../storage/space.ts';
import { hasKvm } from '../vms/kvm.ts';
import { newVm } from '../vms/record.ts';
import { type VolumeMount, volumeProblems } from '../volumes.ts';
import { parseCloudConfig } from './cloud-config.ts';
import { machineWord } from './known.ts';
import { assertFreeMemory } from './memory.ts';
import type { MachineRecord } from './record.ts';

export interface MachineSpec {
  name: string;
  image: string;
  /** Without one, the machine is in no network. */
  network?: string | undefined;
  cpu: number;
  memoryMebibytes: number;
  diskMebibytes?: number | undefined;
  address?: string | undefined;
  allowedNetworks?: string[] | undefined;
  cloudConfig?: string | undefined;
  volumes: VolumeMount[];
  isStarted: boolean;
}

/** What a machine gets in a network. */
export interface Connection {
  network: string;
  address?: string | undefined;
  allowedNetworks?: string[] | undefined;
}

/** The record of a new machine, without its network card. Refuses a machine that this host cannot have. */
export async function newMachine(spec: MachineSpec, machines: readonly MachineRecord[]): Promise<MachineRecord> {
  const { name, cpu, memoryMebibytes, diskMebibytes, volumes, isStarted } = spec;
  if (machines.some((machine) => machine.name === name))
    throw new ProblemError(problem('NOVA7021', { kind: machineWord, name }));
  const unfit = volumeProblems(name, volumes, machines);
  if (unfit.length > 0) throw new ProblemError(...unfit);
  if (diskMebibytes !== undefined) await assertHolds(name, diskMebibytes);
  const image = await imageOf(spec.image);
  const { layers, digest, kind } = image;
  const isFast = await hasKvm();
  if (isStarted) assertFreeMemory(hostMebibytes({ ...spec, kind }, isFast), machines, { hasKvm: isFast });
  const cloudConfig = parseCloudConfig(spec.cloudConfig ?? '#cloud-config\n');
  const vm = kind === 'vm' ? await newVm(spec, image, machines) : {};
  return {
    name,
    kind,
    hostname: cloudConfig.hostname ?? name,
    image: { name: image.name, digest, layers },
    cpu,
    memoryMebibytes,
    ...(diskMebibytes !== undefined && { diskMebibytes, isDiskLimited: await canCreateFileSystems() }),
    machineId: randomBytes(16).toString('hex'),
    cloudConfig,
    volumes,
    ...vm,
    createdAt: new Date().toISOString(),
    wanted: isStarted ? 'running' : 'stopped',
  };
}
