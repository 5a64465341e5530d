import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ProblemError, problem } from '@nova-platform/api';
import { parse } from 'yaml';
import { z } from 'zod';

const name = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const text = z.strictObject({ en: z.string(), ru: z.string() });

const program = z.strictObject({
  name,
  /** The Go package to build; `.` is the component's own main.go. */
  package: z.string(),
  /** Variables set at link time; `{version}`, `{major}` and `{minor}` are replaced by those of the component. */
  stamps: z.record(z.string(), z.string()).default({}),
  /** Other names of the same program. */
  links: z.array(name).default([]),
});

const image = z.strictObject({
  name,
  program: name,
  entrypoint: z.array(z.string()).min(1),
  /** The user ID; root if absent. */
  user: z.int().optional(),
  /** Whether it connects to servers with certificates from public CAs. */
  certificates: z.boolean().default(false),
  /** Arguments with which the program prints its version and exits with 0. */
  check: z.array(z.string()).optional(),
  /** The health check of a program without such arguments. */
  health: z.strictObject({ arguments: z.array(z.string()), port: z.int(), path: z.string() }).optional(),
});

const description = z.strictObject({
  name,
  title: text,
  /** The module whose version go.mod pins. Our own programs have none and declare `version`. */
  module: z.string().optional(),
  version: z.string().optional(),
  licence: z.string(),
  purpose: z.enum(['cluster', 'tests']),
  /** Lower numbers are built first. */
  order: z.int().default(100),
  programs: z.array(program).min(1),
  /** Components of one graph pin the same version of every module that they share. */
  graph: name.optional(),
  /**
   * Modules with packages that are not built: the packages of `stubs/<module>` take their places. For parts that we do
   * not use and that take long to compile.
   */
  stubs: z.array(z.string()).default([]),
  /** Files copied from the folder of the module. */
  files: z.array(z.strictObject({ from: z.string(), to: z.string() })).default([]),
  images: z.array(image).default([]),
});

export type Program = z.output<typeof program>;
export type ComponentImage = z.output<typeof image>;

/** A third-party program that we ship: its pin and its build. */
export interface Component extends Omit<z.output<typeof description>, 'version'> {
  /** Without a leading `v`. */
  version: string;
  /** The folder with its pin and description. */
  folder: string;
}

/** The folder with all components. It is in a parent folder of this file, both in a checkout and in a bundle. */
export function distroFolder(): string {
  for (let folder = import.meta.dirname; folder !== '/'; folder = dirname(folder)) {
    if (existsSync(join(folder, 'distro', 'pause', 'component.yaml'))) return join(folder, 'distro');
  }
  throw new Error('the folder `distro` is missing');
}

/** Returns the components in build order. */
export async function readComponents(root: string = distroFolder()): Promise<Component[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const components = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map((entry) => readComponent(join(root, entry.name))),
  );
  return components.sort((a, b) => a.order - b.order || a.name.localeCompare(b.name));
}

async function readComponent(folder: string): Promise<Component> {
  const described = description.parse(parse(await readFile(join(folder, 'component.yaml'), 'utf8')));
  const { module } = described;
  const version =
    module === undefined ? described.version : pinnedVersion(await readFile(join(folder, 'go.mod'), 'utf8'), module);
  if (version === undefined) throw new Error(`${folder}: no version is pinned`);
  return { ...described, version, folder };
}

/** The version of a module that go.mod requires, without the leading `v`. */
export function pinnedVersion(goMod: string, module: string): string | undefined {
  const words = goMod.split('\n').map((line) =>
    line
      .replace(/^require\s+/, '')
      .trim()
      .split(/\s+/),
  );
  // A `tool` line names the same path, without a version.
  const pin = words.find(([path, version]) => path === module && version?.startsWith('v'));
  return pin?.[1]?.replace(/^v/, '');
}

/** The named components in the order of their names, or all components if none is named. */
export function chooseComponents(components: readonly Component[], names: readonly string[]): Component[] {
  if (names.length === 0) return [...components];
  const unknown = names.filter((each) => !components.some((component) => component.name === each));
  if (unknown.length > 0) {
    const known = components.map((component) => component.name).join(', ');
    throw new ProblemError(...unknown.map((each) => problem('NOVA8201', { component: each, known })));
  }
  return names.flatMap((each) => components.filter((component) => component.name === each));
}
