import { area } from './area.ts';

export const hosts = area(
  'hosts',
  { en: 'Existing hosts', ru: 'Существующие хосты' },
  {
    NOVA8500: {
      message: {
        en: '{name} is not a host of the provider `existing` in any declared cluster.',
        ru: '{name} не является хостом провайдера `existing` ни в одном описанном кластере.',
      },
      remedy: {
        en: 'Name it in `hosts` of a node group and apply the manifest: the operation waits for the host.',
        ru: 'Укажите его в `hosts` группы узлов и примените манифест: операция подождёт хост.',
      },
      status: 404,
    },
    NOVA8501: {
      message: { en: 'The host {name} has not joined.', ru: 'Хост {name} не присоединился.' },
      remedy: {
        en: 'Run on it what this command prints: `nova-ctl node join-command {name}`. Then resume the operation.',
        ru: 'Выполните на нём то, что выводит команда `nova-ctl node join-command {name}`. Затем продолжите операцию.',
      },
    },
    NOVA8502: {
      message: {
        en: 'Universe has no packages and programs for existing hosts.',
        ru: 'В Universe нет пакетов и программ для существующих хостов.',
      },
      remedy: {
        en: 'On the host of Universe, with access to a Debian mirror: `nova-ctl node packages`.',
        ru: 'На хосте Universe, которому доступно зеркало Debian, выполните: `nova-ctl node packages`.',
      },
    },
    NOVA8503: {
      message: {
        en: '{name} is an existing host: Nova cannot resize, stop or start it.',
        ru: '{name} — существующий хост: Nova не может изменить его размер, остановить или запустить его.',
      },
      remedy: {
        en: 'Do it on the host itself. To take it out of the cluster, remove it from `hosts` and apply the manifest.',
        ru: 'Сделайте это на самом хосте. Чтобы вывести его из кластера, уберите его из `hosts` и примените манифест.',
      },
      status: 409,
    },
    NOVA8504: {
      message: {
        en: 'The address of {name} cannot change from {before} to {after}: the host has joined.',
        ru: 'Адрес {name} нельзя изменить с {before} на {after}: хост уже присоединён.',
      },
      remedy: {
        en: 'Remove the host from the manifest and apply it; then add the host with the new address.',
        ru: 'Уберите хост из манифеста и примените его; затем добавьте хост с новым адресом.',
      },
    },
    NOVA8505: {
      message: {
        en: 'The host {name} has {what} {has}; its group needs {needs}.',
        ru: 'У хоста {name} {what} — {has}; его группе нужно {needs}.',
      },
      remedy: {
        en: 'Nova cannot resize existing hosts: reduce `{what}` of the group, or move the host to another group.',
        ru: 'Nova не меняет размер существующих хостов: уменьшите `{what}` группы или перенесите хост в другую группу.',
      },
    },
    NOVA8506: {
      message: {
        en: 'The host {name} has joined already.',
        ru: 'Хост {name} уже присоединён.',
      },
      remedy: {
        en: 'If it was replaced or reinstalled, revoke the old host first: `nova-ctl node revoke {name}`.',
        ru: 'Если он заменён или переустановлен, сначала отзовите прежний: `nova-ctl node revoke {name}`.',
      },
      status: 409,
    },
    NOVA8507: {
      message: {
        en: 'The repository of packages cannot be stored: {reason}.',
        ru: 'Не удалось сохранить репозиторий пакетов: {reason}.',
      },
      remedy: {
        en: 'Send what `nova-ctl node packages` collects; free space on Universe if its disk is full.',
        ru: 'Отправляйте то, что собирает `nova-ctl node packages`; если диск Universe заполнен, освободите место.',
      },
    },
    NOVA8508: {
      message: { en: '{name} could not join over SSH: {reason}.', ru: '{name} не присоединился по SSH: {reason}.' },
      remedy: {
        en: 'Fix the problem and repeat the command. Nothing else was changed.',
        ru: 'Устраните причину и повторите команду. Больше ничего не изменено.',
      },
    },
    NOVA8509: {
      message: {
        en: 'The packages cannot be signed: this host has no gpg.',
        ru: 'Пакеты нельзя подписать: на этом хосте нет gpg.',
      },
      remedy: { en: 'Install it: `apt-get install gpg`.', ru: 'Установите его: `apt-get install gpg`.' },
    },
  },
);
