import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from './paths.ts';

const file = join(paths.runtime, 'fault');

/**
 * A place where the engine may be killed. Tests name one in a file and see that what comes after a restart is whole;
 * nothing else writes it.
 */
export function faultPoint(name: string): void {
  let asked = '';
  try {
    asked = readFileSync(file, 'utf8').trim();
  } catch {
    return;
  }
  if (asked !== name) return;
  rmSync(file);
  process.kill(process.pid, 'SIGKILL');
}
