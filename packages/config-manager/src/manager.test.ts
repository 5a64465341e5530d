import { afterAll, beforeAll, expect, test } from 'vitest';
import { plan } from '../../plan/src/testing.ts';
import { reportOf, SimulatedAgent } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

let test1: TestManager;

beforeAll(async () => {
  test1 = await startTestManager();
});
afterAll(() => test1.remove());

test('a node enrols, gets the catalog that was approved, and reports', async () => {
  const { client, manager } = test1;
  await client.apply(plan(), {}, true);
  const agent = new SimulatedAgent('demo-main-1', manager.port);
  const { token } = await client.createToken('demo-main-1', 60);
  expect((await agent.enrol(token)).status).toBe(200);

  const { status, body } = await agent.catalog({ virtual: 'container_other' });
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ name: 'demo-main-1', environment: 'production' });
  expect((await agent.report(reportOf('demo-main-1', { changed: 2 }))).status).toBe(200);
  expect(await client.nodes()).toMatchObject([
    { name: 'demo-main-1', identity: 'valid', lastRun: { status: 'changed', changed: 2 } },
  ]);
  agent.close();
});
