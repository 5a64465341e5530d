import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPages, recorded, translationOf, userPages } from './translations.ts';

// Records that the Russian translations of the given English pages are up to date, and copies their code blocks.

const root = join(import.meta.dirname, '..');
const pages = readPages(root);
const known = userPages(pages);
const given = process.argv.slice(2);
if (given.length === 0) {
  console.error(
    `Name the English pages: npm run docs:translated PAGE…\n${known.map((page) => `  ${page}`).join('\n')}`,
  );
  process.exitCode = 2;
}
for (const page of given) {
  const english = pages.get(page);
  const russian = pages.get(translationOf(page));
  if (known.includes(page) && english !== undefined && russian !== undefined) {
    writeFileSync(join(root, translationOf(page)), recorded(page, english, russian));
  } else {
    console.error(`${page} has no translation.`);
    process.exitCode = 2;
  }
}
