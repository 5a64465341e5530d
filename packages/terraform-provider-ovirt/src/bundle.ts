import { join } from 'node:path';
import { build } from 'rolldown';

/** Bundles the provider into one file. */
export async function bundleProvider(file: string): Promise<void> {
  await build({
    input: join(import.meta.dirname, 'main.ts'),
    platform: 'node',
    output: { file, format: 'cjs', minify: true, keepNames: true, codeSplitting: false },
  });
}
