import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readModule } from '@nova-platform/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute, novaCtl, root, temporaryFolder } from './nova-ctl.ts';

beforeAll(() => novaCtl(['--version']));

// Translations have the code blocks of their English pages; `npm run generate -- --check` verifies this, and links.
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('ru/'))
    .map((name) => `docs/${name}`),
];

function blocks(page: string, language: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1] ?? '');
}

/** Commands of a console block with their expected output; `…` matches anything. */
function steps(block: string): { command: string; expected: string }[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const end = step.indexOf('\n');
      return { command: step.slice(0, end), expected: step.slice(end + 1) };
    });
}

function asPattern(expected: string): RegExp {
  return new RegExp(`^${RegExp.escape(expected).replaceAll(RegExp.escape('…\n'), '(?:.*\\n)*?')}$`);
}

for (const page of pages.filter((each) => blocks(each, 'console').length > 0)) {
  describe(page, () => {
    const folder = temporaryFolder();
    symlinkSync(join(root, 'nova-ctl'), join(folder.path, 'nova-ctl'));
    symlinkSync(join(root, 'examples'), join(folder.path, 'examples'));
    afterAll(() => folder.remove());

    for (const { command, expected } of blocks(page, 'console').flatMap(steps)) {
      test(`$ ${command}`, async () => {
        const { stdout, stderr } = await execute('bash', ['-c', command], { cwd: folder.path });
        expect(stdout + stderr).toMatch(asPattern(expected));
      });
    }
  });
}

test.for(pages.flatMap((page) => blocks(page, 'yaml').map((block, index) => ({ page, block, index }))))(
  'example $index of $page is valid',
  async ({ block }) => {
    // Of `module.yaml`, which is no document of the API.
    if (block.startsWith('category:'))
      expect(readModule('vault', { name: 'module.yaml', text: block }).problems).toEqual([]);
    else expect(await novaCtl(['validate', '-f', '-'], { input: block })).toMatchObject({ exitCode: 0 });
  },
);

test('the walkthrough of apply has at most ten hops, and every named function is exported by its file', () => {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const [, walk = ''] = /^## A walk of `apply`\n(.*?)^## /ms.exec(text) ?? [];
  const hops = [...walk.matchAll(/^\| `([^`]+)` *\| `([^`]+)` *\|/gm)].map(([, file = '', name = '']) => ({
    file,
    name,
  }));
  expect(hops.length).toBeGreaterThan(4);
  expect(hops.length).toBeLessThanOrEqual(10);
  const isThere = ({ file, name }: (typeof hops)[number]) =>
    existsSync(join(root, file)) &&
    new RegExp(`^export (?:async )?(?:function|const|class) ${name}\\b`, 'm').test(
      readFileSync(join(root, file), 'utf8'),
    );
  expect(hops.filter((hop) => !isThere(hop))).toEqual([]);
});
