import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { reportOf } from '../../config-manager/src/testing/agent.ts';
import {
  documentsOf,
  startTestUniverse,
  type TestUniverse,
  testPassword,
} from '../../universe/src/testing/universe.ts';
import { builtConsole } from './browser.ts';

export { testPassword };

/** A Universe without machines, whose pages have something to show. */
export async function startSite(): Promise<TestUniverse & { address: string }> {
  const folder = await builtConsole();
  const universe = await startTestUniverse({ console: folder });
  for (const role of ['viewer', 'operator', 'admin'] as const) await universe.token(role);
  const { operation } = await universe.local.declareCluster({
    params: { cluster: 'demo' },
    body: { documents: documentsOf('demo', { workers: 2 }) },
  });
  await universe.universe.parts.operations.ended(operation.id);
  const agent = await universe.enrolled('demo-main-1');
  await agent.catalog({
    os: { family: 'Debian', name: 'Debian' },
    memory: { system: { total: '4.00 GiB' } },
    kernel: 'Linux',
  });
  await agent.report(reportOf('demo-main-1', { changed: 3 }));
  const { close } = universe;
  return Object.assign(universe, {
    address: `https://127.0.0.1:${universe.port}`,
    close: async () => {
      await close();
      await rm(dirname(folder), { recursive: true });
    },
  });
}
