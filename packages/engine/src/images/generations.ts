import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { exclusively } from '@nova-platform/process';
import { readRecord, writeRecord } from '../files.ts';
import { paths } from '../paths.ts';
import type { Generations } from './recipes.ts';

/** Beside the layers, so that they are deleted together. */
export const updatesFolder: string = join(paths.cache, 'images', 'updates');

const file = join(updatesFolder, 'generations.json');

export async function readGenerations(): Promise<Generations> {
  return (await readRecord<Generations>(file)) ?? {};
}

export async function writeGenerations(generations: Generations): Promise<void> {
  await writeRecord(file, generations);
}

/** Runs work that is an update or must not run during one. */
export async function whileNoUpdate<T>(work: () => Promise<T>, onWait: () => void = () => undefined): Promise<T> {
  await mkdir(updatesFolder, { recursive: true });
  return exclusively(join(updatesFolder, 'update.lock'), onWait, work);
}
