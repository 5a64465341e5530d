import { changeCluster } from '../../cluster-change.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { Output } from '../../output.ts';
import { universeOf } from '../../universe.ts';

export interface ChangeFlags {
  yes?: boolean;
  output: Output;
}

const change = (isOn: boolean) =>
  command<ChangeFlags, string[]>(async function (this: Context, flags, cluster = '', ...names) {
    const universe = universeOf(this.io);
    const params = { cluster };
    const modules = Object.fromEntries(names.map((name) => [name, isOn]));
    const preview = await universe.client.previewModules({ params, body: { modules } });
    const start = () => universe.client.changeModules({ params, body: { modules, digest: preview.digest } });
    return changeCluster(this, universe, { preview, start }, flags);
  });

export const enable = change(true);
export const disable = change(false);
