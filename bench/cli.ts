import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { line, measure, result } from './measure.ts';

/** Starting nova-ctl with its launcher takes at most this many times as long as an empty Node process. */
const goal = 2.5;

const root = join(import.meta.dirname, '..');
const start = (program: string, ...args: string[]) => {
  const { status, stderr } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
};

const figures = await measure(
  {
    node: () => start(process.execPath, '-e', '0'),
    novaCtl: () => start(join(root, 'nova-ctl'), '--version'),
    validate: () => start(join(root, 'nova-ctl'), 'validate', '-f', join(root, 'examples')),
  },
  { warmUp: 5, rounds: 51 },
);
console.log(line('node -e 0', figures.node));
console.log(line('nova-ctl --version', figures.novaCtl));
console.log(line('nova-ctl validate -f examples', figures.validate));

const ratio = figures.novaCtl.median / figures.node.median;
result('cli-start-vs-node', `${ratio.toFixed(2)}x`, `<=${goal}x`, ratio <= goal);
