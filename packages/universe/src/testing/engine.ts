import { createTestEngine, type TestEngine } from '@nova-platform/contracts/engine/testing';
import type { TestUniverse } from './universe.ts';

export type { TestEngine };

/** Starts an engine without machines, and connects Universe to it. */
export async function startTestEngine({ local }: Pick<TestUniverse, 'local'>): Promise<TestEngine> {
  const engine = await createTestEngine();
  const { publicKey } = await local.engineIdentity({});
  await local.acceptEngineIdentity({ body: await engine.identityFor(publicKey) });
  return engine;
}
