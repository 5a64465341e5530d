import { runGit } from '@nova-platform/git';
import { expect, test } from 'vitest';
import { revisionOf } from './releases.ts';
import { emptyReleases, filesOf } from './testing/releases.ts';

const refused = (code: string) => expect.objectContaining({ problems: [expect.objectContaining({ code })] });

test('the same files give the same commit in every repository', async () => {
  await using here = await emptyReleases();
  await using there = await emptyReleases();
  const files = filesOf('0.1.0', { one: [], two: ['one'] });
  await there.releases.publish('0.0.9', filesOf('0.0.9'));
  const reordered = Object.fromEntries(Object.entries(files).toReversed());
  const [first, second] = [
    await here.releases.publish('0.1.0', files),
    await there.releases.publish('0.1.0', reordered),
  ];
  expect(second.commit).toBe(first.commit);
  expect(revisionOf(first)).toBe(`v0.1.0@sha1:${first.commit}`);
});

test('a release is a tag with its files, and describes its content', async () => {
  await using opened = await emptyReleases();
  const { releases, path } = opened;
  const { commit } = await releases.publish('0.1.0', filesOf('0.1.0', { one: [], two: ['one'] }));
  expect(await runGit(path, ['rev-parse', 'v0.1.0'])).toBe(`${commit}\n`);
  expect((await runGit(path, ['ls-tree', '-r', '--name-only', 'v0.1.0'])).trim().split('\n')).toEqual([
    'flux/crds/sources.yaml',
    'modules/one/module.yaml',
    'modules/two/module.yaml',
    'release.yaml',
  ]);
  expect(await releases.show('0.1.0')).toMatchObject({
    version: '0.1.0',
    commit,
    modules: [
      { name: 'one', needs: [] },
      { name: 'two', needs: ['one'] },
    ],
  });
  expect(await releases.fluxDefinitions('0.1.0')).toEqual(['kind: CustomResourceDefinition\n']);
  // Publishing leaves no other refs.
  expect(await runGit(path, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main\nrefs/tags/v0.1.0\n');
});

test('a release is immutable: publishing it again does nothing, other content is refused', async () => {
  await using opened = await emptyReleases();
  const { releases } = opened;
  const { commit } = await releases.publish('0.1.0', filesOf('0.1.0'));
  expect((await releases.publish('0.1.0', filesOf('0.1.0'))).commit).toBe(commit);
  await expect(releases.publish('0.1.0', filesOf('0.1.0', { other: [] }))).rejects.toThrow(refused('NOVA8405'));
  expect((await releases.show('0.1.0')).commit).toBe(commit);
});

test('of two concurrent publications with different content, one is refused', async () => {
  await using opened = await emptyReleases();
  const { releases } = opened;
  const outcomes = await Promise.allSettled([
    releases.publish('0.1.0', filesOf('0.1.0', { one: [] })),
    releases.publish('0.1.0', filesOf('0.1.0', { other: [] })),
  ]);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([
    { status: 'rejected', reason: refused('NOVA8405') },
  ]);
  const [winner] = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.commit] : []));
  expect((await releases.show('0.1.0')).commit).toBe(winner);
});

test('the newest release is the one published last, unless its version is older', async () => {
  await using opened = await emptyReleases();
  const { releases } = opened;
  expect(await releases.newest()).toBeUndefined();
  const newestAfter = async (version: string) => {
    await releases.publish(version, filesOf(version));
    return releases.newest();
  };
  expect(await newestAfter('0.1.0')).toBe('0.1.0');
  expect(await newestAfter('0.1.0-abc')).toBe('0.1.0-abc');
  expect(await newestAfter('0.10.0')).toBe('0.10.0');
  expect(await newestAfter('0.9.0')).toBe('0.10.0');
  expect(await newestAfter('0.10.0')).toBe('0.10.0');
  expect(await releases.list()).toEqual(['0.1.0', '0.1.0-abc', '0.9.0', '0.10.0']);
});

test('invalid releases are refused before anything is written', async () => {
  await using opened = await emptyReleases();
  const { releases, path } = opened;
  const wrong: [string, Record<string, string>, string][] = [
    ['0.1.0', { ...filesOf('0.1.0'), '../outside.yaml': '' }, 'NOVA8406'],
    ['0.1.0', { ...filesOf('0.1.0'), '.git/config': '' }, 'NOVA8406'],
    ['0.1.0', { ...filesOf('0.1.0'), 'a\nM 100755 inline b': '' }, 'NOVA8406'],
    ['0.1.0', {}, 'NOVA8406'],
    ['0.2.0', filesOf('0.1.0'), 'NOVA8406'],
    ['0.1.0', filesOf('0.1.0', { one: ['two'] }), 'NOVA8401'],
    ['0.1.0', filesOf('0.1.0', { one: ['two'], two: ['one'] }), 'NOVA8402'],
  ];
  for (const [version, files, code] of wrong)
    await expect(releases.publish(version, files)).rejects.toThrow(refused(code));
  expect(await runGit(path, ['for-each-ref'])).toBe('');
});

test('an unknown release is refused, and the known ones are listed', async () => {
  await using opened = await emptyReleases();
  const { releases } = opened;
  await releases.publish('0.1.0', filesOf('0.1.0'));
  for (const version of ['0.2.0', '--upload-pack', '../main', ''])
    await expect(releases.show(version)).rejects.toMatchObject({
      problems: [{ code: 'NOVA8404', params: { known: '0.1.0' } }],
    });
});
