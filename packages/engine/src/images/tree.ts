import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A digest of a folder: names, modes and contents of its files. A missing folder has a digest too. */
export function treeDigest(folder: string): string {
  const hash = createHash('sha256');
  for (const name of filesIn(folder).sort()) {
    const path = join(folder, name);
    const content = readFileSync(path);
    hash.update(`${name}\0${lstatSync(path).mode.toString(8)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
