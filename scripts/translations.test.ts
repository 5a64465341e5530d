import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pageProblems, readPages, recorded, withCodeBlocksOf } from './translations.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nova-pages-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const english =
  '# Clusters\n\nEnglish | [Русский](ru/clusters.md)\n\nCreate one ([how](#how-to)).\n\n## How to\n\n```sh\napply # it\n```\n';
const russian =
  '# Кластеры\n\n[English](../clusters.md) | Русский\n\nСоздайте ([как](#как-это-сделать)).\n\n## Как это сделать?\n\n```sh\napply # it\n```\n';
const translated = recorded('docs/clusters.md', english, russian);

function problemsOf(files: Record<string, string>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return pageProblems(readPages(root), root);
}

test('a page with a current translation has no problems', () => {
  expect(problemsOf({ 'docs/clusters.md': english, 'docs/ru/clusters.md': translated })).toEqual([]);
});

test('a page without a translation is reported, except those for developers', () => {
  const architecture = '# Architecture\n';
  expect(problemsOf({ 'docs/clusters.md': english, 'docs/architecture.md': architecture })).toEqual([
    'docs/clusters.md: not translated. Write docs/ru/clusters.md, then run `npm run docs:translated docs/clusters.md`.',
  ]);
});

test('a changed English sentence makes the translation outdated; line breaks and code blocks do not', () => {
  const changed = english.replace('Create one', 'Create two');
  expect(problemsOf({ 'docs/clusters.md': changed, 'docs/ru/clusters.md': translated })).toEqual([
    'docs/ru/clusters.md: docs/clusters.md has changed since it was translated. Update the translation, then run `npm run docs:translated docs/clusters.md`.',
  ]);
  const same = english.replace('Create one', 'Create\none').replace('# it', '# now');
  expect(problemsOf({ 'docs/clusters.md': same, 'docs/ru/clusters.md': translated })).toEqual([]);
  expect(withCodeBlocksOf(same, translated)).toBe(translated.replace('# it', '# now'));
});

test('a translation with other headings, fewer code blocks or without the language line is reported', () => {
  const broken = translated
    .replace('## ', '### ')
    .replace(/```sh[\s\S]*/, '')
    .replace('| Русский', '');
  expect(problemsOf({ 'docs/clusters.md': english, 'docs/ru/clusters.md': broken })).toEqual([
    'docs/ru/clusters.md: its headings differ from docs/clusters.md.',
    'docs/ru/clusters.md: the number of its code blocks differs from docs/clusters.md.',
    'docs/ru/clusters.md: its title is not followed by "[English](../clusters.md) | Русский".',
    'docs/ru/clusters.md: the link ../clusters.md leads to a page in the other language.',
  ]);
});

test('a translation without an English page is reported', () => {
  expect(problemsOf({ 'docs/ru/old.md': '# Старая\n' })).toEqual([
    'docs/ru/old.md: there is no English page. Remove it.',
  ]);
});

test('links to missing files, missing headings and the other language are reported in both languages', () => {
  const links = '\n[a](absent.md) [b](#absent) `[c](code.md)` [d](https://example.com)\n';
  const page = `${english}${links}[e](ru/clusters.md)\n`;
  const translation = recorded('docs/clusters.md', page, `${russian}${links}[e](../clusters.md)\n`);
  expect(problemsOf({ 'docs/clusters.md': page, 'docs/ru/clusters.md': translation })).toEqual(
    [
      ['docs/clusters.md', 'ru/clusters.md'],
      ['docs/ru/clusters.md', '../clusters.md'],
    ].flatMap(([path, other]) => [
      `${path}: the link absent.md leads to a missing file.`,
      `${path}: the link #absent leads to a missing heading.`,
      `${path}: the link ${other} leads to a page in the other language.`,
    ]),
  );
});
