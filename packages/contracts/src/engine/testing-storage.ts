import { ProblemError, problem } from '@nova-platform/api';
import { type HttpApi, serve } from '@nova-platform/http';
import { type Disk, type Image, type Snapshot, storageContract } from './contract.ts';
import type { TestEngine } from './testing.ts';

export const createdAt = '2026-11-18T09:00:00.000Z';

export const newDisk = (spec: Pick<Disk, 'name' | 'format' | 'sizeMebibytes'>): Disk => ({
  id: `id-${spec.name}`,
  ...spec,
  usedBytes: 0,
  createdAt,
});

export const newSnapshot = (spec: Pick<Snapshot, 'name' | 'description'>): Snapshot => ({
  id: `id-${spec.name}`,
  ...spec,
  createdAt,
  disks: [],
  isFrozen: true,
  usedBytes: 1000,
});

/** A template with the disk of a machine. */
function newTemplate(
  { machines, images }: Pick<TestEngine, 'machines' | 'images'>,
  { name, machine, description }: { name: string; machine: string; description: string },
): Image {
  const { image, kind, diskMebibytes } = found('machine', machines, machine);
  const base = images.find((each) => each.name === image);
  return {
    name,
    digest: base?.digest ?? '',
    kind,
    layers: base?.layers ?? [],
    isBuilt: true,
    isTemplate: true,
    description,
    createdAt,
    ...(diskMebibytes !== undefined && { diskMebibytes }),
  };
}

/** Serves disks, snapshots and templates like the engine does. */
export function serveStorage(api: HttpApi, engine: TestEngine): void {
  const { machines, disks, snapshots, images } = engine;
  const change = (name: string, what: Partial<Disk>): Disk => {
    const changed = { ...found('disk', disks, name), ...what };
    disks.set(name, changed);
    return changed;
  };
  const without = ({ machine: _machine, path: _path, ...rest }: Disk): Disk => rest;
  const assertStopped = (name: string) => {
    const machine = found('machine', machines, name);
    if (machine.state !== 'stopped') throw new ProblemError(problem('NOVA7100', { name }));
    return machine;
  };
  serve(api, storageContract, {
    listDisks: async () => [...disks.values()],
    createDisk: async ({ body }) => {
      assertNew('disk', disks, body.name);
      disks.set(body.name, newDisk(body));
      return found('disk', disks, body.name);
    },
    growDisk: async ({ params: { name }, body }) => change(name, body),
    deleteDisk: async ({ params: { name } }) => {
      disks.delete(name);
      return {};
    },
    attachDisk: async ({ params: { name, disk }, body }) => {
      found('machine', machines, name);
      return change(disk, { machine: name, ...body });
    },
    detachDisk: async ({ params: { disk } }) => {
      disks.set(disk, without(found('disk', disks, disk)));
      return found('disk', disks, disk);
    },
    listSnapshots: async ({ params: { name } }) => snapshots.get(name) ?? [],
    createSnapshot: async ({ params: { name: machine }, body, request }) => {
      found('machine', machines, machine);
      assertNew('snapshot', new Map(snapshots.get(machine)?.map((each) => [each.name, each])), body.name);
      const snapshot = newSnapshot(body);
      snapshots.set(machine, [...(snapshots.get(machine) ?? []), snapshot]);
      engine.afterCreation(request);
      return snapshot;
    },
    restoreSnapshot: async ({ params: { name } }) => assertStopped(name),
    deleteSnapshot: async ({ params: { name, snapshot } }) => {
      const kept = (snapshots.get(name) ?? []).filter((each) => each.name !== snapshot);
      snapshots.set(name, kept);
      return {};
    },
    createTemplate: async ({ body, request }) => {
      assertStopped(body.machine);
      assertNew('image', new Map(images.map((each) => [each.name, each])), body.name);
      const template = newTemplate(engine, body);
      images.push(template);
      engine.afterCreation(request);
      return template;
    },
    deleteTemplate: async ({ params: { name } }) => {
      images.splice(0, images.length, ...images.filter((each) => each.name !== name));
      return {};
    },
  });
}

const words = {
  machine: { en: 'machine', ru: 'машина' },
  network: { en: 'network', ru: 'сеть' },
  disk: { en: 'disk', ru: 'диск' },
  snapshot: { en: 'snapshot', ru: 'снимок' },
  image: { en: 'image', ru: 'образ' },
};

/** The thing with this name; throws if there is none. */
export function found<T>(kind: keyof typeof words, things: ReadonlyMap<string, T>, name: string): T {
  const thing = things.get(name);
  if (thing !== undefined) return thing;
  const nearest = { en: '', ru: '' };
  throw new ProblemError(
    problem('NOVA7010', { kind: words[kind], name, known: [...things.keys()].join(', '), nearest }),
  );
}

export function assertNew(kind: keyof typeof words, things: ReadonlyMap<string, unknown>, name: string): void {
  if (things.has(name)) throw new ProblemError(problem('NOVA7021', { kind: words[kind], name }));
}
