import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modules } from '@nova-platform/api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { moduleTable } from '../../api/src/module-table.ts';
import { readModules } from './module-folders.ts';

const components = ['vault', ...modules.flatMap((module) => module.components)];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nova-modules-'));
  await cp(join(import.meta.dirname, '../../../release'), folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

async function declare(name: string, declared: object, namespace = 'nova-vault'): Promise<void> {
  const place = join(folder, 'modules', name);
  const complete = {
    category: 'additional',
    description: { en: 'About.', ru: 'О чём.' },
    namespace,
    components: ['vault'],
    ...declared,
  };
  await mkdir(place);
  await writeFile(join(place, 'module.yaml'), JSON.stringify(complete));
  await writeFile(join(place, 'kustomization.yaml'), JSON.stringify({ namespace }));
}

async function reasons(): Promise<string[]> {
  const { problems } = await readModules(folder, components);
  return problems.map(({ params }) => `${params.file as string}: ${(params.reason as { en: string }).en}`);
}

test('the table of modules matches the folders', async () => {
  const { modules: declared, problems } = await readModules(folder, components);
  expect(problems).toEqual([]);
  expect(declared).toEqual(moduleTable);
});

test('modules come after their dependencies, base modules first', async () => {
  await rm(join(folder, 'modules'), { recursive: true });
  await mkdir(join(folder, 'modules'));
  await declare('audit', { needs: ['vault'] });
  await declare('vault', { needs: ['store'], roles: ['infra'] });
  await declare('store', { needs: ['volumes', 'names'] });
  await declare('names', { category: 'base', needs: ['volumes'] });
  await declare('edge', { category: 'base', roles: ['ingress'] });
  await declare('volumes', { category: 'base' });
  const { modules: declared } = await readModules(folder, components);
  expect(declared.map(({ name }) => name)).toEqual(['volumes', 'edge', 'names', 'store', 'vault', 'audit']);
});

test('all problems of the declarations are reported at once', async () => {
  await declare('one', { needs: ['two'], components: ['nothing'] });
  await declare('two', { needs: ['one', 'absent'], namespace: 'nova-other' });
  await declare('three', { category: 'base', needs: ['metrics-server'] }, 'team-a');
  await declare('four_', { files: [{ component: 'traefik', from: 'crds', to: 'crds' }] });
  await mkdir(join(folder, 'modules/five'));
  expect((await reasons()).toSorted()).toEqual([
    'modules/five/module.yaml: it is missing',
    'modules/four_/module.yaml: files come from traefik, which is not one of its components',
    expect.stringContaining('modules/four_/module.yaml: the folder name is not a DNS label'),
    'modules/one/module.yaml: modules depend on each other in a cycle: one → two → one',
    'modules/one/module.yaml: there is no component nothing',
    'modules/three/module.yaml: a base module cannot need metrics-server, which is additional',
    'modules/three/module.yaml: the namespace team-a does not begin with nova-',
    'modules/two/module.yaml: it needs the module absent, which does not exist',
    'modules/two/module.yaml: the namespace is nova-other, but nova-vault in kustomization.yaml',
  ]);
});
