import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from './paths.ts';

const file = join(paths.runtime, 'fault');

/**
 * A point where tests can kill the engine. A test writes the name of a point to a file and checks the state after the
 * restart. Only tests write the file.
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
