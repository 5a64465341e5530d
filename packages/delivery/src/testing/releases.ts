import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRepositories } from '@nova-platform/git';
import { stringify } from 'yaml';
import { moduleFile, type ReleaseFiles, releaseFile } from '../release.ts';
import { Releases } from '../releases.ts';

const digest = `sha256:${'0'.repeat(64)}`;

/** A release with these modules and their dependencies. */
export function filesOf(
  version: string,
  modules: Record<string, string[]> = { one: [] },
  more: ReleaseFiles = {},
): ReleaseFiles {
  const described = Object.entries(modules).map(([name, needs]): [string, string] => [
    moduleFile(name),
    stringify({ name, category: 'base', version: '1.0.0', needs, description: { en: name, ru: name }, images: [] }),
  ]);
  const images = [{ name: 'source-controller', component: 'flux-source-controller', version: '1.9.3', digest }];
  return {
    [releaseFile]: stringify({ version, images, flux: ['source-controller'] }),
    'flux/crds/sources.yaml': 'kind: CustomResourceDefinition\n',
    ...Object.fromEntries(described),
    ...more,
  };
}

/** A new, empty repository. */
export async function emptyReleases(): Promise<{ releases: Releases; path: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'nova-releases-'));
  const path = await (await openRepositories(folder, () => undefined)).ensure('release');
  return {
    releases: new Releases(path),
    path,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
