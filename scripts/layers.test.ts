import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const scope = '@nova-platform/';

/** The layer of each package, from docs/architecture.md. */
const layers = new Map(
  readFileSync(join(root, 'docs/architecture.md'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, number, packages = ''] = /^\| (\d+) [^|]*\|(.*)\|$/.exec(line) ?? [];
      return number
        ? Array.from(packages.matchAll(/`([a-z-]+)`/g), ([, name = '']) => [name, Number(number)] as const)
        : [];
    }),
);
const manifests = globSync('packages/*/package.json', { cwd: root }).map(
  (file) =>
    JSON.parse(readFileSync(join(root, file), 'utf8')) as { name: string; dependencies?: Record<string, string> },
);

test('every package has a layer', () => {
  expect([...layers.keys()].toSorted()).toEqual(manifests.map(({ name }) => name.slice(scope.length)).toSorted());
});

test('packages depend only on lower layers', () => {
  const layerOf = (name: string) => layers.get(name.slice(scope.length)) ?? 0;
  const wrong = manifests.flatMap(({ name, dependencies = {} }) =>
    Object.keys(dependencies)
      .filter((other) => other.startsWith(scope) && layerOf(other) >= layerOf(name))
      .map((other) => `${name} → ${other}`),
  );
  expect(wrong).toEqual([]);
});

test('the command line and the console use servers only through their APIs', () => {
  const allowed = new Set([
    'packages/cli/src/commands/config/serve.ts → config-manager',
    'packages/cli/src/commands/registry/serve.ts → registry',
  ]);
  const server = /'@nova-platform\/(config-manager|engine|registry|universe)(?:\/[^']*)?'/g;
  const imports = globSync('packages/{cli,console}/{,src/**/}*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.tsx?$|\/testing(\/|\.ts$)/.test(file))
    .flatMap((file) =>
      Array.from(readFileSync(join(root, file), 'utf8').matchAll(server), ([, name]) => `${file} → ${name}`),
    );
  expect(new Set(imports)).toEqual(allowed);
});

test('packages import each other by name; only tests may import internal files', () => {
  const wrong = globSync('packages/*/{src,testing}/**/*.{ts,tsx}', { cwd: root }).flatMap((file) => {
    if (/\.test\.tsx?$/.test(file)) return [];
    const own = file.split('/').slice(0, 2).join('/');
    const imports = readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g);
    return Array.from(imports, ([, path = '']) => relative(root, resolve(root, dirname(file), path)))
      .filter((path) => path.startsWith('packages/') && !path.startsWith(`${own}/`))
      .map((path) => `${file} → ${path}`);
  });
  expect(wrong).toEqual([]);
});

test('only packages/infra and the declaration of providers compare a provider with `local`', () => {
  // There is also a user with this name.
  const comparison = /(?<!\buser !?)[!=]==?\s*'local'|'local'\s*[!=]==?(?! user\b)/;
  const wrong = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) =>
      !/\.test\.tsx?$|^packages\/infra\/|^packages\/api\/src\/infrastructure-provider\.ts$/.test(file) &&
      comparison.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(wrong).toEqual([]);
});
