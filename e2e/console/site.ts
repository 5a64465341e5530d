import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { reportOf } from '@nova-platform/config-manager/testing';
import { documentsOf, startTestUniverse, type TestUniverse, testPassword } from '@nova-platform/universe/testing';
import { builtConsole } from './browser.ts';
import { startHost } from './host.ts';
import { startKubernetes } from './kubernetes.ts';
import { releaseFiles } from './release.ts';

export { testPassword };

const version = '0.1.0';

interface Site extends TestUniverse {
  address: string;
  /** The network of the cluster `demo`. */
  network: string;
  kubernetes: Awaited<ReturnType<typeof startKubernetes>>;
  /** Absent on a site without an engine. */
  host: Awaited<ReturnType<typeof startHost>> | undefined;
}

/** A Universe with content for all pages: with an engine in memory, or without machines. */
export async function startSite({ hasHost = false } = {}): Promise<Site> {
  const folder = await builtConsole();
  const universe = await startTestUniverse({ console: folder });
  for (const role of ['viewer', 'operator', 'admin'] as const) await universe.token(role);
  const { commit } = await universe.local.importRelease({
    params: { release: version },
    body: { files: releaseFiles(version) },
  });
  // In a loopback network, a stand-in can serve the API. The random network avoids conflicts with parallel tests.
  const [high, low] = [randomInt(1, 255), randomInt(1, 255)];
  const network = `127.${high}.${low}.0/24`;
  const { operation } = await universe.local.declareCluster({
    params: { cluster: 'demo' },
    body: { documents: documentsOf('demo', { workers: 2, network }) },
  });
  await universe.universe.parts.operations.ended(operation?.id ?? 0);
  const { authorities } = universe.universe.parts.config.services;
  const issuer = await authorities.issuerOf('demo', 'kubernetes');
  const kubernetes = await startKubernetes(`127.${high}.${low}.2`, issuer, { version, commit });
  const agent = await universe.enrolled('demo-main-1');
  await agent.catalog({
    os: { family: 'Debian', name: 'Debian' },
    memory: { system: { total: '4.00 GiB' } },
    kernel: 'Linux',
  });
  await agent.report(reportOf('demo-main-1', { changed: 3 }));
  const host = hasHost ? await startHost(universe, network) : undefined;
  const { close } = universe;
  return Object.assign(universe, {
    address: `https://127.0.0.1:${universe.port}`,
    network,
    kubernetes,
    host,
    close: async () => {
      kubernetes.close();
      await close();
      await host?.close();
      await rm(dirname(folder), { recursive: true });
    },
  });
}
