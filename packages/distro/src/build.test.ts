import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { assertSpace, fetchModules } from './build.ts';
import { removeTree } from './cache.ts';
import { readComponents } from './component.ts';
import { findToolchain } from './toolchain.ts';

test('a build that needs more space than the disk has fails before it starts', async () => {
  await assertSpace(1, tmpdir());
  await expect(assertSpace(1_000_000, tmpdir())).rejects.toMatchObject({
    problems: [{ code: 'NOVA7003', params: { needed: '1000005.0' } }],
  });
});

test('modules are downloaded in advance, and disposal stops the download', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'nova-fetch-'));
  onTestFinished(() => removeTree(folder));
  await writeFile(join(folder, 'main.go'), 'package main\n\nimport _ "example.org/far"\n\nfunc main() {}\n');
  await writeFile(join(folder, 'go.mod'), 'module far\n\ngo 1.26\n\nrequire example.org/far v1.0.0\n');
  const sum = `h1:${'A'.repeat(43)}=`;
  const sums = ['v1.0.0', 'v1.0.0/go.mod'].map((version) => `example.org/far ${version} ${sum}\n`);
  await writeFile(join(folder, 'go.sum'), sums.join(''));
  const [component] = (await readComponents()).filter(({ name }) => name === 'pause');
  if (!component) throw new Error('no component');
  const toolchain = await findToolchain(join(folder, 'cache'), () => undefined);

  // A proxy that never responds.
  const proxy = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  await once(proxy, 'listening');
  vi.stubEnv('GOPROXY', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  onTestFinished(() => void vi.unstubAllEnvs());

  const modules = fetchModules([{ ...component, folder }], toolchain, join(folder, 'cache'));
  const [request] = (await once(proxy, 'request')) as [IncomingMessage];
  expect(request.url).toMatch(/^\/example\.org\/far\/@v\/v1\.0\.0\./);
  const end = once(request.socket, 'close');
  await modules[Symbol.asyncDispose]();
  await end;
}, 60_000);
