import { expect, test } from 'vitest';
import { groupClusters } from './clusters.ts';
import { loadDocuments } from './documents.ts';
import { proxy } from './proxy.ts';
import { brief, manifest } from './testing.ts';

const named = (name: string) => manifest({ config: `clusterName: ${name}` });
const both = (name: string) => `${named(name)}---\n${proxy.example}`;

/** Each cluster with the file of its proxy, then the problems. */
function grouped(files: Record<string, string>): string[] {
  const { documents } = loadDocuments(Object.entries(files).map(([name, text]) => ({ name, text })));
  const { clusters, problems } = groupClusters(documents);
  return [
    ...clusters.map((cluster) => `${cluster.name} ${cluster.proxy?.yaml.source.name ?? '-'}`),
    ...problems.map(brief),
  ];
}

test.each<[promise: string, files: Record<string, string>, found: string[]]>([
  [
    'a proxy belongs to the cluster of its file',
    { 'a.yaml': both('a'), 'b.yaml': both('b') },
    ['a a.yaml', 'b b.yaml'],
  ],
  [
    'a proxy in its own file belongs to the only cluster of its folder',
    { 'x/a.yaml': named('a'), 'x/p.yaml': proxy.example, 'y/b.yaml': named('b') },
    ['a x/p.yaml', 'b -'],
  ],
  ['a proxy in a folder without clusters is ignored', { 'x/a.yaml': named('a'), 'p.yaml': proxy.example }, ['a -']],
  [
    'a proxy next to two clusters is ambiguous',
    { 'a.yaml': named('a'), 'b.yaml': named('b'), 'p.yaml': proxy.example },
    ['a -', 'b -', 'NOVA3024 kind 2:7 Proxy'],
  ],
  [
    'a second proxy of a cluster is refused',
    { 'a.yaml': `${both('a')}---\n${proxy.example}` },
    ['a a.yaml', 'NOVA3027 kind 25:7 Proxy'],
  ],
  [
    'a second declaration of a cluster is refused',
    { 'a.yaml': named('a'), 'b.yaml': named('a') },
    ['a -', 'NOVA3023 spec.clusterConfiguration.clusterName 9:18 a'],
  ],
  [
    'two clusters without a name and with the same base domain are the same',
    { 'a.yaml': manifest(), 'b.yaml': manifest() },
    ['demo -', 'NOVA3023 spec.clusterConfiguration.clusterName 7:3 clusterConfiguration'],
  ],
])('%s', (_, files, expected) => {
  expect(grouped(files)).toEqual(expected);
});

test('a duplicate cluster is reported with the place of the other declaration', () => {
  const { documents } = loadDocuments([{ name: 'a.yaml', text: `${named('a')}---\n${named('a')}` }]);
  expect(groupClusters(documents).problems.map(({ params }) => params)).toEqual([{ cluster: 'a', other: 'a.yaml:1' }]);
});
