import { formatted } from '@nova-platform/api';
import { parse } from 'yaml';
import { z } from 'zod';

const name = formatted('label', 63);
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

const image = z.strictObject({
  name,
  /** The component that the image contains. */
  component: name,
  version: z.string(),
  digest,
});

const moduleDescriptor = z.strictObject({
  name,
  category: z.enum(['base', 'additional']),
  version: z.string(),
  /** Modules that must be ready first. */
  needs: z.array(name),
  description: z.strictObject({ en: z.string(), ru: z.string() }),
  /** Names of the images that its pods run. */
  images: z.array(name),
});

const releaseDescriptor = z.strictObject({
  version: formatted('release'),
  images: z.array(image),
  /** Names of the images of Flux itself. */
  flux: z.array(name),
});

export type ReleasedModule = z.output<typeof moduleDescriptor>;
export type ReleasedImage = z.output<typeof image>;

/** The descriptor of a release. */
export interface Release extends z.output<typeof releaseDescriptor> {
  modules: ReleasedModule[];
}

/** The files of a release by their path; a release never changes. */
export type ReleaseFiles = Readonly<Record<string, string>>;

export const releaseFile = 'release.yaml';
export const crdFolder = 'flux/crds';
export const moduleFile = (module: string): string => `modules/${module}/module.yaml`;
const moduleFiles = /^modules\/[^/]+\/module\.yaml$/;

/** Whether a file is part of the description of a release. */
export function describes(path: string): boolean {
  return path === releaseFile || moduleFiles.test(path);
}

/** Reads the descriptors of a release. */
export function readRelease(files: ReleaseFiles): Release {
  const modules = Object.entries(files).filter(([path]) => moduleFiles.test(path));
  return {
    ...releaseDescriptor.parse(parse(files[releaseFile] ?? '')),
    modules: modules.map(([, text]) => moduleDescriptor.parse(parse(text))),
  };
}
