import { existsSync } from 'node:fs';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { CommandError, exclusively, sharing } from '@nova-platform/process';
import {
  type BuiltComponent,
  buildComponent,
  checksumOf,
  emptyGoCaches,
  findBuilt,
  lastLines,
  type Progress,
} from './build.ts';
import { cacheFolder, goCaches, goCachesLock, removeTree } from './cache.ts';
import type { Component } from './component.ts';
import { runGo } from './go.ts';
import type { Toolchain } from './toolchain.ts';

/** The reason why a component is not verified. */
export type Finding =
  /** The file changed after its build. */
  | { kind: 'changed'; file: string; here: string; written: string }
  /** A rebuild from the same pins gives a different file; a checksum is empty if the file is missing. */
  | { kind: 'differs'; file: string; here: string; rebuilt: string }
  /** The modules in Go's cache do not match go.sum. */
  | { kind: 'modules'; reason: string };

export interface Verified {
  component: string;
  version: string;
  /** The folder that was compared. */
  folder: string;
  isSame: boolean;
  findings: Finding[];
  withoutLicence: string[];
  seconds: number;
}

interface Options {
  cache?: string;
  toolchain: Toolchain;
  onProgress?: (progress: Progress) => void;
  onVerified?: (verified: Verified) => void;
}

/**
 * Rebuilds components from scratch in another folder and compares the results. Only downloaded modules are shared with
 * earlier builds, and they are verified against go.sum.
 */
export async function verifyComponents(components: readonly Component[], options: Options): Promise<Verified[]> {
  const { cache = cacheFolder(), toolchain, onProgress = () => undefined, onVerified = () => undefined } = options;
  const built = await Promise.all(components.map((component) => assertBuilt(component, toolchain, cache)));
  const folder = join(cache, 'verify');
  return exclusively(
    `${folder}.lock`,
    () => onProgress({ component: components[0]?.name ?? '', doing: 'waiting', part: 0 }),
    async () => {
      // A killed verification leaves its folder behind.
      await removeTree(folder);
      const hadModules = existsSync(goCaches(cache).modules);
      const list: Verified[] = [];
      try {
        for (const [index, component] of components.entries()) {
          const verified = await verify(component, built[index] as BuiltComponent, {
            cache,
            folder,
            toolchain,
            onProgress,
          });
          onVerified(verified);
          list.push(verified);
        }
        return list;
      } finally {
        await removeTree(folder);
        if (!hadModules) await emptyGoCaches(cache);
      }
    },
  );
}

async function assertBuilt(component: Component, toolchain: Toolchain, cache: string): Promise<BuiltComponent> {
  const built = await findBuilt(component, toolchain, cache);
  if (!built) throw new ProblemError(problem('NOVA8214', { component: component.name }));
  return built;
}

interface Place {
  cache: string;
  folder: string;
  toolchain: Toolchain;
  onProgress: (progress: Progress) => void;
}

async function verify(component: Component, built: BuiltComponent, place: Place): Promise<Verified> {
  const { cache, folder, toolchain, onProgress } = place;
  const started = performance.now();
  const { modules } = goCaches(cache);
  const copy = { ...component, folder: join(folder, 'sources', basename(component.folder)) };
  await mkdir(join(folder, 'sources'), { recursive: true });
  await cp(component.folder, copy.folder, { recursive: true });

  const rebuilt = await buildComponent(copy, { cache: join(folder, 'cache'), modules, toolchain, onProgress });
  const findings = [
    ...(await compare(built, rebuilt)),
    ...(await checkModules(copy, toolchain, { ...goCaches(join(folder, 'cache')), modules })),
  ];
  await removeTree(rebuilt.folder);
  return {
    component: component.name,
    version: component.version,
    folder: built.folder,
    isSame: findings.length === 0,
    findings,
    withoutLicence: built.withoutLicence,
    seconds: Math.round((performance.now() - started) / 1000),
  };
}

async function checkModules(
  component: Component,
  toolchain: Toolchain,
  caches: ReturnType<typeof goCaches>,
): Promise<Finding[]> {
  try {
    await sharing(goCachesLock(caches), () => runGo({ toolchain, caches }, component.folder, ['mod', 'verify']));
    return [];
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [{ kind: 'modules', reason: lastLines(error.stderr) }];
  }
}

/** Compares every image and every file of two builds. */
async function compare(built: BuiltComponent, rebuilt: BuiltComponent): Promise<Finding[]> {
  const [here, there] = await Promise.all([checksumsIn(built.folder), checksumsIn(rebuilt.folder)]);
  const findings: Finding[] = rebuilt.images.flatMap(({ name, digest }): Finding[] => {
    const own = built.images.find((image) => image.name === name)?.digest ?? '';
    return own === digest ? [] : [{ kind: 'differs', file: `images/${name}`, here: own, rebuilt: digest }];
  });
  const isOtherImage = findings.length > 0;
  for (const file of [...new Set([...here.keys(), ...there.keys()])].sort()) {
    const [present, again] = [here.get(file) ?? '', there.get(file) ?? ''];
    const written = writtenChecksum(file, built);
    if (present !== '' && written !== undefined && present !== written)
      findings.push({ kind: 'changed', file, here: present, written });
    // All blobs of a different image differ, so they are not reported.
    else if (present !== again && !(isOtherImage && file.startsWith('images/')))
      findings.push({ kind: 'differs', file, here: present, rebuilt: again });
  }
  return findings;
}

/** The checksum of a file when it was written: programs are listed in the result, and a blob's name is its digest. */
function writtenChecksum(file: string, { programs }: BuiltComponent): string | undefined {
  const [, program] = /^bin\/([^/]+)$/.exec(file) ?? [];
  const [, blob] = /^images\/blobs\/sha256\/([0-9a-f]{64})$/.exec(file) ?? [];
  return blob ?? programs.find(({ name }) => name === program)?.sha256;
}

async function checksumsIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const checksums = new Map<string, string>();
  // The result contains the duration of the build, which differs each time.
  for (const path of paths.filter((each) => each !== join(folder, 'result.json')))
    checksums.set(relative(folder, path), await checksumOf(path));
  return checksums;
}
