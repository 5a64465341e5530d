import { Phases } from './phases.ts';
import { canRunMachines, run, withoutMachines } from './prepare.ts';
import { describeChoice, prepareTier, runTier } from './tier.ts';

// Runs everything of `npm test`: `test.ts [START]`, with the Unix time at which the command started. Tests with machines
// run beside the others, because they wait more than they compute.
const startedAt = process.argv[2];
const phases = new Phases(startedAt === undefined ? undefined : Number(startedAt) * 1000);
const succeeds = async (program: string, ...args: string[]) => (await run(program, args)) === 0;

const hasMachines = await canRunMachines();
const [isChecked, chosen] = await Promise.all([
  phases.phase('static checks', () => succeeds('npm', 'run', 'check')),
  hasMachines ? phases.phase('images and components', () => prepareTier('quick', [])) : undefined,
]);
if (isChecked) {
  // Kept until the other tests end, so that the outputs do not mix.
  let kept: string[] | undefined = [];
  const print = (text: string) => void (kept ? kept.push(text) : process.stdout.write(text));
  const [isPassed, arePassed] = await Promise.all([
    phases
      .phase('unit tests and whole-system tests', () =>
        succeeds('vitest', 'run', '--project', 'unit', '--project', 'e2e'),
      )
      .finally(() => {
        for (const text of kept ?? []) process.stdout.write(text);
        kept = undefined;
      }),
    chosen === undefined ||
      phases.phase('tests with machines and networks', () => runTier('quick', chosen, { phases, print })),
  ]);
  process.exitCode = isPassed && arePassed ? 0 : 1;
  if (chosen) console.log(describeChoice(chosen));
} else {
  process.exitCode = 1;
}
if (!hasMachines) process.exitCode ||= withoutMachines.exitCode;
console.log(phases.table());
