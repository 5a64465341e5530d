import { area } from './area.ts';

export const components = area(
  'components',
  { en: 'Components and the registry', ru: 'Компоненты и реестр' },
  {
    NOVA8201: {
      message: { en: 'There is no component {component}.', ru: 'Компонента {component} нет.' },
      remedy: { en: 'Components: {known}.', ru: 'Компоненты: {known}.' },
    },
    NOVA8202: {
      message: { en: 'Building {component} failed: {reason}', ru: 'Не удалось собрать {component}: {reason}' },
      remedy: {
        en: 'Fix the cause and rerun the command: finished builds are reused.',
        ru: 'Устраните причину и повторите команду: уже собранное заново не собирается.',
      },
    },
    NOVA8203: {
      message: {
        en: '{what} is not what was pinned: its checksum differs.',
        ru: '{what} не совпадает с закреплённой версией: другая контрольная сумма.',
      },
      remedy: {
        en: 'Do not use it. Check where modules come from (GOPROXY).',
        ru: 'Не используйте его. Проверьте, откуда берутся модули (GOPROXY).',
      },
    },
    NOVA8204: {
      message: { en: '{what} cannot be fetched.', ru: 'Не удаётся получить {what}.' },
      remedy: {
        en: 'Check the network and GOPROXY, or install a Go that is new enough.',
        ru: 'Проверьте сеть и GOPROXY или установите достаточно новую версию Go.',
      },
    },
    NOVA8210: {
      status: 403,
      message: {
        en: 'The registry can get a certificate for {names} only.',
        ru: 'Реестр может получить сертификат только на {names}.',
      },
      remedy: {
        en: 'Request certificates for other servers through the socket of the Configuration Manager for administrators.',
        ru: 'Сертификаты для других серверов запрашивайте через сокет Configuration Manager для администраторов.',
      },
    },
    NOVA8211: {
      message: { en: 'The registry does not respond.', ru: 'Реестр не отвечает.' },
      remedy: {
        en: 'Start it with `nova-ctl registry serve`, or name its socket in NOVA_REGISTRY_SOCKET.',
        ru: 'Запустите его: `nova-ctl registry serve`, или укажите его сокет в NOVA_REGISTRY_SOCKET.',
      },
    },
    NOVA8212: {
      message: { en: 'The registry belongs to another user.', ru: 'Реестр принадлежит другому пользователю.' },
      remedy: { en: 'Run the command as that user or as root.', ru: 'Выполните команду от его имени или от root.' },
    },
    NOVA8213: {
      message: { en: 'The registry refused: {reason}', ru: 'Реестр отказал: {reason}' },
      remedy: {
        en: 'Look at its log and free space on its disk; images that are there already are safe. Then run the command again.',
        ru: 'Посмотрите его журнал и свободное место на диске; уже загруженные образы целы. Затем повторите команду.',
      },
    },
    NOVA8214: {
      message: { en: '{component} is not built.', ru: 'Компонент {component} не собран.' },
      remedy: {
        en: 'Build it: `nova-ctl component build {component}`.',
        ru: 'Соберите его: `nova-ctl component build {component}`.',
      },
    },
  },
);
