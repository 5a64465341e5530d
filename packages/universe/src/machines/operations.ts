import { ProblemError, type Text } from '@nova-platform/api';
import type { EngineClient } from '@nova-platform/contracts/engine/client';
import { newMachine } from '@nova-platform/contracts/universe';
import { operation } from '@nova-platform/operations';
import type { Sealer } from '@nova-platform/pki';
import { z } from 'zod';
import type { Machines } from './machines.ts';

/** Not a cluster: names of clusters contain no dot. */
const lock = ({ name }: { name: string }) => `machine.${name}`;
export const isOfMachine = ({ lock: of = '' }: { lock?: string | undefined }): boolean =>
  /^(machine|template)\./.test(of);

/** The cloud-init configuration may contain secrets, so an operation keeps it sealed. */
export const sealContext = (machine: string): string => `cloud-config/${machine}`;

const named = z.object({ name: z.string() });

export type MachineOperations = ReturnType<typeof machineOperations>;

/** Operations on machines that belong to no cluster. They take as long as a machine needs to boot or to stop. */
export function machineOperations(machines: Machines, sealer: Sealer) {
  const find = async (name: string) => (await machines.list()).find((each) => each.name === name);

  /** One call of the engine; a machine that meanwhile belongs to a cluster is refused. */
  const call = (kind: string, title: Text, wait: Text, run: (engine: EngineClient, name: string) => Promise<unknown>) =>
    operation({
      kind: `machine.${kind}`,
      title,
      titleOf: ({ name }) => ({ en: `${title.en} ${name}`, ru: `${title.ru} ${name}` }),
      input: named,
      lock,
    }).step(kind, {
      title: wait,
      run: async ({ input: { name } }) => {
        await machines.assertFree(name);
        await run(machines.engine, name);
      },
    });

  return {
    createMachine: operation({
      kind: 'machine.create',
      title: { en: 'Create machine', ru: 'Создать машину' },
      titleOf: ({ name }) => ({ en: `Create machine ${name}`, ru: `Создать машину ${name}` }),
      input: newMachine.extend({ cloudConfig: z.string().optional() }),
      lock,
    }).step('create', {
      title: { en: 'Create the machine and wait until it has booted', ru: 'Создать машину и дождаться загрузки' },
      run: async ({ input: { cloudConfig, ...spec } }) => {
        const opened = cloudConfig !== undefined && { cloudConfig: sealer.open(cloudConfig, sealContext(spec.name)) };
        await machines.engine.createMachine({ ...spec, ...opened }).catch(async (error: unknown) => {
          // An earlier attempt of this step, whose response was lost, has created it.
          if (!(error instanceof ProblemError) || error.problems[0]?.code !== 'NOVA7021') throw error;
          if (spec.isStarted) await machines.engine.startMachine(spec.name);
        });
      },
      undo: async ({ input: { name } }) => {
        if (await find(name)) await machines.engine.deleteMachine(name);
      },
    }),
    startMachine: call(
      'start',
      { en: 'Start machine', ru: 'Запустить машину' },
      { en: 'Start the machine and wait until it has booted', ru: 'Запустить машину и дождаться загрузки' },
      (engine, name) => engine.startMachine(name),
    ),
    restartMachine: call(
      'restart',
      { en: 'Restart machine', ru: 'Перезапустить машину' },
      { en: 'Restart the machine and wait until it has booted', ru: 'Перезапустить машину и дождаться загрузки' },
      (engine, name) => engine.restartMachine(name),
    ),
    stopMachine: call(
      'stop',
      { en: 'Stop machine', ru: 'Остановить машину' },
      { en: 'Stop the machine', ru: 'Остановить машину' },
      (engine, name) => engine.stopMachine(name),
    ),
    deleteMachine: operation({
      kind: 'machine.delete',
      title: { en: 'Delete machine', ru: 'Удалить машину' },
      titleOf: ({ name }) => ({ en: `Delete machine ${name}`, ru: `Удалить машину ${name}` }),
      input: named.extend({ id: z.string() }),
      lock,
    }).step('delete', {
      title: { en: 'Delete the machine and its disk', ru: 'Удалить машину и её диск' },
      run: async ({ input: { name, id } }) => {
        // A machine that got this name later is another one.
        if ((await find(name))?.id === id) await machines.engine.deleteMachine(name);
      },
    }),
  };
}
