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
        en: 'Fix the cause, then run the command again: finished builds are reused.',
        ru: 'Устраните причину и повторите команду: готовые сборки используются снова.',
      },
    },
    NOVA8203: {
      message: {
        en: '{what} does not match its pinned checksum.',
        ru: 'Контрольная сумма {what} не совпадает с закреплённой.',
      },
      remedy: {
        en: 'Do not use it. Check the source of Go modules (GOPROXY).',
        ru: 'Не используйте его. Проверьте источник модулей Go (GOPROXY).',
      },
    },
    NOVA8204: {
      message: { en: '{what} cannot be downloaded.', ru: 'Не удаётся загрузить {what}.' },
      remedy: {
        en: 'Check the network and GOPROXY, or install a newer version of Go.',
        ru: 'Проверьте сеть и GOPROXY или установите более новую версию Go.',
      },
    },
    NOVA8210: {
      status: 403,
      message: {
        en: 'The registry can only get certificates for {names}.',
        ru: 'Реестр может получить сертификат только на {names}.',
      },
      remedy: {
        en: 'Request certificates for other servers through the administrator socket of the Configuration Manager.',
        ru: 'Запрашивайте сертификаты для других серверов через сокет администраторов менеджера конфигураций.',
      },
    },
    NOVA8211: {
      message: { en: 'The registry does not respond.', ru: 'Реестр не отвечает.' },
      remedy: {
        en: 'Start it: `nova-ctl registry serve`. Or set NOVA_REGISTRY_SOCKET to its socket.',
        ru: 'Запустите его: `nova-ctl registry serve`. Или укажите его сокет в NOVA_REGISTRY_SOCKET.',
      },
    },
    NOVA8212: {
      message: { en: 'The registry belongs to another user.', ru: 'Реестр принадлежит другому пользователю.' },
      remedy: { en: 'Run the command as that user or as root.', ru: 'Выполните команду от его имени или от root.' },
    },
    NOVA8213: {
      message: { en: 'The registry rejected the request: {reason}', ru: 'Реестр отклонил запрос: {reason}' },
      remedy: {
        en: 'Check its log and the free space on its disk. Existing images are not affected. Then run the command again.',
        ru: 'Проверьте его журнал и свободное место на диске. Уже загруженные образы не затронуты. Затем повторите команду.',
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
