import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from './paths.ts';

const file = join(paths.runtime, 'fault');

/**
 * A point where tests can kill the engine, or another process. A test writes the name of a point to a file, and then
 * checks the state after the restart. A second word is the file with the PID of the process to kill instead of this one.
 * Only tests write the file.
 */
export function faultPoint(name: string): void {
  let asked = '';
  try {
    asked = readFileSync(file, 'utf8').trim();
  } catch {
    return;
  }
  const [point, pidFile] = asked.split(' ');
  if (point !== name) return;
  rmSync(file);
  process.kill(pidFile === undefined ? process.pid : Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
}
