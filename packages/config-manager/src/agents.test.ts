import { plan } from '@nova-platform/plan/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reportOf, type SimulatedAgent } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

const node = 'demo-main-1';

let server: TestManager;
let agent: SimulatedAgent;

beforeEach(async () => {
  server = await startTestManager();
  await server.approve(plan());
  agent = await server.enrolled(node);
});
afterEach(() => server.remove());

/** Runs the agent; `lines` has its log, `report` what the run returns. */
function startRun(signal = new AbortController().signal) {
  const lines: string[] = [];
  const { agents } = server.manager.services;
  const report = agents.run(node, { isNoop: false, onLine: (line) => lines.push(line), signal });
  return { lines, report };
}

async function finish(id: string, text: string): Promise<void> {
  const log = agent.openLog(id);
  log.write(text);
  await log.end();
}

test('a run forwards its log and returns its report', async () => {
  const { lines, report } = startRun();
  const { id } = await agent.order(30);
  await agent.report(reportOf(node, { changed: 2 }));
  await finish(id, 'Info: one\nexit 2\n');
  expect(await report).toMatchObject({ status: 'changed', resources: { changed: 2 } });
  expect(lines).toEqual(['Info: one']);
});

test('a run without its own report returns none, whatever ran before', async () => {
  await agent.report(reportOf(node, { changed: 1 }));
  const { report } = startRun();
  await finish((await agent.order(30)).id, 'exit 0\n');
  expect(await report).toBeUndefined();
});

test('an aborted signal ends the wait for a node, and the node gets no order', async () => {
  const abort = new AbortController();
  const waiting = startRun(abort.signal);
  abort.abort();
  expect(await waiting.report).toBeUndefined();
  expect(await startRun(abort.signal).report).toBeUndefined();
  expect((await agent.order(0)).kind).toBe('');
});
