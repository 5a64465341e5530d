import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  customResourceDefinition,
  describe,
  formatPath,
  jsonSchema,
  kinds,
  type Language,
  moduleOf,
} from '@nova-platform/api';
import { readModules } from '@nova-platform/delivery/build';
import { readComponents } from '@nova-platform/distro';
import { describeApi } from '@nova-platform/universe/description';
import { stringify } from 'yaml';
import { moduleTable } from './module-table.ts';
import { commandsPage, errorsPage, kindPage, modulesPage } from './reference.ts';
import { pageProblems, readPages, translationOf, userPages, withCodeBlocksOf } from './translations.ts';

// Generates everything that derives from the declarations: schemas, CRDs, the reference and the module table. Copies the
// code blocks of English pages into their translations. With --check, only reports outdated files, outdated translations
// and broken links.

const root = join(import.meta.dirname, '..');
const folders = ['schemas', 'docs/reference'];
const languages: Language[] = ['en', 'ru'];

const components = (await readComponents(join(root, 'distro'))).map(({ name }) => name);
const { modules, problems } = await readModules(join(root, 'release'), components);
if (problems.length > 0) {
  for (const each of problems) {
    const { message, remedy } = describe(each, 'en');
    const where = each.place ? `${each.place.file}:${each.place.line} ${formatPath(each.path)}: ` : '';
    console.error(`${where}${message} ${remedy}`);
  }
  process.exit(1);
}

const files = new Map<string, string>();
files.set('packages/api/src/module-table.ts', moduleTable(modules));
for (const kind of kinds) {
  const name = kind.kind.toLowerCase();
  files.set(`schemas/${name}.${kind.version}.json`, `${JSON.stringify(jsonSchema(kind, 'en'), null, 2)}\n`);
  files.set(
    `schemas/crds/${kind.plural}.yaml`,
    stringify(customResourceDefinition(kind), { lineWidth: 0, aliasDuplicateObjects: false }),
  );
  for (const language of languages) files.set(`docs/reference/${language}/${name}.md`, kindPage(kind, language));
}
files.set('schemas/universe.openapi.json', `${JSON.stringify(await describeApi(), null, 2)}\n`);
for (const language of languages) {
  files.set(`docs/reference/${language}/modules.md`, modulesPage(modules.map(moduleOf), language));
  files.set(`docs/reference/${language}/errors.md`, errorsPage(language));
  files.set(`docs/reference/${language}/nova-ctl.md`, commandsPage(language));
}

const pages = readPages(root);
for (const page of userPages(pages)) {
  const translation = pages.get(translationOf(page));
  if (translation !== undefined) files.set(translationOf(page), withCodeBlocksOf(pages.get(page) ?? '', translation));
}

const present = (await Promise.all(folders.map(filesIn))).flat();
const stale = [
  ...present.filter((file) => !files.has(file)),
  ...(
    await Promise.all(
      [...files].map(async ([file, text]) =>
        (await readFile(join(root, file), 'utf8').catch(() => '')) === text ? [] : [file],
      ),
    )
  ).flat(),
];

if (!process.argv.includes('--check')) {
  for (const file of stale) {
    const text = files.get(file);
    if (text === undefined) await rm(join(root, file));
    else {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), text);
    }
  }
} else {
  const failures = pageProblems(pages, root);
  if (stale.length > 0)
    failures.unshift(`Outdated files; run \`npm run generate\`:\n${stale.map((file) => `  ${file}`).join('\n')}`);
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) process.exitCode = 1;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true, recursive: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
