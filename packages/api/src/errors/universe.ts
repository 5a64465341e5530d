import { untilRestarted } from '../retry.ts';
import { area } from './area.ts';

export const universe = area(
  'universe',
  { en: 'Universe', ru: 'Universe' },
  {
    NOVA8330: {
      message: {
        en: 'Another Universe works with the store in {folder}.',
        ru: 'С хранилищем в {folder} работает другой Universe.',
      },
      remedy: { en: 'Stop it first, or use another folder.', ru: 'Сначала остановите его или укажите другой каталог.' },
    },
    NOVA8331: {
      message: {
        en: 'Universe at {server} cannot be reached: {reason}.',
        ru: 'Universe по адресу {server} недоступен: {reason}.',
      },
      remedy: {
        en: 'Is it running? On its host: `nova-ctl up`. Elsewhere check the address: `nova-ctl login`.',
        ru: 'Он запущен? На его хосте: `nova-ctl up`. Иначе проверьте адрес: `nova-ctl login`.',
      },
      status: 502,
      retry: untilRestarted,
    },
    NOVA8332: {
      message: {
        en: 'No Universe is configured for nova-ctl.',
        ru: 'Для nova-ctl не задан Universe.',
      },
      remedy: {
        en: 'Start one on this host: `nova-ctl up`, or log in to one: `nova-ctl login https://… --fingerprint …`.',
        ru: 'Запустите его на этом хосте: `nova-ctl up` или войдите: `nova-ctl login https://… --fingerprint …`.',
      },
    },
    NOVA8333: {
      message: {
        en: 'The server at {server} is not the one with this fingerprint: its own is {fingerprint}.',
        ru: 'У сервера {server} другой отпечаток: {fingerprint}.',
      },
      remedy: {
        en: 'Get the fingerprint from the administrator of Universe; `nova-ctl up` shows it. Nothing was sent to this server.',
        ru: 'Уточните отпечаток у тех, кто управляет Universe; его показывает `nova-ctl up`. Серверу ничего не отправлено.',
      },
    },
    NOVA8334: {
      message: {
        en: 'The certificate of {server} is not from the known authority: {reason}.',
        ru: 'Сертификат {server} выдан не известным центром: {reason}.',
      },
      remedy: {
        en: 'Log in again with the fingerprint from its administrator.',
        ru: 'Войдите заново с отпечатком, который сообщат те, кто им управляет.',
      },
      status: 502,
    },
    NOVA8335: {
      message: { en: 'The store does not respond: {reason}.', ru: 'Хранилище не отвечает: {reason}.' },
      remedy: {
        en: 'Universe continues by itself when the store is back.',
        ru: 'Universe продолжит сам, когда оно вернётся.',
      },
      status: 503,
    },
    NOVA8423: {
      message: { en: 'Universe is not ready.', ru: 'Universe не готов.' },
      remedy: {
        en: 'Retry later. The reason is in its log, and in the answer to a request with a token.',
        ru: 'Повторите позже. Причина есть в журнале и в ответе на запрос с токеном.',
      },
      status: 503,
    },
    NOVA8425: {
      message: {
        en: 'The site would have {count} nodes, and its limit is {limit}.',
        ru: 'На площадке стало бы {count} узлов, а предел — {limit}.',
      },
      remedy: {
        en: 'Remove nodes of other clusters, or raise `limits.nodes` in settings.json of Universe. Nothing was changed.',
        ru: 'Уберите узлы других кластеров или увеличьте `limits.nodes` в settings.json Universe. Ничего не изменено.',
      },
    },
    NOVA8426: {
      message: {
        en: 'The registry has no room for this image: its quota is {limit}, and 1 GiB of its disk stays free.',
        ru: 'В реестре нет места для этого образа: квота — {limit}, и 1 ГиБ диска остаётся свободным.',
      },
      remedy: {
        en: 'Remove images, then `nova-ctl registry collect`. Or raise `limits.registryBytes` in settings.json of Universe.',
        ru: 'Удалите образы, затем `nova-ctl registry collect`. Либо увеличьте `limits.registryBytes` в settings.json Universe.',
      },
      status: 413,
    },
  },
);
