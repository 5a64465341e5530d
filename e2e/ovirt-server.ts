import { connectEngine, startTestApi } from '../packages/ovirt/src/testing/serve.ts';
import { startTestEngine, type TestEngine } from '../packages/universe/src/testing/engine.ts';

export interface OvirtServer {
  url: string;
  engine: TestEngine;
  close: () => Promise<void>;
}

/** The API on a port of this host, with an engine in memory; the token is `admin`. */
export async function startOvirt(): Promise<OvirtServer> {
  const { engine, client } = await connectEngine<TestEngine>((universe) => startTestEngine(universe as never));
  engine.addNetwork('lab', '10.30.0.0/24');
  const api = await startTestApi(client);
  const address = await api.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `${address}/ovirt-engine/api`,
    engine,
    close: async () => {
      await api.close();
      await engine.close();
    },
  };
}
