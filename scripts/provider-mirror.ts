import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { addToMirror } from '@nova-platform/terraform-provider-ovirt';
import { bundleProvider } from '@nova-platform/terraform-provider-ovirt/bundle';

/** Puts our provider for OpenTofu into a filesystem mirror: `npm run provider:mirror FOLDER`. */
const [mirror] = process.argv.slice(2);
if (mirror === undefined) {
  console.error('Usage: npm run provider:mirror FOLDER');
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), 'nova-provider-'));
try {
  const bundle = join(folder, 'provider.cjs');
  await bundleProvider(bundle);
  console.log(await addToMirror(resolve(mirror), { bundle, node: process.execPath }));
} finally {
  await rm(folder, { recursive: true });
}
