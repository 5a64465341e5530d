import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSite } from '@nova-platform/plan';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSettings, withLifetimes } from './settings.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-settings-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(text: string) {
  const file = join(folder, 'settings.json');
  await writeFile(file, text);
  return readSettings(file);
}

test('without a file all settings have defaults', async () => {
  const settings = await readSettings(join(folder, 'missing.json'));
  expect(settings).toEqual({
    nameServers: [],
    limits: { nodes: 1000, registryBytes: 100 * 1024 ** 3 },
    logLevel: 'info',
  });
  expect(withLifetimes(defaultSite, settings)).toEqual(defaultSite);
});

test('the configured lifetime applies to certificates, including those of nodes', async () => {
  const site = withLifetimes(defaultSite, await read('{ "certificateHours": 0.05 }'));
  expect(site).toEqual({ ...defaultSite, certificateHours: 0.05, identityHours: 0.05 });
});

test('one limit can be set alone', async () => {
  const { limits } = await read('{ "limits": { "nodes": 20 } }');
  expect(limits).toEqual({ nodes: 20, registryBytes: 100 * 1024 ** 3 });
});

test.for([
  ['an unknown limit', '{ "limits": { "pods": 1 } }'],
  ['less than three minutes', '{ "certificateHours": 0.04 }'],
  ['longer than any CA', '{ "certificateHours": 87601 }'],
  ['a string instead of a number', '{ "certificateHours": "1" }'],
  ['an unknown setting', '{ "certificateHour": 1 }'],
  ['text that is not JSON', 'certificateHours: 1'],
])('%s is refused, with the name of the file', async ([, text = '']) => {
  await expect(read(text)).rejects.toThrow(/settings\.json: /);
});
