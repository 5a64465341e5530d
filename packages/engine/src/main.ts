import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { engineSocket } from '@nova-platform/contracts/engine/client';
import { detectDatapath, Sdn } from '@nova-platform/sdn';
import { createLocalApi } from './api.ts';
import { openEngineAuthority } from './clients/authority.ts';
import { serveClients } from './clients/serve.ts';
import { Engine } from './engine.ts';
import { keptSite } from './host/site.ts';
import { keepChecking } from './images/check.ts';
import { drivers } from './machines/drivers.ts';
import { keepSizes } from './machines/size.ts';
import { clientEndpoint, networkRoot } from './paths.ts';
import { type Service, Supervisor, superviseSelf } from './supervisor.ts';
import { versionOf } from './version.ts';

const [program = '', role, servicesFile = ''] = process.argv.slice(1);
if (role === 'engine') await serveEngine();
else if (role === 'supervisor') await supervise(servicesFile);
else throw new Error(`not a role: ${role}`);

/** The daemon. Only it changes namespaces, mounts and OVN. */
async function serveEngine(): Promise<void> {
  // Read at startup: the bundle may be replaced later.
  const version = versionOf(program);
  const sdn = new Sdn(networkRoot);
  await sdn.configure({ datapath: await detectDatapath() });
  const site = await keptSite();
  const engine = new Engine(sdn, drivers, site);
  const stopping = new AbortController();
  // Before machines boot, because they wait for it.
  void keepSizes(stopping.signal);
  await engine.recover();
  const served = { engine, version, ...(await openEngineAuthority()) };
  // The host has its address in the networks only now. The local socket is last: a response there means that everything
  // is ready.
  const clients = await serveClients(served, clientEndpoint(site));
  const api = await createLocalApi(served);
  await mkdir(dirname(engineSocket), { recursive: true, mode: 0o700 });
  await rm(engineSocket, { force: true });
  await api.listen({ path: engineSocket });
  await chmod(engineSocket, 0o600);
  void engine.keepRunning(stopping.signal);
  void keepChecking(stopping.signal);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      stopping.abort();
      void Promise.all([api.close(), clients.close()]).then(() => {
        sdn.close();
        process.exit(0);
      });
    });
  }
}

async function supervise(file: string): Promise<void> {
  if (!(await superviseSelf())) return;
  const supervisor = new Supervisor(JSON.parse(await readFile(file, 'utf8')) as Service[]);
  supervisor.start();
  process.once('SIGTERM', () => void supervisor.stop().then(() => process.exit(0)));
}
