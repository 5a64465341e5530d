import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { plan } from '@nova-platform/plan/testing';
import { openStore, type StoreLocation } from '@nova-platform/store';
import { eachStore } from '@nova-platform/store/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Schema } from './store/schema.ts';
import { reportOf, type SimulatedAgent } from './testing/agent.ts';
import { startTestManager, type TestManager } from './testing/manager.ts';

const node = 'demo-main-1';
const facts = { virtual: 'container_other' };
/** Part of every secret in this test. */
const canary = 'canary-sings-at-dawn';
const secrets = { proxy: { http: { username: `user-${canary}`, password: `first-${canary}` } } };
const changed = { proxy: { http: { username: `user-${canary}`, password: `second-${canary}` } } };
const proxied = plan({ proxy: { httpProxy: { server: 'http://proxy.example.com', port: 3128 } } });

let server: TestManager;
let agent: SimulatedAgent;
let location: StoreLocation;
/** All responses to users. */
let answers: unknown[];

/** The contents of all files, and all decompressed values of the database. */
async function everythingKept(): Promise<Buffer[]> {
  const folder = join(server.folder, 'data');
  const files = (await readdir(folder)).map((name) => join(folder, name));
  expect(files).toEqual([join(folder, 'master.key')]);
  if (location.kind === 'sqlite') files.push(location.file, `${location.file}-wal`);
  const db = await openStore<Schema>(location);
  const tables = (await db.introspection.getTables()).map(({ name }) => name as keyof Schema);
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  await db.destroy();
  const values = rows.flat().flatMap((row) => Object.values(row));
  return [
    ...(await Promise.all(files.map((file) => readFile(file)))),
    ...values.map((value) => expanded(value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value)))),
  ];
}

const expanded = (value: Buffer): Buffer => (value[0] === 0x1f && value[1] === 0x8b ? gunzipSync(value) : value);

/** Counts the plain text, and its base64 at any offset of a longer text. */
function occurrences(kept: readonly Buffer[], secret: string): number {
  const inBase64 = [0, 1, 2].map((offset) => {
    const text = Buffer.from(`${'x'.repeat(offset)}${secret}`).toString('base64');
    return text.slice(Math.ceil((offset * 4) / 3), -4);
  });
  return kept.filter((bytes) => [secret, ...inBase64].some((form) => bytes.includes(form))).length;
}

eachStore('secrets', (locate) => {
  beforeAll(async () => {
    location = await locate();
    server = await startTestManager({ location });
    answers = [await server.approve(proxied, secrets)];
    agent = await server.enrolled(node);
  });
  afterAll(() => server.remove());

  test('reach the node in its catalog, marked as sensitive', async () => {
    const catalog = JSON.parse((await agent.catalog(facts)).body) as {
      resources: { title: string; parameters: { content?: string }; sensitive_parameters?: string[] }[];
    };
    const settings = catalog.resources.find(({ title }) => title === '/etc/profile.d/nova-proxy.sh');
    expect(settings?.parameters.content).toContain(`http://user-${canary}:first-${canary}@proxy.example.com:3128`);
    const withSecrets = catalog.resources.filter((each) => JSON.stringify(each.parameters).includes(canary));
    expect(withSecrets.map(({ sensitive_parameters }) => sensitive_parameters)).toEqual(
      withSecrets.map(() => ['content']),
    );
  });

  test('cause a change only if they differ', async () => {
    const changesOf = async (given: object) => (await server.preview(proxied, given)).change.catalogs[0]?.changes ?? [];
    expect(await changesOf(secrets)).toEqual([]);
    expect(await changesOf(changed)).not.toEqual([]);
  });

  test('appear nowhere else: not in the database, the log or a response to a user', async () => {
    const { client } = server;
    await expect.poll(() => server.facts(node).catch(() => undefined)).toEqual(facts);
    await agent.report(reportOf(node, { changed: 1 }));
    const preview = await server.preview(proxied, changed);
    // The change is visible, its values are not.
    expect(preview.change.catalogs[0]?.changes).toContainEqual({
      resource: 'File[/etc/profile.d/nova-proxy.sh]',
      piece: 'proxy-settings',
      kind: 'changed',
      parameters: [{ parameter: 'content', from: '[sensitive]', to: '[sensitive]' }],
    });
    answers.push(preview, await server.approve(proxied, changed));
    answers.push(
      await client.listPlans({}),
      await server.nodes(),
      await client.showNode({ params: { name: node } }),
      await server.facts(node),
      await server.reports(node, 10),
    );
    answers.push(
      await client.showCatalog({ params: { name: node } }),
      await client.showDifference({ params: { name: node } }),
      await client.health({}),
    );
    expect((await agent.catalog(facts)).body).toContain(`second-${canary}`);

    const told = JSON.stringify(answers);
    expect(told).toContain('/etc/profile.d/nova-proxy.sh');
    expect(told).not.toContain(canary);
    expect(server.log()).not.toContain(canary);
    const kept = await everythingKept();
    // The search really covers the stored data, even if it is compressed.
    expect(occurrences(kept, '/etc/profile.d/nova-proxy.sh')).toBeGreaterThan(0);
    expect(occurrences(kept, 'container_other')).toBeGreaterThan(0);
    expect(occurrences(kept, canary)).toBe(0);
  });

  test('still reach the node after a restart', async () => {
    await server.restart();
    expect((await agent.catalog(facts)).body).toContain(`second-${canary}`);
    expect(occurrences(await everythingKept(), canary)).toBe(0);
  });
});
