import { buildCommand } from '../../build-command.ts';
import { group, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag, yesFlag } from '../../parameters.ts';
import type { ChangeFlags } from './change.ts';

const clusterText = { en: 'cluster', ru: 'кластер' };

export const module = (t: Translate) =>
  group(
    t,
    { en: 'List, enable and disable the modules of a cluster', ru: 'Показать, включить и выключить модули кластера' },
    {
      list: simpleCommand<[string]>(
        t,
        { en: 'List modules with their state', ru: 'Показать модули и их состояние' },
        [clusterText],
        async () => (await import('./list.ts')).list,
        {
          description: {
            en: `Base modules are part of every cluster, additional modules are enabled by name. \`nova-ctl explain NAME\`
describes a module and its settings. Every ten minutes, Flux reverts manual changes.`,
            ru: `Базовые модули есть в каждом кластере, дополнительные включаются по имени. \`nova-ctl explain ИМЯ\` описывает
модуль и его настройки. Каждые десять минут Flux откатывает ручные изменения.`,
          },
          examples: [['demo', { en: 'modules of the cluster demo', ru: 'модули кластера demo' }]],
        },
      ),
      enable: change(t, true),
      disable: change(t, false),
    },
  );

const clusterAndModules = (t: Translate) =>
  [
    [t(clusterText), t({ en: 'Name of the cluster', ru: 'Имя кластера' })],
    [t({ en: 'module...', ru: 'модуль...' }), t({ en: 'Names of modules', ru: 'Имена модулей' })],
  ] as const;

const change = (t: Translate, isOn: boolean) =>
  buildCommand<ChangeFlags, string[]>({
    loader: async () => {
      const { enable, disable } = await import('./change.ts');
      return isOn ? enable : disable;
    },
    parameters: {
      flags: { yes: yesFlag(t), output: outputFlag(t) },
      aliases: { y: 'yes', o: 'output' },
      positional: {
        kind: 'array',
        minimum: 2,
        parameter: {
          parse: String,
          placeholder: t({ en: 'cluster, module', ru: 'кластер, модуль' }),
          brief: t({ en: 'Cluster, then modules', ru: 'Кластер, затем модули' }),
        },
      },
    },
    docs: isOn
      ? {
          arguments: clusterAndModules(t),
          brief: t({ en: 'Enable modules', ru: 'Включить модули' }),
          fullDescription: t({
            en: `Shows the changes, asks for confirmation and applies exactly these changes. The modules that a module needs must
be enabled too. The stored manifest of the cluster changes as well.`,
            ru: `Показывает изменения, запрашивает подтверждение и применяет ровно эти изменения. Модули, нужные включаемому,
тоже должны быть включены. Сохранённый манифест кластера тоже меняется.`,
          }),
          customUsage: [
            {
              input: 'demo metrics-server',
              brief: t({ en: 'show the changes, then ask', ru: 'показать изменения и спросить' }),
            },
            { input: 'demo metrics-server --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
          ],
        }
      : {
          arguments: clusterAndModules(t),
          brief: t({ en: 'Disable modules and delete their objects', ru: 'Выключить модули и удалить их объекты' }),
          fullDescription: t({
            en: `Shows the changes, asks for confirmation and deletes the objects of these modules, and nothing else. Base
modules cannot be disabled. The stored manifest of the cluster changes as well.`,
            ru: `Показывает изменения, запрашивает подтверждение и удаляет объекты этих модулей, и ничего больше. Базовые модули
выключить нельзя. Сохранённый манифест кластера тоже меняется.`,
          }),
          customUsage: [
            {
              input: 'demo metrics-server',
              brief: t({ en: 'show the changes, then ask', ru: 'показать изменения и спросить' }),
            },
          ],
        },
  });
