import { machineKinds, usableProviders } from '@nova-platform/api';
import { buildCommand } from '../../build-command.ts';
import type { Translate } from '../../language.ts';
import { offlineFlag, outputFlag } from '../../parameters.ts';
import type { InitFlags } from './run.ts';

export const init = (t: Translate) =>
  buildCommand<InitFlags, []>({
    loader: async () => (await import('./run.ts')).run,
    parameters: {
      flags: {
        file: {
          kind: 'parsed',
          parse: String,
          default: 'cluster.yaml',
          placeholder: t({ en: 'path', ru: 'путь' }),
          brief: t({
            en: 'File to write, or - for standard output',
            ru: 'Какой файл записать или - для стандартного вывода',
          }),
        },
        template: {
          kind: 'enum',
          values: ['single', 'ha'],
          optional: true,
          brief: t({
            en: 'One node for everything, or a highly available cluster',
            ru: 'Один узел для всего или отказоустойчивый кластер',
          }),
        },
        provider: {
          kind: 'enum',
          values: usableProviders,
          optional: true,
          brief: t({ en: 'The provider of machines', ru: 'Провайдер машин' }),
        },
        machineKind: {
          kind: 'enum',
          values: machineKinds,
          optional: true,
          brief: t({
            en: 'The kind of machines; by default VMs if the host has KVM, else containers',
            ru: 'Вид машин; по умолчанию ВМ, если на хосте есть KVM, иначе контейнеры',
          }),
        },
        domain: {
          kind: 'parsed',
          parse: String,
          optional: true,
          placeholder: t({ en: 'name', ru: 'имя' }),
          brief: t({
            en: 'Base domain; its first part is the name of the cluster',
            ru: 'Базовый домен; его первая часть — имя кластера',
          }),
        },
        yes: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({
            en: 'Use the defaults, ask no questions',
            ru: 'Взять значения по умолчанию, ничего не спрашивать',
          }),
        },
        force: {
          kind: 'boolean',
          optional: true,
          withNegated: false,
          brief: t({ en: 'Overwrite the file if it exists', ru: 'Перезаписать файл, если он есть' }),
        },
        offline: offlineFlag(t),
        output: outputFlag(t),
      },
      aliases: { f: 'file', y: 'yes', o: 'output' },
    },
    docs: {
      brief: t({ en: 'Write a commented manifest', ru: 'Создать манифест с пояснениями' }),
      fullDescription: t({
        en: `Asks for the size and the name of the cluster and writes a valid manifest that explains each field. When logged
in to Universe, proposes a name and a network that no other cluster uses.`,
        ru: `Спрашивает размер и имя кластера и создаёт готовый манифест с пояснением к каждому полю. Если выполнен вход в
Universe, предлагает имя и сеть, которых нет у других кластеров.`,
      }),
      customUsage: [
        {
          input: '--file prod.yaml',
          brief: t({ en: 'ask, then write prod.yaml', ru: 'задать вопросы и создать prod.yaml' }),
        },
        { input: '--template single --yes', brief: t({ en: 'for scripts', ru: 'для скриптов' }) },
        {
          input: '--machine-kind vm',
          brief: t({ en: 'nodes are virtual machines', ru: 'узлы — виртуальные машины' }),
        },
        {
          input: '--template ha --domain prod.mycompany.local',
          brief: t({ en: 'answer some questions beforehand', ru: 'ответить на часть вопросов заранее' }),
        },
      ],
    },
  });
