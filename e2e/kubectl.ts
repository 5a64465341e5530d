import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, chooseComponents, findBuilt, findToolchain, readComponents } from '@nova-platform/distro';
import { execute, type Outcome } from './nova-ctl.ts';

export type Kubectl = (args: readonly string[], input?: string) => Promise<Outcome>;

/** The release's kubectl, with its own kubeconfig. */
export async function kubectlWith(folder: string, kubeconfig: string): Promise<Kubectl> {
  const [component] = chooseComponents(await readComponents(), ['kubernetes']);
  const built = component && (await findBuilt(component, await findToolchain(cacheFolder(), () => undefined)));
  if (!built) throw new Error('kubernetes is not built');
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  const program = join(built.folder, 'bin', 'kubectl');
  return (args, input = '') => execute(program, ['--kubeconfig', file, '--request-timeout', '10s', ...args], { input });
}
