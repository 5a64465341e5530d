import { mkdtemp, rename, rm } from 'node:fs/promises';
import { build } from 'rolldown';

const root = new URL('..', import.meta.url).pathname;

/** Bundles nova-ctl, so that it starts fast: what a command needs is a chunk of its own, loaded when it is called. */
const fresh = await mkdtemp(`${root}/dist-`);
await build({
  input: { 'nova-ctl': `${root}/packages/cli/src/main.ts` },
  platform: 'node',
  output: { dir: fresh, format: 'esm', minify: true, chunkFileNames: '[name]-[hash].js' },
});
// A bundle is there whole or not at all, also when two are made at once.
const old = await mkdtemp(`${root}/dist-`);
await rename(`${root}/dist`, `${old}/dist`).catch(() => undefined);
await rename(fresh, `${root}/dist`).catch(() => undefined);
await rm(old, { recursive: true });
await rm(fresh, { recursive: true, force: true });
