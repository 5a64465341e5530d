import { changeCluster } from '../../cluster-change.ts';
import { command } from '../../command.ts';
import { badValue } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { universeOf } from '../../universe.ts';

export interface ScaleFlags {
  yes?: boolean;
  output: Output;
}

export const scale = command<ScaleFlags, string[]>(async function (flags, cluster = '', ...sizes) {
  const universe = universeOf(this.io);
  const params = { cluster };
  const groups = Object.fromEntries(sizes.map(sizeOf));
  const preview = await universe.client.previewScale({ params, body: { groups } });
  const start = () => universe.client.scaleCluster({ params, body: { groups, digest: preview.digest } });
  return changeCluster(this, universe, { preview, start }, flags);
});

/** `work=5` */
function sizeOf(text: string): [group: string, count: number] {
  const [, group = '', count] = /^([a-z][a-z0-9-]*)=(\d{1,4})$/.exec(text) ?? [];
  if (count === undefined) {
    throw badValue(text, { en: 'a group and its size, such as work=5', ru: 'группа и её размер, например work=5' });
  }
  return [group, Number(count)];
}
