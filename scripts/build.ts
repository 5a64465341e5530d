import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildConsole } from '@nova-platform/console';
import { bundleProvider } from '@nova-platform/terraform-provider-ovirt/bundle';
import { build } from 'rolldown';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/**
 * Bundles nova-ctl for a fast start: the code of each command is a separate chunk, loaded on demand. The web console is
 * placed next to it.
 */
const fresh = await mkdtemp(`${dist}-`);
await build({
  input: {
    'nova-ctl': join(root, 'packages/cli/src/main.ts'),
    'nova-engine': join(root, 'packages/engine/src/main.ts'),
    'nova-git': join(root, 'packages/git/src/main.ts'),
    'nova-ovirt': join(root, 'packages/ovirt/src/main.ts'),
    'nova-universe': join(root, 'packages/universe/src/main.ts'),
  },
  platform: 'node',
  // The command-line library selects messages by the names of error classes, so names are kept.
  output: { dir: fresh, format: 'esm', minify: true, keepNames: true, chunkFileNames: '[name]-[hash].js' },
});
await bundleProvider(join(fresh, 'terraform-provider-ovirt.cjs'));
await buildConsole(join(fresh, 'console'));
await chmod(fresh, 0o755);

// Replace the bundle atomically, even when two builds run at once.
const old = await mkdtemp(`${dist}-`);
await rename(dist, join(old, 'dist')).catch(() => undefined);
await rename(fresh, dist).catch(() => undefined);
await rm(old, { recursive: true });
await rm(fresh, { recursive: true, force: true });
