import { buffer } from 'node:stream/consumers';
import { type Pack, pack } from 'tar-stream';
import type { Catalog } from './catalog.ts';
import { bootFolder } from './node-scripts.ts';
import { type Resource, reference, type Value } from './resource.ts';
import { Sensitive } from './sensitive.ts';

/**
 * A catalog as an archive for a new machine: its files in place, and a script that applies the other resources in
 * catalog order. Undefined if the catalog has a resource that only the agent can apply.
 */
export async function bootArchive({ resources }: Catalog, version: string): Promise<Buffer | undefined> {
  if (!resources.every(isSupported)) return undefined;
  const archive = pack();
  const script = inOrder(resources).flatMap((resource) => {
    if (resource.type !== 'file') return resource;
    return addFile(archive, resource) ? [] : resource;
  });
  archive.entry({ name: `${bootFolder}/catalog`, mode: 0o600 }, version);
  archive.entry({ name: `${bootFolder}/script`, mode: 0o600 }, scriptOf(script));
  archive.finalize();
  return buffer(archive);
}

/** Where the script finds programs. */
const searchPath = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** The parameters that an archive or a script can express, by type. */
const supported: Partial<Record<Resource['type'], readonly string[]>> = {
  file: ['ensure', 'content', 'target', 'mode', 'owner', 'group', 'show_diff', 'backup'],
  exec: ['command', 'path', 'unless', 'onlyif', 'refreshonly', 'tries', 'try_sleep'],
  service: ['ensure', 'start'],
};

function isSupported({ type, parameters }: Resource): boolean {
  const { ensure, owner = 'root', group = 'root', path = [] } = parameters;
  if (type === 'service' && ensure !== 'running') return false;
  if (!(path as readonly string[]).every((folder) => searchPath.includes(folder))) return false;
  if (owner !== 'root' || group !== 'root') return false;
  return Object.keys(parameters).every((name) => supported[type]?.includes(name));
}

/** Each resource after its dependencies; otherwise in catalog order, as agents do. */
function inOrder(resources: readonly Resource[]): Resource[] {
  const known = new Map(resources.map((resource) => [reference(resource), resource]));
  const needs = new Map(resources.map((resource) => [resource, new Set<Resource>()]));
  for (const resource of resources) {
    const { require = [], subscribe = [], before = [], notify = [] } = resource.relations;
    for (const earlier of [...require, ...subscribe].flatMap((name) => known.get(name) ?? []))
      needs.get(resource)?.add(earlier);
    for (const later of [...before, ...notify].flatMap((name) => known.get(name) ?? []))
      needs.get(later)?.add(resource);
  }
  const ordered = new Set<Resource>();
  const visit = (resource: Resource): void => {
    if (ordered.has(resource)) return;
    for (const each of needs.get(resource) ?? []) visit(each);
    ordered.add(resource);
  };
  for (const resource of resources) visit(resource);
  return [...ordered];
}

/** Adds a file to the archive. Returns false for an absent file, which the script deletes. */
function addFile(archive: Pack, { title, parameters }: Resource): boolean {
  const { ensure, content, target, mode = '0644' } = parameters;
  const entry = { name: title, mode: Number.parseInt(plain(mode), 8) };
  if (ensure === 'absent') return false;
  if (ensure === 'directory') archive.entry({ ...entry, type: 'directory' });
  else if (ensure === 'link') archive.entry({ ...entry, type: 'symlink', linkname: plain(target) });
  else archive.entry(entry, plain(content));
  return true;
}

function scriptOf(resources: readonly Resource[]): string {
  const steps: string[] = [];
  for (const [index, resource] of resources.entries()) {
    if (resource.type !== 'service') steps.push(...stepOf(resource));
    else if (!startsWithPrevious(resources, index)) {
      const end = resources.findIndex((_, at) => at > index && !startsWithPrevious(resources, at));
      steps.push(...startOf(resources.slice(index, end < 0 ? undefined : end)));
    }
  }
  return `${[prologue, ...steps].join('\n')}\n`;
}

/** Consecutive services start together; their units define the order. */
function startsWithPrevious(resources: readonly Resource[], index: number): boolean {
  const [previous, resource] = [resources[index - 1], resources[index]];
  return resource?.type === 'service' && previous?.type === 'service' && verbOf(previous) === verbOf(resource);
}

/** The image may have started a service before its files were written. */
const verbOf = ({ relations }: Resource): string => (relations.subscribe ? 'restart' : 'start');

function startOf(services: readonly Resource[]): string[] {
  const [verb = ''] = services.map(verbOf);
  return [
    `say ${quoted(services.map(reference).join(' '))}`,
    `systemctl ${verb} ${services.map(({ title }) => title).join(' ')}`,
  ];
}

const prologue = `set -eu
PATH=${searchPath.join(':')}
export PATH
say() { printf '%s\\n' "$*"; }`;

function stepOf(resource: Resource): string[] {
  const { title, type, parameters } = resource;
  if (type === 'file') return [`say ${quoted(`${reference(resource)} absent`)}`, `rm -f ${quoted(title)}`];
  const { command, unless, onlyif, tries = 1, try_sleep: pause = 0 } = parameters;
  const conditions = [
    ...(unless === undefined ? [] : [`! ${checked(unless)}`]),
    ...(onlyif === undefined ? [] : [checked(onlyif)]),
  ];
  return [
    `say ${quoted(reference(resource))}`,
    `if ${conditions.join(' && ') || 'true'}; then`,
    `  left=${plain(tries)}`,
    `  until ${words(command)}; do left=$((left - 1)); [ "$left" -gt 0 ]; sleep ${plain(pause)}; done`,
    'fi',
  ];
}

const checked = (command: Value): string => `{ ${words(command)}; } >/dev/null 2>&1`;

/** Agents accept a command as one line or as a list of words. Words are quoted. */
function words(command: Value | undefined): string {
  return Array.isArray(command) ? command.map((word) => quoted(String(word))).join(' ') : plain(command);
}

function plain(value: Value | undefined): string {
  return value instanceof Sensitive ? value.reveal() : String(value ?? '');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
