import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import type { Image, MachineKind } from '@nova-platform/contracts/engine';
import { readRecord, writeRecord } from '../files.ts';
import { paths } from '../paths.ts';
import { foldersIn } from './folders.ts';

/**
 * An image that was created from a machine. Its own layer is in the folder of the record; those below are of the image
 * of that machine.
 */
export interface TemplateRecord {
  name: string;
  digest: string;
  kind: MachineKind;
  /** The topmost first. */
  layers: string[];
  description: string;
  createdAt: string;
  diskMebibytes?: number;
}

/** Not in the cache: nothing can build a template again. */
export const templatesFolder: string = join(paths.state, 'templates');

export const templateFolder = (name: string): string => join(templatesFolder, name);

/** The layer in the folder of a template. */
export const layerIn = (folder: string): string => join(folder, 'layer');

export function readTemplate(name: string): Promise<TemplateRecord | undefined> {
  return readRecord<TemplateRecord>(recordIn(templateFolder(name)));
}

export async function readTemplates(): Promise<TemplateRecord[]> {
  const records = await Promise.all((await foldersIn(templatesFolder)).map(readTemplate));
  return records.filter((record) => record !== undefined);
}

export function writeTemplate(record: TemplateRecord, folder: string): Promise<void> {
  return writeRecord(recordIn(folder), record);
}

/** A template as an image. */
export function templateImage(record: TemplateRecord): Image {
  return { ...record, isBuilt: record.layers.every((layer) => existsSync(layer)), isTemplate: true };
}

/** Refuses a template whose layers are incomplete: an update of the host may have removed its cache. */
export function assertComplete({ name, layers }: TemplateRecord): void {
  const missing = layers.find((layer) => !existsSync(layer));
  if (missing !== undefined) throw new ProblemError(problem('NOVA7135', { name, layer: missing }));
}

const recordIn = (folder: string): string => join(folder, 'template.json');
