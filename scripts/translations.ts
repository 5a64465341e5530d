import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';

// User pages exist in English and Russian. The first line of a translation records which text it translates:
// `<!-- translates: docs/clusters.md sha256:… -->`. Code blocks are the same in both languages; they are copied from the
// English page and are not part of the hash.

/** Path → text. */
export type Pages = ReadonlyMap<string, string>;

/** For developers of Nova, who read English anyway. */
const englishOnly = ['docs/architecture.md'];
const codeBlock = /^```.*\n[\s\S]*?^```$/gm;

export function readPages(root: string): Map<string, string> {
  const paths = globSync(['*.md', 'docs/**/*.md'], { cwd: root });
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

export function userPages(pages: Pages): string[] {
  return [...pages.keys()].filter(
    (path) => path === 'README.md' || (/^docs\/[^/]+$/.test(path) && !englishOnly.includes(path)),
  );
}

export function translationOf(page: string): string {
  return page === 'README.md' ? 'README.ru.md' : page.replace('docs/', 'docs/ru/');
}

/** Everything that is wrong with the pages, one message each. */
export function pageProblems(pages: Pages, root: string): string[] {
  const translated = userPages(pages);
  const translations = new Set(translated.map(translationOf));
  return [
    ...translated.flatMap((page) => translationProblems(page, pages)),
    ...[...pages.keys()]
      .filter((path) => /\.ru\.md$|^docs\/ru\//.test(path) && !translations.has(path))
      .map((path) => `${path}: there is no English page. Remove it.`),
    ...[...pages].flatMap(([path, text]) => linkProblems(path, text, pages, root)),
  ];
}

function translationProblems(page: string, pages: Pages): string[] {
  const english = pages.get(page) ?? '';
  const translation = translationOf(page);
  const russian = pages.get(translation);
  const record = `\`npm run docs:translated ${page}\``;
  if (russian === undefined) return [`${page}: not translated. Write ${translation}, then run ${record}.`];
  const shape = (text: string) => headings(text).map(({ level }) => level);
  return [
    ...(russian.startsWith(`${provenance(page, english)}\n`)
      ? []
      : [`${translation}: ${page} has changed since it was translated. Update the translation, then run ${record}.`]),
    ...(shape(english).join() === shape(russian).join() ? [] : [`${translation}: its headings differ from ${page}.`]),
    ...(codeBlocks(english).length === codeBlocks(russian).length
      ? []
      : [`${translation}: the number of its code blocks differs from ${page}.`]),
    ...(english.includes(`\n\n${languageLine(page)}\n`)
      ? []
      : [`${page}: its title is not followed by "${languageLine(page)}".`]),
    ...(russian.includes(`\n\n${languageLine(translation)}\n`)
      ? []
      : [`${translation}: its title is not followed by "${languageLine(translation)}".`]),
  ];
}

/** Links to missing files and headings, and links to a page in the other language. */
function linkProblems(path: string, text: string, pages: Pages, root: string): string[] {
  const isRussian = /\.ru\.md$|^docs\/ru\//.test(path);
  const otherLanguage = new Set(userPages(pages).map((page) => (isRussian ? page : translationOf(page))));
  const prose = proseOf(text)
    .replaceAll(/`[^`]*`/g, '')
    .replace(languageLine(path), '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^https?:/.test(link)) return [];
    const [file = '', heading] = link.split('#');
    const target = file === '' ? path : normalize(join(path, '..', file));
    if (!existsSync(join(root, target))) return [`${path}: the link ${link} leads to a missing file.`];
    if (otherLanguage.has(target)) return [`${path}: the link ${link} leads to a page in the other language.`];
    if (heading !== undefined && !headings(pages.get(target) ?? '').some(({ anchor }) => anchor === heading))
      return [`${path}: the link ${link} leads to a missing heading.`];
    return [];
  });
}

/** The translation with the code blocks of its English page; unchanged if their numbers differ. */
export function withCodeBlocksOf(english: string, russian: string): string {
  const blocks = codeBlocks(english);
  if (blocks.length !== codeBlocks(russian).length) return russian;
  return russian.replaceAll(codeBlock, () => blocks.shift() ?? '');
}

/** The translation, recorded as one of the current English text. */
export function recorded(page: string, english: string, russian: string): string {
  const text = russian.replace(/^<!-- translates: .*\n/, '');
  return `${provenance(page, english)}\n${withCodeBlocksOf(english, text)}`;
}

function provenance(page: string, english: string): string {
  // A new line break or another width of a table column is no change.
  const text = proseOf(english).replaceAll(/-{3,}/g, '---').replaceAll(/\s+/g, ' ');
  return `<!-- translates: ${page} sha256:${createHash('sha256').update(text).digest('hex')} -->`;
}

function languageLine(path: string): string {
  const english = path.replace('.ru.md', '.md').replace('docs/ru/', 'docs/');
  const link = (target: string) => relative(join(path, '..'), target);
  return path === english
    ? `English | [Русский](${link(translationOf(path))})`
    : `[English](${link(english)}) | Русский`;
}

function codeBlocks(text: string): string[] {
  return text.match(codeBlock) ?? [];
}

function proseOf(text: string): string {
  return text.replaceAll(codeBlock, '');
}

/** Headings with the anchors that GitHub gives them. */
function headings(text: string): { level: number; anchor: string }[] {
  const used = new Map<string, number>();
  return [...proseOf(text).matchAll(/^(#+) (.+)$/gm)].map(([, marks = '', title = '']) => {
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = used.get(anchor) ?? 0;
    used.set(anchor, count + 1);
    return { level: marks.length, anchor: count === 0 ? anchor : `${anchor}-${count}` };
  });
}
