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
  const existed = (await client.listReleases({})).releases.includes(version);
  const { commit } = await client.importRelease({ params: { release: version }, body: { files } });
  const done = existed
    ? t({ en: `Release ${version} exists already.`, ru: `Выпуск ${version} уже есть.` })
    : t({ en: `Release ${version} is imported.`, ru: `Выпуск ${version} импортирован.` });
  return { data: { version, commit, isNew: !existed }, text: `${style.green('✓')} ${done}` };
});
