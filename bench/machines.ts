import { engineClient } from '@nova-platform/contracts/engine/client';
import { novaCtl, onHost } from './host.ts';
import { line, result, statistics } from './measure.ts';

/** Machines that boot in parallel on this host, compared with one that boots alone; disks with and without a limit. */
const counts = [1, 3, 9];
const disks = [{}, { diskMebibytes: 20 * 1024 }];
const rounds = 5;
/** Nine machines take at most nine times as long as one. */
const goal = 9;
const limitGoal = 1.05;

const key = (count: number, disk: object) =>
  `${count} machines, ${'diskMebibytes' in disk ? 'limited' : 'unlimited'} disk`;

await onHost(async () => {
  await novaCtl('image', 'build', 'node');
  await novaCtl('network', 'create', 'bench', '--cidr', '10.60.0.0/24');
  const samples = new Map<string, number[]>(
    counts.flatMap((count) => disks.map((disk): [string, number[]] => [key(count, disk), []])),
  );
  let usage = { memory: 0, disk: 0 };
  for (let round = 0; round < rounds; round += 1) {
    for (const count of counts) {
      for (const disk of disks) {
        const names = Array.from({ length: count }, (_, index) => `bench${index}`);
        const machine = { image: 'node', network: 'bench', memoryMebibytes: 256, ...disk };
        const started = performance.now();
        // Returns when `systemctl is-system-running` does.
        await Promise.all(names.map((name) => engineClient.createMachine({ ...machine, name })));
        samples.get(key(count, disk))?.push(performance.now() - started);
        usage = await engineClient.machineUsage(names[0] ?? '');
        await Promise.all(names.map((name) => engineClient.deleteMachine(name)));
      }
    }
  }
  const figures = new Map([...samples].map(([name, times]) => [name, statistics(times)]));
  for (const [name, figure] of figures) console.log(line(`${name}, nothing → running`, figure));
  console.log(
    `one machine, just booted: ${(usage.memory / 2 ** 20).toFixed(0)} MiB memory, ${(usage.disk / 2 ** 10).toFixed(0)} KiB disk`,
  );
  const median = (count: number, disk: object) => figures.get(key(count, disk))?.median ?? Number.NaN;
  const [unlimited = {}, limited = {}] = disks;
  const ratio = median(9, unlimited) / median(1, unlimited);
  result('machines-9-vs-1', `${ratio.toFixed(1)}x`, `<=${goal}x`, ratio <= goal);
  const limitRatio = median(9, limited) / median(9, unlimited);
  result('machines-9-disk-limit', `${limitRatio.toFixed(2)}x`, `<=${limitGoal}x`, limitRatio <= limitGoal);
});
