import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the bundle: the folder of this file if it is bundled, otherwise `dist` of the checkout. */
export function bundleFolder(): string {
  const here = import.meta.dirname;
  if (existsSync(join(here, 'nova-engine.js'))) return here;
  for (let folder = here; folder !== '/'; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package-lock.json'))) return join(folder, 'dist');
  }
  throw new Error('the folder `dist` is missing');
}
