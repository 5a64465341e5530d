import { ProblemError, problem } from '@nova-platform/api';
import { changesBetween } from '@nova-platform/change/fields';
import type { storageContract } from '@nova-platform/contracts/universe';
import type { Handlers } from '@nova-platform/http';
import { assertNone } from '../machines/check.ts';
import { problemsOfDisk, problemsOfSnapshot, problemsOfTemplate } from '../machines/check-storage.ts';
import type { Parts } from '../universe.ts';
import { startFor } from './start.ts';

/** Disks, snapshots and templates of the host. */
export function storageHandlers(parts: Parts): Handlers<typeof storageContract> {
  const { machines, storage, kinds } = parts;
  return {
    listDisks: async () => ({ disks: await storage.disks() }),
    checkDisk: async ({ body }) => ({ problems: await problemsOfDisk(storage, body) }),
    createDisk: async ({ body }) => {
      assertNone(await problemsOfDisk(storage, body));
      return storage.engine.createDisk(body);
    },
    growDisk: async ({ params: { disk: name }, body: { sizeMebibytes }, request }) => {
      const before = await storage.assertFreeDisk(name);
      const after = await storage.engine.growDisk(name, sizeMebibytes);
      request.changes = changesBetween(sizeOf(before), sizeOf(after));
      return after;
    },
    deleteDisk: async ({ params: { disk: name } }) => {
      await storage.assertFreeDisk(name);
      return storage.engine.deleteDisk(name);
    },
    attachDisk: async ({ params: { machine, disk }, body }) => {
      await machines.assertFree(machine);
      await storage.assertFreeDisk(disk);
      return storage.engine.attachDisk(machine, disk, body);
    },
    detachDisk: async ({ params: { machine, disk } }) => {
      await machines.assertFree(machine);
      await storage.assertFreeDisk(disk);
      return storage.engine.detachDisk(machine, disk);
    },
    listSnapshots: async ({ params }) => ({ snapshots: await storage.snapshots(params.machine) }),
    checkSnapshot: async ({ params, body }) => ({ problems: await problemsOfSnapshot(storage, params.machine, body) }),
    createSnapshot: async ({ params: { machine }, body, request }) => {
      assertNone(await problemsOfSnapshot(storage, machine, body));
      request.changes = changesBetween({}, { name: body.name });
      return startFor(request, parts, kinds.createSnapshot, { ...body, machine });
    },
    restoreSnapshot: async ({ params: { machine, snapshot: name }, request }) => {
      const { state } = await machines.assertFree(machine, 'NOVA8433');
      const { id } = await storage.snapshot(machine, name);
      if (state !== 'stopped') throw new ProblemError(problem('NOVA7100', { name: machine }));
      return startFor(request, parts, kinds.restoreSnapshot, { machine, name, id });
    },
    deleteSnapshot: async ({ params: { machine, snapshot: name }, request }) => {
      await machines.assertFree(machine);
      const { id } = await storage.snapshot(machine, name);
      return startFor(request, parts, kinds.deleteSnapshot, { machine, name, id });
    },
    checkTemplate: async ({ body }) => ({ problems: await problemsOfTemplate(storage, body) }),
    createTemplate: async ({ body, request }) => {
      assertNone(await problemsOfTemplate(storage, body));
      request.changes = changesBetween({}, { machine: body.machine });
      return startFor(request, parts, kinds.createTemplate, body);
    },
    deleteTemplate: async ({ params: { template } }) => {
      await storage.template(template);
      return storage.engine.deleteTemplate(template);
    },
  };
}

const sizeOf = ({ sizeMebibytes }: { sizeMebibytes: number }) => ({ sizeMebibytes });
