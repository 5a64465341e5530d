import { type Problem, problem, type Text } from '@nova-platform/api';
import { diskSpec, snapshotSpec, templateSpec } from '@nova-platform/contracts/universe';
import { parsed, when } from './check.ts';
import { machineWord } from './machines.ts';
import { diskWord, type MachineStorage, snapshotWord } from './storage.ts';

const imageWord: Text = { en: 'image', ru: 'образ' };

/** Everything that prevents the creation of a disk, each problem with its field. */
export async function problemsOfDisk({ engine }: MachineStorage, request: unknown): Promise<Problem[]> {
  const { wrong, valid } = parsed(diskSpec, request);
  return [...wrong, ...taken(diskWord, valid.name, await engine.disks())];
}

/** The same for a snapshot. */
export async function problemsOfSnapshot(
  storage: MachineStorage,
  machine: string,
  request: unknown,
): Promise<Problem[]> {
  const { cluster = '' } = await storage.machines.show(machine);
  const { wrong, valid } = parsed(snapshotSpec, request);
  return [
    ...when(cluster !== '', () => problem('NOVA8433', { name: machine, cluster })),
    ...wrong,
    ...taken(snapshotWord, valid.name, await storage.snapshots(machine)),
  ];
}

/** The same for a template. */
export async function problemsOfTemplate({ machines }: MachineStorage, request: unknown): Promise<Problem[]> {
  const { wrong, valid } = parsed(templateSpec, request);
  const [all, images] = await Promise.all([machines.list(), machines.engine.images()]);
  const { machine: name = '' } = valid;
  const machine = all.find((each) => each.name === name);
  const { cluster = '' } = machine ?? {};
  return [
    ...wrong,
    ...taken(imageWord, valid.name, images),
    ...when(name !== '' && !machine, () =>
      problem(
        'NOVA8432',
        { kind: machineWord, name, known: all.map((each) => each.name).join(', ') || '—', nearest: '' },
        ['machine'],
      ),
    ),
    ...when(cluster !== '', () => problem('NOVA8434', { name, cluster }, ['machine'])),
    ...when(machine !== undefined && machine.state !== 'stopped', () => problem('NOVA7100', { name }, ['machine'])),
  ];
}

function taken(kind: Text, name: string | undefined, existing: readonly { name: string }[]): Problem[] {
  return when(
    existing.some((each) => each.name === name),
    () => problem('NOVA7021', { kind, name: name ?? '' }, ['name']),
  );
}
