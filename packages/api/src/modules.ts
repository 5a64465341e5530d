import type { z } from 'zod';
import { dnsMode, type Infrastructure } from './infrastructure.ts';
import type { conditions, ModuleDeclaration } from './module-declaration.ts';
import { settingsSchema } from './module-settings.ts';
import { moduleTable } from './module-table.ts';

export interface Module extends Omit<ModuleDeclaration, 'settings'> {
  settings: z.ZodObject;
}

export function moduleOf(declared: ModuleDeclaration): Module {
  return { ...declared, settings: settingsSchema(declared.settings) };
}

/** All modules of the platform, each after its dependencies. */
export const modules: readonly Module[] = moduleTable.map(moduleOf);

/** The namespace of Flux and of the objects that control it. */
export const gitopsNamespace = 'nova-gitops';

/** All namespaces of the platform. */
export const systemNamespaces: readonly string[] = [
  ...new Set(['kube-system', gitopsNamespace, ...modules.map(({ namespace }) => namespace)]),
].toSorted();

const isMet: Record<(typeof conditions)[number], (document: Infrastructure) => boolean> = {
  internalDns: (document) => dnsMode(document) === 'internal',
};

/** The modules of a cluster, each after its dependencies, with their declared settings. */
export function modulesOf(document: Infrastructure): { module: Module; settings: Record<string, unknown> }[] {
  const { delivery, modules: listed } = document.spec.clusterConfiguration;
  if (delivery === 'none') return [];
  const declared = new Map(listed.map((each) => [each.name, each]));
  return modules
    .filter(
      ({ name, category, onlyIf }) =>
        (category === 'base' || declared.get(name)?.enabled === true) && (!onlyIf || isMet[onlyIf](document)),
    )
    .map((module) => ({ module, settings: declared.get(module.name)?.settings ?? {} }));
}
