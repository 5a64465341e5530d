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
  /** What is built; `.` is the component's own main.go. */
  package: z.string(),
  /** Variables that get a value at link time; `{version}`, `{major}` and `{minor}` stand for the component's. */
  stamps: z.record(z.string(), z.string()).default({}),
  /** Other names of the same program, which it goes by. */
  links: z.array(name).default([]),
});

const image = z.strictObject({
  name,
  program: name,
  entrypoint: z.array(z.string()).min(1),
  /** Who runs it; root where it is absent. */
  user: z.int().optional(),
  /** Whether it talks to servers that public authorities vouch for. */
  certificates: z.boolean().default(false),
  /** Arguments with which it says what it is and ends well. */
  check: z.array(z.string()).optional(),
  /** How it is seen to work where it has no such arguments. */
  health: z.strictObject({ arguments: z.array(z.string()), port: z.int(), path: z.string() }).optional(),
});

const description = z.strictObject({
  name,
  title: text,
  /** Whose version go.mod pins; a program of our own has none and states its version itself. */
  module: z.string().optional(),
  version: z.string().optional(),
  licence: z.string(),
  purpose: z.enum(['cluster', 'tests']),
  /** What comes first when everything is built. */
  order: z.int().default(100),
  programs: z.array(program).min(1),
  /** Taken from the module's own folder when it is built. */
  files: z.array(z.strictObject({ from: z.string(), to: z.string() })).default([]),
  images: z.array(image).default([]),
});

export type Program = z.output<typeof program>;
export type ComponentImage = z.output<typeof image>;

/** A program of others that we ship: its pin and how it is built. */
export interface Component extends Omit<z.output<typeof description>, 'version'> {
  /** Without a leading `v`. */
  version: string;
  /** Where its pin and description are. */
  folder: string;
}

/** The folder with all components, above this file in a checkout as in a bundle. */
export function distroFolder(): string {
  for (let folder = import.meta.dirname; folder !== '/'; folder = dirname(folder)) {
    if (existsSync(join(folder, 'distro', 'pause', 'component.yaml'))) return join(folder, 'distro');
  }
  throw new Error('the folder `distro` is missing');
}

/** In the order in which they are built. */
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

/** The version that go.mod requires of a module, without its `v`. */
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

/** Those that were named, in that order, or all. */
export function chooseComponents(components: readonly Component[], names: readonly string[]): Component[] {
  if (names.length === 0) return [...components];
  const unknown = names.filter((each) => !components.some((component) => component.name === each));
  if (unknown.length > 0) {
    const known = components.map((component) => component.name).join(', ');
    throw new ProblemError(...unknown.map((each) => problem('NOVA8201', { component: each, known })));
  }
  return names.flatMap((each) => components.filter((component) => component.name === each));
}
