import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The source of the provider in configurations. */
export const providerSource = 'nova-platform.io/nova/ovirt';
export const providerVersion = '0.1.0';

const architectures: Partial<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

export interface ProviderProgram {
  /** The bundle. */
  bundle: string;
  /** The Node that runs it. */
  node: string;
}

/**
 * Puts the provider into a filesystem mirror of OpenTofu, where `tofu init` finds it without a network. Returns its
 * folder.
 */
export async function addToMirror(mirror: string, { bundle, node }: ProviderProgram): Promise<string> {
  const platform = `linux_${architectures[process.arch] ?? process.arch}`;
  const folder = join(mirror, providerSource, providerVersion, platform);
  const program = join(folder, `terraform-provider-ovirt_v${providerVersion}`);
  await mkdir(folder, { recursive: true });
  await writeFile(`${program}.new`, `#!${node}\n${await readFile(bundle, 'utf8')}`, { mode: 0o755 });
  await rename(`${program}.new`, program);
  return folder;
}
