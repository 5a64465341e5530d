import { buildCommand } from '@stricli/core';
import type { Context } from '../../context.ts';
import { group, simpleCommand } from '../../group.ts';
import type { Translate } from '../../language.ts';
import { outputFlag, yesFlag } from '../../parameters.ts';
import type { ChangeFlags } from './change.ts';

const clusterText = { en: 'cluster', ru: 'кластер' };

export const module = (t: Translate) =>
  group(
    t,
    {
      en: 'Modules of a cluster: what the platform delivers to it',
      ru: 'Модули кластера: что в него доставляет платформа',
    },
    {
      list: simpleCommand<[string]>(
        t,
        { en: 'List modules, how each is and what it waits for', ru: 'Перечислить модули: состояние и чего ждут' },
        [clusterText],
        async () => (await import('./list.ts')).list,
        {
          en: 'Base modules are part of every cluster, additional ones are enabled by name. What a module is and what can be set:\nnova-ctl explain NAME. Flux repairs what others change, every ten minutes.',
          ru: 'Базовые модули есть в каждом кластере, дополнительные включаются по имени. Что это за модуль и что можно задать:\nnova-ctl explain ИМЯ. Изменённое другими Flux исправляет каждые десять минут.',
        },
      ),
      enable: change(t, true),
      disable: change(t, false),
    },
  );

const change = (t: Translate, isOn: boolean) =>
  buildCommand<ChangeFlags, string[], Context>({
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
          brief: t({ en: 'The cluster, then modules', ru: 'Кластер, затем модули' }),
        },
      },
    },
    docs: isOn
      ? {
          brief: t({ en: 'Enable modules', ru: 'Включить модули' }),
          fullDescription: t({
            en: `Enable modules of a cluster: shows what would change, asks, and does exactly that. What a module needs must be
enabled as well. The declaration of the cluster changes with it: nova-ctl plan and apply know.

  nova-ctl module enable demo metrics-server
  nova-ctl module enable demo metrics-server --yes`,
            ru: `Включить модули кластера: показывает изменения, спрашивает и делает ровно это. Нужные модулю модули тоже должны
быть включены. Вместе с этим меняется описание кластера: plan и apply это учитывают.

  nova-ctl module enable demo metrics-server
  nova-ctl module enable demo metrics-server --yes`,
          }),
        }
      : {
          brief: t({ en: 'Disable modules and remove what they made', ru: 'Выключить модули и удалить созданное ими' }),
          fullDescription: t({
            en: `Disable additional modules of a cluster: shows what would change, asks, and removes everything that they made, and
nothing else. Base modules are part of every cluster.

  nova-ctl module disable demo metrics-server`,
            ru: `Выключить дополнительные модули кластера: показывает изменения, спрашивает и удаляет всё, что они создали, и ничего
кроме этого. Базовые модули есть в каждом кластере.

  nova-ctl module disable demo metrics-server`,
          }),
        },
  });
