import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemError } from '@nova-platform/api';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findToolchain, isNewEnough } from './toolchain.ts';

test.for([
  ['go1.26.8', true],
  ['go1.26.9', true],
  ['go1.27.0', true],
  ['go1.27', true],
  ['go2.0', true],
  ['go1.26.7', false],
  ['go1.26', false],
  ['go1.25.14', false],
  ['go1.19.8', false],
  ['devel go1.28-abc', false],
  ['', false],
] as const)('%s is new enough: %s', ([version, isGood]) => {
  expect(isNewEnough(version)).toBe(isGood);
});

test('a toolchain with a wrong checksum is rejected and leaves no files', async () => {
  const proxy = createServer((_request, response) => response.end('something else'));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('GOPROXY', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  const cache = await mkdtemp(join(tmpdir(), 'nova-toolchain-'));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    proxy.close();
    await rm(cache, { recursive: true });
  });
  const finding = findToolchain(cache, () => undefined, ['/nonexistent/go']);
  const error: unknown = await finding.catch((reason: unknown) => reason);
  expect(error instanceof ProblemError && error.problems.map(({ code }) => code)).toEqual(['NOVA8203']);
  expect(await readdir(cache, { recursive: true })).toEqual([]);
});
