import { writeFile } from 'node:fs/promises';
import { run } from '@nova-platform/process';
import type { Component } from './component.ts';
import { modifiedFolder } from './source.ts';
import type { Toolchain } from './toolchain.ts';

/** A module linked into a program, from the program's build information. */
export interface Module {
  path: string;
  version: string;
  /** Checksum of its content in the format of go.sum. */
  sum?: string;
  /** Whether stubs replace some of its packages. */
  isModified?: boolean;
}

/** Returns all modules linked into a program; a replaced module is listed as its replacement, a modified one as itself. */
export async function modulesOf({ program }: Toolchain, binary: string): Promise<Module[]> {
  return parseModules(await run(program, ['version', '-m', binary]));
}

export function parseModules(text: string): Module[] {
  const modules: Module[] = [];
  for (const line of text.split('\n')) {
    const [, kind, path = '', version = '', sum] = /^\t(dep|=>)\t(\S+)\t(\S+)(?:\t(\S+))?/.exec(line) ?? [];
    const replaced = kind === '=>' ? modules.pop() : undefined;
    if (replaced && path.startsWith(`./${modifiedFolder}/`))
      modules.push({ path: replaced.path, version: replaced.version, isModified: true });
    else if (kind) modules.push({ path, version, ...(sum && { sum }) });
  }
  return modules;
}

/**
 * Writes a CycloneDX SBOM with package URLs and checksums. It has no times or random IDs, so the same pins give the
 * same text.
 */
export async function writeBillOfMaterials(
  file: string,
  component: Component,
  modules: readonly Module[],
): Promise<void> {
  const purl = (path: string, version: string) => `pkg:golang/${path}@${version}`;
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        name: component.name,
        version: component.version,
        licenses: [{ license: { id: component.licence } }],
        ...(component.module && { purl: purl(component.module, `v${component.version}`) }),
      },
    },
    components: modules.map(({ path, version, sum, isModified }) => ({
      type: 'library',
      name: path,
      version,
      purl: purl(path, version),
      ...(sum && { properties: [{ name: 'go:sum', value: sum }] }),
      ...(isModified && { modified: true, pedigree: { notes: `Stubs of ${component.name} replace some packages.` } }),
    })),
  };
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
}
