import { existsSync } from 'node:fs';
import { attempt, run } from '@nova-platform/process';
import type { MachineRecord } from './record.ts';

// The network namespaces of machines.

function netnsOf(machine: string): string {
  return `nova-m-${machine}`;
}

/** Replaces the namespace of a machine: an old one would keep firewall rules from before. */
export async function newNamespace(machine: string): Promise<string> {
  const netns = netnsOf(machine);
  if (existsSync(`/run/netns/${netns}`)) await deleteNamespace(machine);
  await run('ip', ['netns', 'add', netns]);
  return netns;
}

export async function deleteNamespace(machine: string): Promise<void> {
  await attempt('ip', ['netns', 'delete', netnsOf(machine)]);
}

/** Removes the namespaces of all other machines. */
export async function keepNamespaces(machines: readonly MachineRecord[]): Promise<void> {
  const known = new Set(machines.map(({ name }) => netnsOf(name)));
  for (const netns of await ourNamespaces()) if (!known.has(netns)) await attempt('ip', ['netns', 'delete', netns]);
}

export async function ourNamespaces(): Promise<string[]> {
  const text = await run('ip', ['netns', 'list']).catch(() => '');
  return text
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => name.startsWith('nova-m-'));
}
