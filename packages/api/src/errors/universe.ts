import { untilRestarted } from '../retry.ts';
import { area } from './area.ts';

export const universe = area(
  'universe',
  { en: 'Universe', ru: 'Universe' },
  {
    NOVA8330: {
      message: {
        en: 'Another Universe uses the data in {folder}.',
        ru: 'Данные в {folder} использует другой Universe.',
      },
      remedy: { en: 'Stop it first, or use another folder.', ru: 'Сначала остановите его или укажите другой каталог.' },
    },
    NOVA8331: {
      message: {
        en: 'Universe at {server} is unreachable: {reason}.',
        ru: 'Universe по адресу {server} недоступен: {reason}.',
      },
      remedy: {
        en: 'Start it on its host: `nova-ctl up`. If it runs, check the address: `nova-ctl login`.',
        ru: 'Запустите его на его хосте: `nova-ctl up`. Если он запущен, проверьте адрес: `nova-ctl login`.',
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
        en: 'The server {server} has a different fingerprint: {fingerprint}.',
        ru: 'У сервера {server} другой отпечаток: {fingerprint}.',
      },
      remedy: {
        en: 'Get the fingerprint from the administrator of Universe; `nova-ctl up` shows it. Nothing was sent to this server.',
        ru: 'Уточните отпечаток у администратора Universe; его показывает `nova-ctl up`. Серверу ничего не отправлено.',
      },
    },
    NOVA8334: {
      message: {
        en: 'The certificate of {server} cannot be verified: {reason}.',
        ru: 'Сертификат {server} не прошёл проверку: {reason}.',
      },
      remedy: {
        en: 'Check the address of the server. If its CA was replaced, get the new fingerprint from the administrator of Universe, then log in again.',
        ru: 'Проверьте адрес сервера. Если его CA заменён, узнайте новый отпечаток у администратора Universe и войдите заново.',
      },
      status: 502,
    },
    NOVA8335: {
      message: { en: 'The database does not respond: {reason}.', ru: 'База данных не отвечает: {reason}.' },
      remedy: {
        en: 'Check the database and the connection to it. Universe continues automatically when the database responds.',
        ru: 'Проверьте базу данных и соединение с ней. Universe продолжит работу автоматически, когда база данных ответит.',
      },
      status: 503,
    },
    NOVA8423: {
      message: { en: 'Universe is not ready.', ru: 'Universe не готов.' },
      remedy: {
        en: 'Retry later. The reason is in its log, and in the response to a request with a token.',
        ru: 'Повторите позже. Причина указана в журнале и в ответе на запрос с токеном.',
      },
      status: 503,
    },
    NOVA8425: {
      message: {
        en: 'The site would have {count} nodes, but its limit is {limit}.',
        ru: 'Узлов на площадке стало бы {count}, а предел — {limit}.',
      },
      remedy: {
        en: 'Remove nodes of other clusters, or raise `limits.nodes` in settings.json of Universe. Nothing was changed.',
        ru: 'Уберите узлы других кластеров или увеличьте `limits.nodes` в settings.json Universe. Ничего не изменено.',
      },
    },
    NOVA8426: {
      message: {
        en: 'The registry has no space for this image: its quota is {limit}, and 1 GiB of its disk must stay free.',
        ru: 'В реестре нет места для этого образа: квота — {limit}, и 1 ГиБ диска должен оставаться свободным.',
      },
      remedy: {
        en: 'Delete images, then run `nova-ctl registry collect`. Or raise `limits.registryBytes` in settings.json of Universe.',
        ru: 'Удалите образы, затем выполните `nova-ctl registry collect`. Либо увеличьте `limits.registryBytes` в settings.json Universe.',
      },
      status: 413,
    },
  },
);
