import { area } from './area.ts';

export const delivery = area(
  'delivery',
  { en: 'Releases and modules', ru: 'Выпуски и модули' },
  {
    NOVA8401: {
      message: {
        en: 'The module {module} needs {need}, which is not among the modules of this cluster.',
        ru: 'Модулю {module} нужен {need}, которого нет среди модулей этого кластера.',
      },
      remedy: {
        en: 'Enable {need} as well, or disable {module}.',
        ru: 'Включите также {need} или выключите {module}.',
      },
    },
    NOVA8402: {
      message: {
        en: 'Modules need each other in a circle: {circle}.',
        ru: 'Модули нужны друг другу по кругу: {circle}.',
      },
      remedy: {
        en: 'The release is at fault; use another one: `nova-ctl release list`.',
        ru: 'Ошибка в самом выпуске; используйте другой: `nova-ctl release list`.',
      },
    },
    NOVA8403: {
      message: { en: 'The release {release} has no module {module}.', ru: 'В выпуске {release} нет модуля {module}.' },
      remedy: {
        en: 'See what it has: `nova-ctl release show {release}`. Disable the module, or use another release.',
        ru: 'Что в нём есть: `nova-ctl release show {release}`. Выключите модуль или используйте другой выпуск.',
      },
    },
    NOVA8404: {
      message: { en: 'There is no release {release}.', ru: 'Выпуска {release} нет.' },
      remedy: {
        en: 'There are: {known}. `nova-ctl release import` brings the one of this nova-ctl in.',
        ru: 'Есть: {known}. `nova-ctl release import` добавит выпуск, которому принадлежит этот nova-ctl.',
      },
      status: 404,
    },
    NOVA8405: {
      message: {
        en: 'The release {release} is there already, with other content.',
        ru: 'Выпуск {release} уже есть, и его содержимое другое.',
      },
      remedy: {
        en: 'A release never changes. Give this content a version of its own: `nova-ctl release import --version …`.',
        ru: 'Выпуск никогда не меняется. Дайте этому содержимому свою версию: `nova-ctl release import --version …`.',
      },
      status: 409,
    },
    NOVA8406: {
      message: { en: 'The release cannot be built: {file}: {reason}.', ru: 'Выпуск не собрать: {file}: {reason}.' },
      remedy: { en: 'Correct the file in `release`.', ru: 'Исправьте файл в `release`.' },
    },
    NOVA8407: {
      message: {
        en: 'The module {module} is not ready: {reason}',
        ru: 'Модуль {module} не готов: {reason}',
      },
      remedy: {
        en: 'See what it waits for: `nova-ctl module list {cluster}`, `kubectl -n nova-gitops get kustomizations`. Then resume.',
        ru: 'Чего он ждёт: `nova-ctl module list {cluster}`, `kubectl -n nova-gitops get kustomizations`. Затем продолжите.',
      },
    },
    NOVA8408: {
      message: { en: 'Flux of {cluster} does not run: {reason}', ru: 'Flux кластера {cluster} не работает: {reason}' },
      remedy: {
        en: 'See its pods: `kubectl -n nova-gitops get pods`. Then resume.',
        ru: 'Его поды: `kubectl -n nova-gitops get pods`. Затем продолжите.',
      },
    },
    NOVA8409: {
      message: {
        en: 'Flux of {cluster} cannot read the release: {reason}',
        ru: 'Flux кластера {cluster} не может прочитать выпуск: {reason}',
      },
      remedy: {
        en: 'See the source: `kubectl -n nova-gitops describe gitrepositories`. Then resume.',
        ru: 'Источник: `kubectl -n nova-gitops describe gitrepositories`. Затем продолжите.',
      },
    },
    NOVA8410: {
      message: {
        en: '{cluster} has no modules: its `delivery` is `none`.',
        ru: 'В {cluster} нет модулей: `delivery` равно `none`.',
      },
      remedy: {
        en: 'Modules, tenants and releases belong to clusters with `delivery: flux`.',
        ru: 'Модули, команды и выпуски есть у кластеров с `delivery: flux`.',
      },
    },
    NOVA8411: {
      message: {
        en: 'There is no release to deliver modules from.',
        ru: 'Нет выпуска, из которого взять модули.',
      },
      remedy: {
        en: 'Bring one in: `nova-ctl release import`. Or make Kubernetes alone: `delivery: none`.',
        ru: 'Добавьте его: `nova-ctl release import`. Либо нужен только Kubernetes: `delivery: none`.',
      },
    },
    NOVA8412: {
      message: {
        en: '{cluster} has a namespace {tenant} that belongs to no team.',
        ru: 'В {cluster} есть пространство имён {tenant}, и оно не принадлежит команде.',
      },
      remedy: { en: 'Give the team another name.', ru: 'Дайте команде другое имя.' },
      status: 409,
    },
    NOVA8413: {
      message: { en: '{tenant} cannot be the name of a team.', ru: '{tenant} не может быть именем команды.' },
      remedy: {
        en: 'Names that begin with kube- or nova- are for the platform, and two hyphens separate an application from its team.',
        ru: 'Имена на kube- и nova- отведены платформе, а два дефиса отделяют приложение от команды.',
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
        en: 'It restarts by itself; retry in a moment. On the host: `nova-ctl machine exec universe journalctl -u nova-git`.',
        ru: 'Она перезапускается сама; повторите чуть позже. На хосте: `nova-ctl machine exec universe journalctl -u nova-git`.',
      },
    },
  },
);
