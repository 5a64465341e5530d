import { formats, formatted } from '@nova-platform/api';
import { releaseContent, releaseFolder } from '@nova-platform/installer';
import { command } from '../../command.ts';
import { badValue } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { release as ownVersion } from '../../release.ts';
import { universeOf } from '../../universe.ts';

export interface ImportFlags {
  version?: string;
  from?: string;
  output: Output;
}

export const importRelease = command<ImportFlags, []>(async function ({ version = ownVersion, from }) {
  const { io, t, style } = this;
  if (!formatted('release').safeParse(version).success) throw badValue('--version', formats.release.expected);
  const files = await releaseContent(from ?? releaseFolder(), version);
  const { client } = universeOf(io);
  const wasThere = (await client.listReleases({})).releases.includes(version);
  const { commit } = await client.importRelease({ params: { release: version }, body: { files } });
  const done = wasThere
    ? t({ en: `The release ${version} was there already.`, ru: `Выпуск ${version} уже был.` })
    : t({ en: `The release ${version} is in Universe.`, ru: `Выпуск ${version} добавлен в Universe.` });
  return { data: { version, commit, isNew: !wasThere }, text: `${style.green('✓')} ${done}` };
});
