import { freemem, totalmem } from 'node:os';
import { ProblemError, problem, sizeTexts } from '@nova-platform/api';
import { availableMemory } from '@nova-platform/contracts/engine';
import type { MachineRecord } from './record.ts';

/** Refuses what the preflight of Universe refuses. Machines that are about to run count like running ones. */
export function assertFreeMemory(
  neededMebibytes: number,
  machines: readonly Pick<MachineRecord, 'kind' | 'wanted' | 'memoryMebibytes'>[],
  {
    hasKvm,
    memory = { totalBytes: totalmem(), freeBytes: freemem() },
  }: {
    hasKvm: boolean;
    memory?: { totalBytes: number; freeBytes: number };
  },
): void {
  const running = machines.filter(({ wanted }) => wanted === 'running');
  const free = availableMemory(
    { memory, hasKvm },
    running.map((machine) => ({ ...machine, state: 'running' })),
  );
  const needed = neededMebibytes * 1024 ** 2;
  if (needed <= free) return;
  throw new ProblemError(
    problem('NOVA7025', {
      what: { en: 'memory', ru: 'память' },
      free: sizeTexts(free),
      needed: sizeTexts(needed),
    }),
  );
}
