import { spawnSync } from 'node:child_process';
import { cacheFolder, chooseComponents, findToolchain, notBuilt, readComponents } from '@nova-platform/distro';
import { type AreaName, areas, tiers } from './areas.ts';
import { inSandbox, needsOf, prepareAreas, prepareHost } from './prepare.ts';

// Runs tests with machines and networks in a sandbox: `test-host.ts TIER [AREA…]`. Named areas always run.
const [tierName = '', ...named] = process.argv.slice(2);
const tier = tiers[tierName as keyof typeof tiers];
const unknown = named.filter((name) => !(name in areas));
if (!tier || unknown.length > 0) {
  console.error(`Unknown: ${[...(tier ? [] : [tierName]), ...unknown].join(', ')}.`);
  console.error(`Tiers: ${Object.keys(tiers).join(', ')}. Areas: ${Object.keys(areas).join(', ')}.`);
  process.exit(2);
}
await prepareHost();
installTestPrograms();

const always: readonly AreaName[] = named.length > 0 ? (named as AreaName[]) : tier.always;
const optional: readonly AreaName[] = named.length > 0 ? [] : tier.whenBuilt;
const unbuilt = await unbuiltOf(optional);
const chosen = [...always, ...optional.filter((name) => !unbuilt.has(name))];
await prepareAreas(chosen);
process.exitCode = await inSandbox(['vitest', 'run', '--project', 'host', ...needsOf(chosen, 'files')]);

console.log(`Ran: ${chosen.join(', ')}.`);
for (const [name, components] of unbuilt)
  console.log(`Left out: ${name}. Not built: ${components.join(', ')}. To run it: npm run test:system -- ${name}`);
const others = Object.keys(areas).filter((name) => ![...always, ...optional].includes(name as AreaName));
console.log(`Not part of this run: ${others.join(', ')}.`);

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

/** Programs that only tests use: ping, and a third-party registry client. */
function installTestPrograms(): void {
  for (const [program, name] of [
    ['ping', 'iputils-ping'],
    ['skopeo', 'skopeo'],
  ] as const) {
    if (!spawnSync(program, ['-V']).error) continue;
    const install = `apt-get -q update && apt-get -q -y install --no-install-recommends ${name}`;
    spawnSync('sh', ['-c', install], { stdio: 'inherit' });
  }
}
