import { z } from 'zod';
import { field } from './field.ts';
import { string } from './formats.ts';
import { dnsMode, type Infrastructure, type Role } from './infrastructure.ts';
import type { Text } from './text.ts';

export interface Module {
  name: string;
  /** Base modules are part of every cluster; additional ones are enabled by name. */
  category: 'base' | 'additional';
  description: Text;
  /** Modules that must be ready before this one. */
  needs: readonly string[];
  /** Roles some node of the cluster must have. */
  roles: readonly Role[];
  settings: z.ZodObject;
}

/** Every module the platform can deliver, each after what it needs. */
export const modules: readonly Module[] = [
  {
    name: 'local-path',
    category: 'base',
    description: {
      en: 'Volumes on the disks of the nodes (Local Path provisioner).',
      ru: 'Тома на дисках узлов (Local Path provisioner).',
    },
    needs: [],
    roles: [],
    settings: z.strictObject({
      path: field(
        string('path').default('/var/lib/nova/volumes'),
        'Folder on the nodes that holds the volumes.',
        'Каталог на узлах, в котором лежат тома.',
      ),
      defaultClass: field(
        z.boolean().default(true),
        'Whether its storage class is the default one of the cluster.',
        'Является ли его класс хранения классом по умолчанию в кластере.',
      ),
    }),
  },
  {
    name: 'ingress',
    category: 'base',
    description: {
      en: 'Ingress controllers: one set on infra nodes for the platform, one on ingress nodes for applications.',
      ru: 'Контроллеры Ingress: один набор на узлах infra для платформы, другой на узлах ingress для приложений.',
    },
    needs: [],
    roles: ['infra'],
    settings: z.strictObject({}),
  },
  {
    name: 'nova-dns',
    category: 'base',
    description: {
      en: 'Serves the base domain from the infra nodes. Not installed when the base domain is forwarded to your own DNS servers.',
      ru: 'Обслуживает базовый домен на узлах infra. Не устанавливается, если базовый домен перенаправлен на ваши серверы DNS.',
    },
    // The ingress controllers publish its port on the infra nodes.
    needs: ['ingress'],
    roles: ['infra'],
    settings: z.strictObject({}),
  },
  {
    name: 'metrics-server',
    category: 'additional',
    description: {
      en: 'CPU and memory of nodes and pods for `kubectl top` and autoscaling.',
      ru: 'Загрузка процессора и памяти узлов и подов для `kubectl top` и автомасштабирования.',
    },
    needs: [],
    roles: [],
    settings: z.strictObject({
      resolutionSeconds: field(
        z.int().min(10).max(300).default(15),
        'How often it reads the nodes, in seconds.',
        'Как часто опрашиваются узлы, в секундах.',
      ),
    }),
  },
];

/** The modules a cluster gets, each after what it needs, with their settings as declared. */
export function modulesOf(document: Infrastructure): { module: Module; settings: Record<string, unknown> }[] {
  const { delivery, modules: listed } = document.spec.clusterConfiguration;
  if (delivery === 'none') return [];
  const declared = new Map(listed.map((each) => [each.name, each]));
  return modules
    .filter(({ name, category }) => {
      if (name === 'nova-dns') return dnsMode(document) === 'internal';
      return category === 'base' || declared.get(name)?.enabled === true;
    })
    .map((module) => ({ module, settings: declared.get(module.name)?.settings ?? {} }));
}
