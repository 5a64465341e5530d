import { area } from './area.ts';

export const delivery = area(
  'delivery',
  { en: 'Releases and modules', ru: 'Выпуски и модули' },
  {
    NOVA8401: {
      message: {
        en: 'The module {module} depends on {need}, which is not enabled in this cluster.',
        ru: 'Модуль {module} зависит от {need}, который не включён в этом кластере.',
      },
      remedy: {
        en: 'Enable {need} as well, or disable {module}.',
        ru: 'Включите также {need} или выключите {module}.',
      },
    },
    NOVA8402: {
      message: {
        en: 'Modules depend on each other in a cycle: {circle}.',
        ru: 'Модули циклически зависят друг от друга: {circle}.',
      },
      remedy: {
        en: 'This is a defect of the release. Use another release: `nova-ctl release list`.',
        ru: 'Это дефект выпуска. Используйте другой выпуск: `nova-ctl release list`.',
      },
    },
    NOVA8403: {
      message: { en: 'The release {release} has no module {module}.', ru: 'В выпуске {release} нет модуля {module}.' },
      remedy: {
        en: 'List its modules: `nova-ctl release show {release}`. Disable the module, or use another release.',
        ru: 'Список его модулей: `nova-ctl release show {release}`. Выключите модуль или используйте другой выпуск.',
      },
    },
    NOVA8404: {
      message: { en: 'There is no release {release}.', ru: 'Выпуска {release} нет.' },
      remedy: {
        en: 'Releases: {known}. Import the release of this nova-ctl: `nova-ctl release import`.',
        ru: 'Выпуски: {known}. Импортировать выпуск этого nova-ctl: `nova-ctl release import`.',
      },
      status: 404,
    },
    NOVA8405: {
      message: {
        en: 'The release {release} already exists with different content.',
        ru: 'Выпуск {release} уже существует с другим содержимым.',
      },
      remedy: {
        en: 'Releases are immutable. Import this content as another version: `nova-ctl release import --version …`.',
        ru: 'Выпуски неизменяемы. Импортируйте это содержимое как другую версию: `nova-ctl release import --version …`.',
      },
      status: 409,
    },
    NOVA8406: {
      message: {
        en: 'The release cannot be built: {file}: {reason}.',
        ru: 'Не удаётся собрать выпуск: {file}: {reason}.',
      },
      remedy: { en: 'Fix the file in `release`.', ru: 'Исправьте файл в `release`.' },
    },
    NOVA8407: {
      message: {
        en: 'The module {module} is not ready: {reason}',
        ru: 'Модуль {module} не готов: {reason}',
      },
      remedy: {
        en: 'See why: `nova-ctl module list {cluster}`, `kubectl -n nova-gitops get kustomizations`. Then resume the operation.',
        ru: 'Узнайте причину: `nova-ctl module list {cluster}`, `kubectl -n nova-gitops get kustomizations`. Затем продолжите операцию.',
      },
    },
    NOVA8408: {
      message: {
        en: 'Flux of {cluster} is not running: {reason}',
        ru: 'Flux кластера {cluster} не работает: {reason}',
      },
      remedy: {
        en: 'See its pods: `kubectl -n nova-gitops get pods`. Then resume the operation.',
        ru: 'Посмотрите его поды: `kubectl -n nova-gitops get pods`. Затем продолжите операцию.',
      },
    },
    NOVA8409: {
      message: {
        en: 'Flux of {cluster} cannot read the release: {reason}',
        ru: 'Flux кластера {cluster} не может прочитать выпуск: {reason}',
      },
      remedy: {
        en: 'See the source: `kubectl -n nova-gitops describe gitrepositories`. Then resume the operation.',
        ru: 'Посмотрите источник: `kubectl -n nova-gitops describe gitrepositories`. Затем продолжите операцию.',
      },
    },
    NOVA8410: {
      message: {
        en: '{cluster} has no modules: its `delivery` is `none`.',
        ru: 'В {cluster} нет модулей: `delivery` равно `none`.',
      },
      remedy: {
        en: 'Only clusters with `delivery: flux` have modules, tenants and releases.',
        ru: 'Модули, команды и выпуски есть только у кластеров с `delivery: flux`.',
      },
    },
    NOVA8411: {
      message: {
        en: 'No release is available to deliver modules from.',
        ru: 'Нет выпуска, из которого можно доставить модули.',
      },
      remedy: {
        en: 'Import a release: `nova-ctl release import`. Or create a cluster without modules: `delivery: none`.',
        ru: 'Импортируйте выпуск: `nova-ctl release import`. Либо создайте кластер без модулей: `delivery: none`.',
      },
    },
    NOVA8412: {
      message: {
        en: 'The namespace {tenant} already exists in {cluster} and does not belong to a team.',
        ru: 'Пространство имён {tenant} уже есть в {cluster} и не принадлежит команде.',
      },
      remedy: { en: 'Choose another name for the team.', ru: 'Выберите другое имя для команды.' },
      status: 409,
    },
    NOVA8413: {
      message: { en: '{tenant} cannot be the name of a team.', ru: '{tenant} не может быть именем команды.' },
      remedy: {
        en: 'Choose another name. Names that begin with kube- or nova- are reserved for the platform. Two hyphens separate an application from its team.',
        ru: 'Выберите другое имя. Имена, которые начинаются с kube- или nova-, зарезервированы для платформы. Два дефиса отделяют приложение от команды.',
      },
    },
    NOVA8414: {
      message: { en: '{cluster} has no team {tenant}.', ru: 'В {cluster} нет команды {tenant}.' },
      remedy: {
        en: 'List the teams: `nova-ctl tenant list {cluster}`.',
        ru: 'Список команд: `nova-ctl tenant list {cluster}`.',
      },
      status: 404,
    },
    NOVA8450: {
      status: 502,
      message: { en: 'The git service does not respond.', ru: 'Служба git не отвечает.' },
      remedy: {
        en: 'It restarts automatically. Retry in a moment. Its log, on the host: `nova-ctl machine exec universe -- journalctl -u nova-git`.',
        ru: 'Она перезапускается автоматически. Повторите чуть позже. Журнал, на хосте: `nova-ctl machine exec universe -- journalctl -u nova-git`.',
      },
    },
  },
);
