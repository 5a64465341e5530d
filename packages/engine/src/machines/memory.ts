import { freemem, totalmem } from 'node:os';
import { ProblemError, problem, sizeTexts } from '@nova-platform/api';
import { availableMemory } from '@nova-platform/contracts/engine';
import type { MachineRecord } from './record.ts';

/** Refuses what the preflight of Universe refuses. Machines that are about to run count like running ones. */
export function assertFreeMemory(
  neededMebibytes: number,
  machines: readonly Pick<MachineRecord, 'kind' | 'wanted' | 'memoryMebibytes'>[],
  host = { totalBytes: totalmem(), freeBytes: freemem() },
): void {
  const running = machines.filter(({ wanted }) => wanted === 'running');
  const free = availableMemory(
    host,
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
