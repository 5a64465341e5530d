import { spawnSync } from 'node:child_process';
import { buildImage, checkHost, installMissing } from '@nova-platform/engine';
import { type Area, type AreaName, areas } from './areas.ts';

const say = (line: string) => console.log(line);

/** Installs host packages. Ends the process if this host cannot run machines; in CI, this is a failure. */
export async function prepareHost(): Promise<void> {
  const missing = (await checkHost()).filter(
    ({ isThere, packages, isOptional }) => !isThere && !packages && !isOptional,
  );
  if (missing.length > 0) {
    console.error('Left out: everything with machines and networks. This host lacks:');
    for (const { what, remedy } of missing) console.error(`  ${what.en}: ${remedy.en}`);
    process.exit(process.env.CI === 'true' ? 1 : 0);
  }
  await installMissing(say);
}

/** Builds the artifacts of these areas: the sandbox has no network for downloads. */
export async function prepareAreas(names: readonly AreaName[]): Promise<void> {
  const components = needsOf(names, 'components');
  // The launcher also bundles the code in Universe's image.
  const args = components.length > 0 ? ['component', 'build', ...components] : ['version'];
  if (spawnSync('sh', ['nova-ctl', ...args], { stdio: 'inherit' }).status !== 0) process.exit(1);
  for (const image of needsOf(names, 'images')) await buildImage(image, say);
}

export function needsOf(names: readonly AreaName[], what: keyof Area): string[] {
  return [...new Set(names.flatMap((name): readonly string[] => areas[name][what]))];
}

/** Runs a command in a sandbox and returns its exit code. */
export async function inSandbox(command: readonly string[]): Promise<number> {
  const { layers } = await buildImage('network', say);
  const env = { ...process.env, NOVA_OVN_LAYERS: layers.join(':') };
  return spawnSync('sh', ['scripts/sandbox.sh', ...command], { stdio: 'inherit', env }).status ?? 1;
}

// Run `prepare.ts AREA…` before a single test: `sh scripts/sandbox.sh vitest run --project host FILE`.
if (import.meta.main) {
  await prepareHost();
  await prepareAreas(process.argv.slice(2) as AreaName[]);
}
