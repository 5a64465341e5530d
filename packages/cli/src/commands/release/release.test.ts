import { expect, test } from 'vitest';
import { answering } from '../../testing/answers.ts';

test('release list marks the newest release, and reports when there is none', async () => {
  await using universe = await answering({ 'GET /v1/releases': { releases: ['0.1.0', '0.2.0'], newest: '0.2.0' } });
  expect((await universe.ctl(['release', 'list'])).stdout).toBe('0.1.0\n0.2.0  newest\n');
  expect(JSON.parse((await universe.ctl(['release', 'list', '-o', 'json'])).stdout)).toEqual({
    releases: ['0.1.0', '0.2.0'],
    newest: '0.2.0',
  });
  await using empty = await answering({ 'GET /v1/releases': { releases: [] } });
  expect((await empty.ctl(['release', 'list'])).stdout).toBe('There are no releases: nova-ctl release import.\n');
});

test('release show prints modules and images', async () => {
  const digest = `sha256:${'0123456789ab'.padEnd(64, 'c')}`;
  await using universe = await answering({
    'GET /v1/releases/0.1.0': {
      version: '0.1.0',
      commit: 'a'.repeat(40),
      modules: [
        {
          name: 'nova-dns',
          category: 'base',
          version: '1.15.0',
          needs: ['ingress'],
          description: { en: 'the base domain', ru: 'базовый домен' },
          images: ['coredns'],
        },
      ],
      images: [{ name: 'coredns', component: 'coredns', version: '1.15.0', digest }],
      flux: [],
    },
  });
  expect((await universe.ctl(['release', 'show', '0.1.0'])).stdout).toMatchInlineSnapshot(`
    "0.1.0 · aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa

    MODULE    VERSION  NEEDS    DESCRIPTION
    nova-dns  1.15.0   ingress  the base domain

    IMAGE    VERSION  DIGEST
    coredns  1.15.0   sha256:0123456789ab
    "
  `);
  expect((await universe.ctl(['release', 'show', '0.1.0'], { LANG: 'ru_RU.UTF-8' })).stdout).toContain('базовый домен');
});

test('release import rejects an invalid version before building anything', async () => {
  await using universe = await answering({});
  const { exitCode, stderr } = await universe.ctl(['release', 'import', '--version', 'latest']);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--version') as string });
  expect(universe.asked).toEqual([]);
});
