import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildKey, pinOf } from './cache.ts';
import { distroFolder, readComponents } from './component.ts';

const toolchain = { program: 'go', version: 'go1.26.8', architecture: 'amd64' } as const;

async function copyOfPause(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nova-pin-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(distroFolder(), 'pause'), folder, { recursive: true });
  return folder;
}

test('a pin depends on the content of the folder, not on its path or on the formatting of the description', async () => {
  const folder = await copyOfPause();
  const original = pinOf(join(distroFolder(), 'pause'));
  expect(pinOf(folder)).toBe(original);
  const description = join(folder, 'component.yaml');
  await writeFile(description, `# a comment\n${await readFile(description, 'utf8')}`);
  expect(pinOf(folder)).toBe(original);
  await writeFile(description, (await readFile(description, 'utf8')).replace(/user: \d+/, 'user: 1'));
  expect(pinOf(folder)).not.toBe(original);
});

test.for(['go.mod', 'main.go'])('a changed %s changes the pin', async (name) => {
  const folder = await copyOfPause();
  await writeFile(join(folder, name), `${await readFile(join(folder, name), 'utf8')}// more\n`);
  expect(pinOf(folder)).not.toBe(pinOf(join(distroFolder(), 'pause')));
});

test('another toolchain or architecture changes the build key', async () => {
  const [component] = await readComponents();
  if (!component) throw new Error('no components');
  const key = buildKey(component, toolchain);
  expect(buildKey(component, { ...toolchain, version: 'go1.27.0' })).not.toBe(key);
  expect(buildKey(component, { ...toolchain, architecture: 'arm64' })).not.toBe(key);
});
