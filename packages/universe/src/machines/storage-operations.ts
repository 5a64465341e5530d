import { ProblemError, problem, type Text } from '@nova-platform/api';
import { snapshotSpec, templateSpec } from '@nova-platform/contracts/universe';
import { operation } from '@nova-platform/operations';
import { z } from 'zod';
import { assertNone } from './check.ts';
import { problemsOfSnapshot, problemsOfTemplate } from './check-storage.ts';
import type { MachineStorage } from './storage.ts';

const snapshotOfMachine = z.object({ machine: z.string(), name: z.string(), id: z.string() });
const lock = ({ machine }: { machine: string }) => `machine.${machine}`;

const check: Text = { en: 'Check the declaration', ru: 'Проверить описание' };

export type StorageOperations = ReturnType<typeof storageOperations>;

/** Operations on the disks of machines that belong to no cluster. They take as long as the disks are large. */
export function storageOperations(storage: MachineStorage) {
  const find = async (machine: string, name: string) =>
    (await storage.engine.snapshots(machine)).find((each) => each.name === name);

  return {
    createSnapshot: operation({
      kind: 'snapshot.create',
      title: { en: 'Create snapshot', ru: 'Создать снимок' },
      titleOf: ({ machine, name }) => ({
        en: `Create snapshot ${name} of ${machine}`,
        ru: `Создать снимок ${name} машины ${machine}`,
      }),
      input: snapshotSpec.extend({ machine: z.string() }),
      lock,
    })
      .step('check', {
        title: check,
        run: async ({ input: { machine, ...spec } }) => assertNone(await problemsOfSnapshot(storage, machine, spec)),
      })
      .step('create', {
        title: { en: 'Create the snapshot', ru: 'Создать снимок' },
        run: async ({ input: { machine, ...spec } }) => {
          await storage.machines.assertFree(machine, 'NOVA8433');
          await ignoreExisting(storage.engine.createSnapshot(machine, spec));
        },
        undo: async ({ input: { machine, name } }) => {
          if (await find(machine, name)) await storage.engine.deleteSnapshot(machine, name);
        },
      }),
    restoreSnapshot: operation({
      kind: 'snapshot.restore',
      title: { en: 'Restore snapshot', ru: 'Восстановить снимок' },
      titleOf: ({ machine, name }) => ({
        en: `Restore snapshot ${name} of ${machine}`,
        ru: `Восстановить снимок ${name} машины ${machine}`,
      }),
      input: snapshotOfMachine,
      lock,
    }).step('restore', {
      title: { en: 'Restore the disks of the machine', ru: 'Восстановить диски машины' },
      run: async ({ input: { machine, name, id } }) => {
        await storage.machines.assertFree(machine, 'NOVA8433');
        // A snapshot that got this name later is another one.
        if ((await storage.snapshot(machine, name)).id !== id)
          throw new ProblemError(problem('NOVA8435', { name, machine }));
        await storage.engine.restoreSnapshot(machine, name);
      },
    }),
    deleteSnapshot: operation({
      kind: 'snapshot.delete',
      title: { en: 'Delete snapshot', ru: 'Удалить снимок' },
      titleOf: ({ machine, name }) => ({
        en: `Delete snapshot ${name} of ${machine}`,
        ru: `Удалить снимок ${name} машины ${machine}`,
      }),
      input: snapshotOfMachine,
      lock,
    }).step('delete', {
      title: { en: 'Delete the snapshot', ru: 'Удалить снимок' },
      run: async ({ input: { machine, name, id } }) => {
        await storage.machines.assertFree(machine);
        if ((await find(machine, name))?.id === id) await storage.engine.deleteSnapshot(machine, name);
      },
    }),
    createTemplate: operation({
      kind: 'template.create',
      title: { en: 'Create template', ru: 'Создать шаблон' },
      titleOf: ({ machine, name }) => ({
        en: `Create template ${name} from ${machine}`,
        ru: `Создать шаблон ${name} из машины ${machine}`,
      }),
      input: templateSpec,
      // One template of a name at a time. The engine itself keeps the machine stopped meanwhile.
      lock: ({ name }) => `template.${name}`,
    })
      .step('check', {
        title: check,
        run: async ({ input }) => assertNone(await problemsOfTemplate(storage, input)),
      })
      .step('create', {
        title: { en: 'Copy the disk of the machine', ru: 'Скопировать диск машины' },
        run: async ({ input }) => {
          await storage.machines.assertFree(input.machine, 'NOVA8434');
          await ignoreExisting(storage.engine.createTemplate(input));
        },
        undo: async ({ input: { name } }) => {
          if ((await storage.engine.images()).some((each) => each.name === name && each.isTemplate))
            await storage.engine.deleteTemplate(name);
        },
      }),
  };
}

/** An earlier attempt of the step, whose response was lost, has created it: the step before found none. */
async function ignoreExisting(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!(error instanceof ProblemError) || error.problems[0]?.code !== 'NOVA7021') throw error;
  });
}
