import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  formats,
  formatted,
  type ModuleDeclaration,
  type Problem,
  problem,
  readModule,
  type Text,
} from '@nova-platform/api';
import { parse } from 'yaml';
import { cyclesOf } from './graph.ts';
import { moduleFile } from './release.ts';

interface DeclaredModules {
  /** Each module after its dependencies. */
  modules: ModuleDeclaration[];
  problems: Problem[];
}

/**
 * The modules that a release folder declares, one folder each, and all problems of their declarations. `components` are
 * those whose images modules can run; `only` are the modules to read.
 */
export async function readModules(
  folder: string,
  components: readonly string[],
  only?: readonly string[],
): Promise<DeclaredModules> {
  const names = (await readdir(join(folder, 'modules'))).filter((name) => only?.includes(name) ?? true).toSorted();
  const read = await Promise.all(names.map((name) => readFolder(folder, name)));
  const modules = read.flatMap(({ declared }) => declared ?? []);
  return {
    modules: inOrder(modules),
    problems: [
      ...read.flatMap(({ problems }) => problems),
      ...modules.flatMap((module) =>
        wrongWith(module, modules, names, components).map((reason) => refusal(module.name, reason)),
      ),
      ...cyclesOf(modules).map((circle) => {
        const shown = [...circle, circle[0]].join(' → ');
        const reason = {
          en: `modules depend on each other in a cycle: ${shown}`,
          ru: `циклическая зависимость модулей: ${shown}`,
        };
        return refusal(circle[0] ?? '', reason);
      }),
    ],
  };
}

function refusal(module: string, reason: Text): Problem {
  return problem('NOVA8406', { file: moduleFile(module), reason });
}

async function readFolder(folder: string, name: string): Promise<ReturnType<typeof readModule>> {
  const textOf = (path: string) => readFile(join(folder, path), 'utf8').catch(() => undefined);
  const text = await textOf(moduleFile(name));
  if (text === undefined) return { problems: [refusal(name, { en: 'it is missing', ru: 'файла нет' })] };
  const { declared, problems } = readModule(name, { name: moduleFile(name), text });
  const built = parse((await textOf(`modules/${name}/kustomization.yaml`)) ?? '') as { namespace?: string } | null;
  if (declared && built?.namespace !== declared.namespace) {
    const reason = {
      en: `the namespace is ${declared.namespace}, but ${built?.namespace ?? 'none'} in kustomization.yaml`,
      ru: `указано пространство имён ${declared.namespace}, а в kustomization.yaml — ${built?.namespace ?? 'никакого'}`,
    };
    problems.push(refusal(name, reason));
  }
  return { ...(declared && { declared }), problems };
}

/** Problems that show only when all modules are compared. */
function wrongWith(
  { name, category, namespace, needs, components, files }: ModuleDeclaration,
  modules: readonly ModuleDeclaration[],
  names: readonly string[],
  known: readonly string[],
): Text[] {
  const { expected } = formats.label;
  const additional = modules.filter((module) => module.category === 'additional').map((module) => module.name);
  return [
    ...(formatted('label').safeParse(name).success
      ? []
      : [{ en: `the folder name is not ${expected.en}`, ru: `имя каталога — не ${expected.ru}` }]),
    // Operators and teams have no access to such namespaces.
    ...(/^nova-|^kube-system$/.test(namespace)
      ? []
      : [
          {
            en: `the namespace ${namespace} does not begin with nova-`,
            ru: `имя пространства имён ${namespace} не начинается с nova-`,
          },
        ]),
    ...needs
      .filter((need) => !names.includes(need))
      .map((need) => ({
        en: `it needs the module ${need}, which does not exist`,
        ru: `нужен модуль ${need}, которого нет`,
      })),
    ...needs
      .filter((need) => category === 'base' && additional.includes(need))
      .map((need) => ({
        en: `a base module cannot need ${need}, which is additional`,
        ru: `базовому модулю не может быть нужен дополнительный модуль ${need}`,
      })),
    ...components
      .filter((component) => !known.includes(component))
      .map((component) => ({ en: `there is no component ${component}`, ru: `нет компонента ${component}` })),
    ...files
      .filter(({ component }) => !components.includes(component))
      .map(({ component }) => ({
        en: `files come from ${component}, which is not one of its components`,
        ru: `файлы берутся из ${component}, которого нет среди его компонентов`,
      })),
  ];
}

/** Base modules first, then those that require less, then by name; each after its dependencies. */
function inOrder(modules: readonly ModuleDeclaration[]): ModuleDeclaration[] {
  const requirements = ({ needs, roles }: ModuleDeclaration) => needs.length + roles.length;
  const wanted = modules.toSorted(
    (one, other) =>
      Number(other.category === 'base') - Number(one.category === 'base') ||
      requirements(one) - requirements(other) ||
      (one.name < other.name ? -1 : 1),
  );
  const placed = new Set<ModuleDeclaration>();
  const place = (module: ModuleDeclaration, way: readonly ModuleDeclaration[]) => {
    // A cycle has no order and is reported as a problem.
    if (placed.has(module) || way.includes(module)) return;
    for (const each of wanted) if (module.needs.includes(each.name)) place(each, [...way, module]);
    placed.add(module);
  };
  for (const module of wanted) place(module, []);
  return [...placed];
}
