import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test('npm install runs no install scripts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nova-npm-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const mark = join(folder, 'ran');
  mkdirSync(join(folder, 'dependency'));
  const dependency = { name: 'dependency', version: '1.0.0', scripts: { postinstall: `touch ${mark}` } };
  writeFileSync(join(folder, 'dependency/package.json'), JSON.stringify(dependency));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { dependency: 'file:dependency' } }));
  // npm passes its own settings to its child processes, such as these tests.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name)));
  const options = ['--offline', '--install-links', '--no-audit', '--no-fund'];
  const install = () => execFileSync('npm', ['install', ...options], { cwd: folder, env, stdio: 'ignore' });

  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'));
  install();
  expect(existsSync(mark)).toBe(false);

  // Without .npmrc, npm runs the script: the setting is what prevents it.
  for (const name of ['.npmrc', 'node_modules', 'package-lock.json']) rmSync(join(folder, name), { recursive: true });
  install();
  expect(existsSync(mark)).toBe(true);
}, 60_000);

/** Its script only prints a warning about version numbers, and does not run here. */
const harmless = 'node_modules/protobufjs';

test('no package in the lock file needs an install script', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>;
  };
  expect(Object.keys(packages).filter((name) => packages[name]?.hasInstallScript)).toEqual([harmless]);
});
