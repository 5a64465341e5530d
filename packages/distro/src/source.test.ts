import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { goCaches, removeTree } from './cache.ts';
import { readComponents } from './component.ts';
import { runGo } from './go.ts';
import { sourceFolder } from './source.ts';
import { findToolchain } from './toolchain.ts';

function write(folder: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** A module proxy in a folder, with one module. */
function proxyWith(folder: string, module: string, version: string, files: Record<string, string>): void {
  const source = join(folder, 'source');
  const versions = join(folder, 'proxy', module, '@v');
  const goMod = `module ${module}\n\ngo 1.26\n`;
  write(source, { ...files, 'go.mod': goMod });
  write(versions, { list: `${version}\n`, [`${version}.mod`]: goMod, [`${version}.info`]: `{"Version":"${version}"}` });
  const git = (...args: string[]) => execFileSync('git', ['-C', source, ...args], { stdio: 'pipe' });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=test', '-c', 'user.email=test@example.org', 'commit', '--quiet', '-m', 'module');
  const archive = ['--format=zip', `--prefix=${module}@${version}/`, '-o', join(versions, `${version}.zip`), 'HEAD'];
  git('archive', ...archive);
}

test('stubs take the place of packages of a module, and the rest of the module is built as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nova-stubs-'));
  onTestFinished(() => removeTree(folder));
  proxyWith(folder, 'example.org/far', 'v1.0.0', {
    'light/light.go':
      'package light\n\nimport "example.org/far/heavy"\n\nfunc Text() string { return "light " + heavy.Text() }\n',
    'heavy/heavy.go': 'package heavy\n\nfunc Text() string { return one() }\n',
    'heavy/one.go': 'package heavy\n\nfunc one() string { return "heavy" }\n',
  });
  const own = join(folder, 'component');
  write(own, {
    'go.mod': 'module own\n\ngo 1.26\n\nrequire example.org/far v1.0.0\n',
    'main.go': 'package main\n\nimport "example.org/far/light"\n\nfunc main() { print(light.Text()) }\n',
    'stubs/example.org/far/heavy/heavy.go': 'package heavy\n\nfunc Text() string { return "stub" }\n',
  });
  vi.stubEnv('GOPROXY', `file://${join(folder, 'proxy')}`);
  vi.stubEnv('GONOSUMDB', 'example.org');
  onTestFinished(() => void vi.unstubAllEnvs());
  const [any] = await readComponents();
  if (!any) throw new Error('no component');
  const component = { ...any, name: 'own', folder: own, stubs: ['example.org/far'] };
  const cache = join(folder, 'cache');
  const setup = { toolchain: await findToolchain(cache, () => undefined), caches: goCaches(cache) };
  await runGo(setup, own, ['list', '-mod=mod', '-deps', '.']);

  const [source, same] = await Promise.all([sourceFolder(component, setup), sourceFolder(component, setup)]);
  expect(same).toBe(source);
  const filesOf = (place: string) =>
    runGo(setup, place, ['list', '-f', '{{.Dir}} {{.GoFiles}}', 'example.org/far/...']);
  const modified = join(source, 'modified/example.org/far');
  expect(await filesOf(source)).toBe(`${modified}/heavy [heavy.go]\n${modified}/light [light.go]\n`);
  expect(readFileSync(join(modified, 'heavy/heavy.go'), 'utf8')).toContain('"stub"');
  expect(await filesOf(own)).toContain('/heavy [heavy.go one.go]\n');
  // A relative path: programs do not depend on the place of the build.
  expect(readFileSync(join(source, 'go.mod'), 'utf8')).toContain(
    'replace example.org/far => ./modified/example.org/far\n',
  );
}, 120_000);
