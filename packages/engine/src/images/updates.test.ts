import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@nova-platform/process';
import { beforeEach, describe, expect, test } from 'vitest';
import { downloadLists, newerPackages, sourceLine, updatesIn } from './apt.ts';
import { updatesOf } from './check.ts';
import { digestOf, recipeOf } from './recipes.ts';
import { availableSources, type Source, sourcesIn } from './sources.ts';
import { outdatedLayers } from './update.ts';

const update = (name: string) => ({ name, installed: '1', available: '2', isSecurity: true });

test("sources are the release, its updates and its security updates, from the mirrors of the host's apt", () => {
  const deb822 = 'Types: deb\nURIs: http://mirror.example/debian/\nSuites: bookworm bookworm-updates\n';
  const own = 'deb [signed-by=/a.gpg] https://mirror.example/pub/debian-security bookworm-security main\n';
  const suites = (text: string) => sourcesIn(text, 'trixie').map(({ uri, suite }) => `${uri} ${suite}`);
  expect(suites(deb822 + own)).toEqual([
    'http://mirror.example/debian trixie',
    'http://mirror.example/debian trixie-updates',
    'https://mirror.example/pub/debian-security trixie-security',
  ]);
  expect(suites(deb822)[2]).toBe('http://mirror.example/debian-security trixie-security');
  expect(suites('deb http://mirror.example/ubuntu noble main')).toEqual([]);
});

test('a new generation of a layer changes its digest and those of all images on top', () => {
  const [base, node] = [recipeOf('base'), recipeOf('node')];
  if (!base || !node) throw new Error('no recipe');
  expect(digestOf(node, {})).toBe(digestOf(node));
  expect(digestOf(node, { base: '2026-01-01' })).not.toBe(digestOf(node));
  expect(digestOf(node, { node: '2026-01-01' })).not.toBe(digestOf(node, { node: '2026-01-02' }));
  expect(digestOf(base, { node: '2026-01-01' })).toBe(digestOf(base));
});

test('the lowest layer with an outdated package is rebuilt', () => {
  const images = [
    { name: 'base', layers: ['/images/base-1'] },
    { name: 'node', layers: ['/images/node-1', '/images/base-1'] },
    { name: 'kubernetes-node', layers: ['/images/kubernetes-node-1', '/images/node-1', '/images/base-1'] },
  ];
  const outdated = (layers: Record<string, ReturnType<typeof update>[]>) => outdatedLayers(images, { layers });
  expect(outdated({ 'base-1': [], 'node-1': [] })).toEqual([]);
  expect(outdated({ 'base-1': [update('libc6')], 'node-1': [update('libc6')] })).toEqual(['base']);
  expect(outdated({ 'base-1': [], 'node-1': [update('curl')] })).toEqual(['node']);
  expect(outdated({ 'base-1': [update('libc6')], 'node-1': [update('curl'), update('libc6')] })).toEqual([
    'base',
    'node',
  ]);
});

describe.skipIf(!existsSync('/usr/lib/apt/apt-helper'))('with apt', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nova-updates-'));
    return () => rmSync(folder, { recursive: true });
  });

  /** A repository on disk without the packages themselves: apt only compares versions. */
  async function repository(suite: string, label: string, packages: Record<string, string>): Promise<Source> {
    const architecture = (await run('dpkg', ['--print-architecture'])).trim();
    const path = `main/binary-${architecture}/Packages`;
    const text = Object.entries(packages)
      .map(([name, version]) => paragraph(name, version, architecture, `Filename: ${name}.deb\nSize: 1\n`))
      .join('\n');
    const top = join(folder, 'debian', 'dists', suite);
    mkdirSync(join(top, 'main', `binary-${architecture}`), { recursive: true });
    writeFileSync(join(top, path), text);
    const hash = createHash('sha256').update(text).digest('hex');
    writeFileSync(
      join(top, 'Release'),
      `Origin: Debian\nLabel: ${label}\nSuite: ${suite}\nVersion: 13\nCodename: ${suite}\nArchitectures: ${architecture}\n` +
        `Components: main\nDate: Sun, 01 Nov 2026 00:00:00 UTC\nSHA256:\n ${hash} ${text.length} ${path}\n`,
    );
    return { uri: `file:${join(folder, 'debian')}`, suite, options: 'trusted=yes' };
  }

  function paragraph(name: string, version: string, architecture: string, more: string): string {
    return `Package: ${name}\nVersion: ${version}\nArchitecture: ${architecture}\nMaintainer: nobody\nDescription: test\n${more}`;
  }

  async function layer(packages: Record<string, string>): Promise<string> {
    const architecture = (await run('dpkg', ['--print-architecture'])).trim();
    const top = join(folder, 'node-0000000000000000');
    mkdirSync(join(top, 'var/lib/dpkg'), { recursive: true });
    const installed = Object.entries(packages).map(([name, version]) =>
      paragraph(name, version, architecture, 'Status: install ok installed\n'),
    );
    writeFileSync(join(top, 'var/lib/dpkg/status'), installed.join('\n'));
    return top;
  }

  test("a layer lacks packages that are newer in Debian's version order, and security updates are marked", async () => {
    const sources = [
      await repository('trixie', 'Debian', {
        grown: '1.10-1',
        final: '2.0',
        epoch: '1:1.0',
        same: '1.0',
        older: '0.9',
      }),
      await repository('trixie-security', 'Debian-Security', { hurt: '1.0-1+deb13u1' }),
    ];
    const apt = join(folder, 'apt');
    await downloadLists(apt, sources);
    const top = await layer({
      grown: '1.9-1',
      final: '2.0~rc1',
      epoch: '9.0',
      same: '1.0',
      older: '1.0',
      hurt: '1.0-1',
      unknown: '1.0',
    });
    const packages = await newerPackages(apt, join(top, 'var/lib/dpkg/status'));
    expect(packages.map(({ name, isSecurity }) => [name, isSecurity])).toEqual([
      ['epoch', false],
      ['final', false],
      ['grown', false],
      ['hurt', true],
    ]);
    expect(packages.at(-1)).toMatchObject({ installed: '1.0-1', available: '1.0-1+deb13u1' });
    // A layer without packages of its own uses those of the layer below.
    const check = { checkedAt: '2026-11-01T00:00:00Z', missing: [], layers: { 'node-0000000000000000': packages } };
    const layers = [join(folder, 'kubernetes-node-0000000000000000'), top];
    expect(updatesOf(layers, check)?.packages).toEqual(packages);
    // A layer that is newer than the check is unknown, not up to date.
    expect(updatesOf(layers, { ...check, layers: {} })).toBeUndefined();
    expect(updatesOf(layers, undefined)).toBeUndefined();
  });

  test("the state of the host's apt is not changed, and its hooks do not run", async () => {
    const apt = join(folder, 'apt');
    await downloadLists(apt, [await repository('trixie', 'Debian', {})]);
    const settings = await run('apt-config', ['dump'], { env: { APT_CONFIG: join(apt, 'apt.conf') } });
    expect(settings).not.toContain('Invoke');
    const paths = await run(
      'apt-config',
      [
        'shell',
        ...['State/d', 'State::lists/d', 'Cache/d', 'Cache::archives/d', 'Etc::sourcelist/f'].flatMap((key) => [
          key.replaceAll(/\W/g, '_'),
          `Dir::${key}`,
        ]),
      ],
      { env: { APT_CONFIG: join(apt, 'apt.conf') } },
    );
    for (const line of paths.trim().split('\n')) expect(line).toContain(`='${apt}`);
  });

  test('a missing suite is named, and a missing release is an error', async () => {
    const main = await repository('trixie', 'Debian', {});
    writeFileSync(join(folder, 'debian/dists/trixie/InRelease'), '');
    const security = { ...main, suite: 'trixie-security' };
    expect(await availableSources(main, [security])).toEqual({ present: [main], missing: ['trixie-security'] });
    await expect(availableSources(security, [main])).rejects.toMatchObject({ problems: [{ code: 'NOVA7080' }] });
  });
});

test("a source is verified with Debian's key and never marked as trusted", () => {
  expect(sourceLine({ uri: 'http://mirror.example/debian', suite: 'trixie' })).not.toContain('trusted');
});

test('newly added packages are not updates', () => {
  expect(
    updatesIn('Inst libnew (1.0 Debian:13.7/stable [amd64])\nConf libnew (1.0 Debian:13.7/stable [amd64])\n'),
  ).toEqual([]);
});
