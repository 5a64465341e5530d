import { mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError, problem } from '@nova-platform/api';
import type {
  CheckedImage,
  ImageUpdates,
  LastCheck,
  MachineUpdates,
  PackageUpdate,
} from '@nova-platform/contracts/engine';
import { CommandError } from '@nova-platform/process';
import { readRecord, writeRecord } from '../files.ts';
import { networkRoot } from '../paths.ts';
import { downloadLists, newerPackages } from './apt.ts';
import { builtLayers, listImages, packageStatus } from './build.ts';
import { updatesFolder, whileNoUpdate } from './generations.ts';
import { suite } from './recipes.ts';
import { packageSources } from './sources.ts';

/** The result of the last comparison of layers with Debian's package lists. */
export interface Check {
  checkedAt: string;
  /** Suites that the mirror lacks. */
  missing: string[];
  /** Newer packages of each layer, by the name of the layer's folder. */
  layers: Record<string, PackageUpdate[]>;
}

const file = join(updatesFolder, 'check.json');
const aptFolder = join(updatesFolder, 'apt');
const hour = 3600_000;
const checkPause = 24 * hour;
const firstPause = hour / 6;

export async function readCheck(): Promise<Check | undefined> {
  return readRecord<Check>(file);
}

/** Downloads Debian's package lists and compares every layer with them. */
export async function checkImages(progress: (line: string) => void): Promise<Check> {
  return whileNoUpdate(
    () => checkLayers(progress),
    () => progress('waiting for another check or update'),
  );
}

/** The same for callers that hold the update lock. */
export async function checkLayers(progress: (line: string) => void): Promise<Check> {
  await mkdir(aptFolder, { recursive: true });
  progress('reading package lists');
  const { present, missing } = await packageSources(suite);
  await downloadLists(aptFolder, present).catch((error: unknown) => {
    if (!(error instanceof CommandError)) throw error;
    throw new ProblemError(problem('NOVA7080', { reason: error.stderr.trim().split('\n').at(-1) ?? '' }));
  });
  return compareLayers(missing);
}

/** Compares layers with the lists that are already downloaded. */
export async function compareLayers(missing: string[]): Promise<Check> {
  const layers: Check['layers'] = {};
  for (const layer of await builtLayers()) {
    const status = packageStatus(layer);
    if (status !== undefined) layers[basename(layer)] = await newerPackages(aptFolder, status);
  }
  const check = { checkedAt: new Date().toISOString(), missing, layers };
  await writeRecord(file, check);
  return check;
}

/** The topmost layer with packages includes those of the layers below. */
export function updatesOf(layers: readonly string[], check: Check | undefined): ImageUpdates | undefined {
  const top = layers.find((layer) => packageStatus(layer) !== undefined);
  const packages = top === undefined ? undefined : check?.layers[basename(top)];
  return check && packages && { checkedAt: check.checkedAt, packages };
}

export function machineUpdates(layers: readonly string[], check: Check | undefined): MachineUpdates | undefined {
  const updates = updatesOf(layers, check);
  if (!updates) return undefined;
  const { checkedAt, packages } = updates;
  const security = packages.filter(({ isSecurity }) => isSecurity);
  return { checkedAt, all: packages.map(({ name }) => name), security: security.map(({ name }) => name) };
}

/** Missing updates of the root file system in which the daemons of the network run. */
async function networkUpdates(check: Check | undefined): Promise<MachineUpdates | undefined> {
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '));
  const options = mounts.find(([, target]) => target === networkRoot)?.[3] ?? '';
  return machineUpdates(/lowerdir=([^,]+)/.exec(options)?.[1]?.split(':') ?? [], check);
}

export async function lastCheck(): Promise<LastCheck> {
  const check = await readCheck();
  const networks = await networkUpdates(check);
  return {
    ...(check && { checkedAt: check.checkedAt }),
    missing: check?.missing ?? [],
    ...(networks && { networks }),
  };
}

export async function checkedImages(): Promise<CheckedImage[]> {
  const check = await readCheck();
  return (await listImages()).map((image) => {
    const updates = image.isBuilt && updatesOf(image.layers, check);
    return { ...image, ...(updates && { updates }) };
  });
}

/** Checks once a day. A failed check is retried after an hour. */
export async function keepChecking(signal: AbortSignal): Promise<void> {
  // Wait at first: an engine that has just started has more urgent work.
  let pause = firstPause;
  while (!signal.aborted) {
    await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    pause = hour;
    await checkWhenDue().catch((error: unknown) => console.error('updates of images:', error));
  }
}

async function checkWhenDue(): Promise<void> {
  const { checkedAt } = (await readCheck()) ?? {};
  const isDue = checkedAt === undefined || Date.now() - Date.parse(checkedAt) > checkPause;
  if (isDue) await checkImages(() => undefined);
}
