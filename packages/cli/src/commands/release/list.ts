import type { Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { universeOf } from '../../universe.ts';

export async function list(this: Context): Promise<Result> {
  const { io, t, style } = this;
  const { releases, newest } = await universeOf(io).client.listReleases({});
  if (releases.length === 0) {
    const text = t({
      en: 'There are no releases: nova-ctl release import.',
      ru: 'Выпусков нет: nova-ctl release import.',
    });
    return { data: { releases }, text };
  }
  const mark = style.dim(t({ en: 'newest', ru: 'новейший' }));
  const lines = releases.map((version) => (version === newest ? `${version}  ${mark}` : version));
  return { data: { releases, newest }, text: lines.join('\n') };
}
