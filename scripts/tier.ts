import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, chooseComponents, findToolchain, notBuilt, readComponents } from '@nova-platform/distro';
import { type AreaName, areas, tiers } from './areas.ts';
import type { Phases } from './phases.ts';
import { inSandbox, installTestPrograms, needsOf, prepareAreas, prepareHost } from './prepare.ts';

export type TierName = keyof typeof tiers;

interface Chosen {
  areas: readonly AreaName[];
  /** The missing components of the areas that are left out. */
  unbuilt: ReadonlyMap<AreaName, string[]>;
  others: readonly string[];
}

/** Prepares the areas of a tier, or the named ones. Areas that are named always run. */
export async function prepareTier(tierName: TierName, named: readonly AreaName[]): Promise<Chosen> {
  await prepareHost();
  installTestPrograms();
  const tier = tiers[tierName];
  const always: readonly AreaName[] = named.length > 0 ? named : tier.always;
  const optional: readonly AreaName[] = named.length > 0 ? [] : tier.whenBuilt;
  const unbuilt = await unbuiltOf(optional);
  const chosen = [...always, ...optional.filter((name) => !unbuilt.has(name))];
  await prepareAreas(chosen);
  const others = Object.keys(areas).filter((name) => ![...always, ...optional].includes(name as AreaName));
  return { areas: chosen, unbuilt, others };
}

/** Runs each file in its own sandbox. `print` gets the output of a file when it ends. */
export async function runTier(
  tierName: TierName,
  { areas: chosen }: Chosen,
  { phases, print }: { phases: Phases; print: (text: string) => void },
): Promise<boolean> {
  // The largest file first: it usually takes longest, and nothing waits for it at the end.
  const files = needsOf(chosen, 'files').toSorted((one, other) => statSync(other).size - statSync(one).size);
  const failed: string[] = [];
  // Every file starts engines from their sources.
  const compiled = await mkdtemp(join(tmpdir(), 'nova-compiled-'));
  const env = { NODE_COMPILE_CACHE: compiled };
  const work = async () => {
    for (let file = files.shift(); file !== undefined; file = files.shift()) {
      const name = file;
      const chunks: Buffer[] = [];
      const onOutput = (chunk: Buffer) => void chunks.push(chunk);
      const command = ['vitest', 'run', '--project', 'host', name];
      const test = async () => (await inSandbox(command, { env, onOutput })) === 0;
      if (!(await phases.part(name, test))) failed.push(name);
      print(Buffer.concat(chunks).toString());
    }
  };
  await Promise.all(Array.from({ length: tiers[tierName].sandboxes }, work));
  await rm(compiled, { recursive: true });
  if (failed.length > 0) print(`Failed: ${failed.join(', ')}.\n`);
  return failed.length === 0;
}

export function describeChoice({ areas: chosen, unbuilt, others }: Chosen): string {
  return [
    `Ran: ${chosen.join(', ')}.`,
    ...[...unbuilt].map(
      ([name, components]) =>
        `Left out: ${name}. Not built: ${components.join(', ')}. To run it: npm run test:system -- ${name}`,
    ),
    `Not part of this run: ${others.join(', ')}.`,
  ].join('\n');
}

/** The components that each of these areas still lacks; complete areas are not listed. */
async function unbuiltOf(names: readonly AreaName[]): Promise<Map<AreaName, string[]>> {
  const toolchain = await findToolchain(cacheFolder(), (line) => console.log(line));
  const found = new Map<AreaName, string[]>();
  for (const name of names) {
    const components = chooseComponents(await readComponents(), [...areas[name].components]);
    const missing = await notBuilt(components, toolchain);
    if (missing.length > 0)
      found.set(
        name,
        missing.map((component) => component.name),
      );
  }
  return found;
}
