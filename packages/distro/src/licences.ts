import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Module } from './modules.ts';

const licenceFile = /^(licen[cs]e|copying|notice|unlicense)/i;

/**
 * Copies the licence files of all linked modules: most licences require them in redistributed programs. Returns the
 * modules without one.
 */
export async function collectLicences(target: string, modules: readonly Module[], cache: string): Promise<string[]> {
  const missing: string[] = [];
  await mkdir(target, { recursive: true });
  for (const { path, version } of modules) {
    // The module is replaced by a folder of this repository, which has our own licence.
    if (version === '(devel)') continue;
    const source = join(cache, `${escapeCapitals(path)}@${escapeCapitals(version)}`);
    const names = (await readdir(source).catch((): string[] => [])).filter((name) => licenceFile.test(name));
    if (names.length === 0) missing.push(`${path}@${version}`);
    for (const name of names) await cp(join(source, name), join(target, path, name), { recursive: true });
  }
  return missing;
}

/** Escapes capitals as Go's module cache does. */
function escapeCapitals(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}
