import { performance } from 'node:perf_hooks';
import { createTestEngine } from '@nova-platform/contracts/engine/testing';
import { connectEngine, startTestApi } from '../packages/ovirt/src/testing/serve.ts';
import { line, result, statistics } from './measure.ts';

// A list of 1,000 machines through the oVirt-compatible API. The engine is in memory, but its API is real: HTTP over TLS.
const goal = 200;
const machines = 1000;
const warmUp = 10;
const rounds = 200;

const engine = await createTestEngine();
const api = await startTestApi(await connectEngine(engine));
engine.addNetwork('lab', '10.30.0.0/16');
for (let index = 0; index < machines; index += 1)
  engine.addMachine(`m${index}`, 'lab', { id: `id-${index}`, state: index % 2 === 0 ? 'running' : 'stopped' });
const address = await api.app.listen({ host: '127.0.0.1', port: 0 });

try {
  const headers = { authorization: 'Bearer admin', accept: 'application/xml' };
  const paths = { list: '/vms', search: '/vms?search=name%3Dm*%20and%20status%3Dup%20page%201' };
  for (const [name, path] of Object.entries(paths)) {
    const samples: number[] = [];
    let bytes = 0;
    let cpu = process.cpuUsage();
    for (let round = -warmUp; round < rounds; round += 1) {
      if (round === 0) cpu = process.cpuUsage();
      const started = performance.now();
      const response = await fetch(`${address}/ovirt-engine/api${path}`, { headers });
      bytes = (await response.text()).length;
      if (round >= 0) samples.push(performance.now() - started);
    }
    const p99 = samples.toSorted((one, other) => one - other)[Math.ceil(samples.length * 0.99) - 1] ?? 0;
    const { user, system } = process.cpuUsage(cpu);
    // Engine, API and client: what a request costs, also on a host that is busy with other work.
    console.log(`${name}: ${((user + system) / 1000 / rounds).toFixed(1)} ms of processor time per request`);
    console.log(`${line(`${name}, ${Math.round(bytes / 1024)} KiB`, statistics(samples))}, p99 ${p99.toFixed(1)} ms`);
    if (name === 'list') result('ovirt-list-p99', `${Math.round(p99)}ms`, `<=${goal}ms`, p99 <= goal);
  }
} finally {
  await api.close();
  await engine.close();
}
