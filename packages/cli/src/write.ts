import { randomUUID } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import type { Io } from './io.ts';
import { systemReason } from './read.ts';

/**
 * Writes a file atomically. Unless overwriting is allowed, never replaces an existing file, even one created meanwhile.
 * Synchronous, so that an interrupt comes before or after the write.
 */
export function writeFileSafely(
  io: Io,
  file: string,
  text: string,
  { mode, mayOverwrite }: { mode: number; mayOverwrite: boolean },
): void {
  const target = resolve(io.cwd, file);
  const temporary = join(dirname(target), `.nova-${randomUUID()}.tmp`);
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode, flush: true });
    if (mayOverwrite) renameSync(temporary, target);
    else linkSync(temporary, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new ProblemError(problem('NOVA6001', { file }));
    throw new ProblemError(problem('NOVA6003', { file, reason: systemReason(error) }));
  } finally {
    rmSync(temporary, { force: true });
  }
}
