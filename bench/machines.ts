import { engineClient } from '@nova-platform/engine';
import { novaCtl, onHost } from './host.ts';
import { line, result, statistics } from './measure.ts';

/** Machines that boot side by side on this box, compared with one that boots alone. */
const counts = [1, 3, 9];
const rounds = 5;
/** Nine machines take at most nine times as long as one. */
const goal = 9;

await onHost(async () => {
  await novaCtl('image', 'build', 'node');
  await novaCtl('network', 'create', 'bench', '--cidr', '10.60.0.0/24');
  const samples = new Map<number, number[]>(counts.map((count) => [count, []]));
  let usage = { memory: 0, disk: 0 };
  for (let round = 0; round < rounds; round += 1) {
    for (const count of counts) {
      const names = Array.from({ length: count }, (_, index) => `bench${index}`);
      const started = performance.now();
      // Answers when `systemctl is-system-running` does.
      await Promise.all(
        names.map((name) =>
          engineClient.createMachine({ name, image: 'node', network: 'bench', memoryMebibytes: 256 }),
        ),
      );
      samples.get(count)?.push(performance.now() - started);
      usage = await engineClient.machineUsage(names[0] ?? '');
      await Promise.all(names.map((name) => engineClient.deleteMachine(name)));
    }
  }
  const figures = new Map(counts.map((count) => [count, statistics(samples.get(count) ?? [])]));
  for (const [count, figure] of figures) console.log(line(`${count} machines, nothing → running`, figure));
  console.log(
    `one machine, just booted: ${(usage.memory / 2 ** 20).toFixed(0)} MiB memory, ${(usage.disk / 2 ** 10).toFixed(0)} KiB disk`,
  );
  const ratio = (figures.get(9)?.median ?? Number.NaN) / (figures.get(1)?.median ?? Number.NaN);
  result('machines-9-vs-1', `${ratio.toFixed(1)}x`, `<=${goal}x`, ratio <= goal);
});
