import { type AreaName, areas, tiers } from './areas.ts';
import { Phases } from './phases.ts';
import { describeChoice, prepareTier, runTier, type TierName } from './tier.ts';

// Runs tests with machines and networks in sandboxes: `test-host.ts TIER [AREA…]`. Named areas always run.
const [tierName = '', ...named] = process.argv.slice(2);
const isTier = tierName in tiers;
const unknown = named.filter((name) => !(name in areas));
if (!isTier || unknown.length > 0) {
  console.error(`Unknown: ${[...(isTier ? [] : [tierName]), ...unknown].join(', ')}.`);
  console.error(`Tiers: ${Object.keys(tiers).join(', ')}. Areas: ${Object.keys(areas).join(', ')}.`);
  process.exit(2);
}
const tier = tierName as TierName;
const phases = new Phases();
const chosen = await phases.phase('images and components', () => prepareTier(tier, named as AreaName[]));
const print = (text: string) => void process.stdout.write(text);
const isPassed = await phases.phase('tests with machines and networks', () => runTier(tier, chosen, { phases, print }));
process.exitCode = isPassed ? 0 : 1;
console.log(describeChoice(chosen));
console.log(phases.table());
