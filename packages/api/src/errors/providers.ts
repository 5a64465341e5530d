import { untilRestarted } from '../retry.ts';
import { area } from './area.ts';

// NOVA8550 to NOVA8599: infrastructure providers, and OpenTofu.
export const providerErrors = area(
  'providers',
  { en: 'Infrastructure providers', ru: 'Провайдеры инфраструктуры' },
  {
    NOVA8550: {
      message: { en: '{address} cannot be reached: {reason}.', ru: 'Нет связи с {address}: {reason}.' },
      remedy: {
        en: 'Check `url` and the route from Universe to this address.',
        ru: 'Проверьте `url` и маршрут от Universe до этого адреса.',
      },
      status: 502,
      retry: untilRestarted,
    },
    NOVA8551: {
      message: {
        en: 'The certificate of {address} is not trusted: {reason}.',
        ru: 'Сертификату {address} нельзя доверять: {reason}.',
      },
      remedy: {
        en: 'Set `caBundle` to the CA of the engine, PEM in base64, and `url` to a name in the certificate.',
        ru: 'Укажите в `caBundle` CA сервера управления (PEM в base64), а в `url` — имя из сертификата.',
      },
      status: 502,
    },
    NOVA8552: {
      message: {
        en: '{address} refuses the user {user}: {reason}.',
        ru: '{address} не принимает пользователя {user}: {reason}.',
      },
      remedy: {
        en: 'Check `username` (with its profile, as in admin@internal) and `password`.',
        ru: 'Проверьте `username` (с профилем, например admin@internal) и `password`.',
      },
    },
    NOVA8553: {
      message: {
        en: '{address} did not answer as the API of oVirt does: status {status}, {reason}.',
        ru: '{address} отвечает не так, как API oVirt: статус {status}, {reason}.',
      },
      remedy: {
        en: 'If the engine is starting, wait for it. Otherwise check `url`: it ends with /ovirt-engine/api.',
        ru: 'Если сервер управления запускается, подождите. Иначе проверьте `url`: он заканчивается на /ovirt-engine/api.',
      },
      status: 502,
      retry: untilRestarted,
    },
    NOVA8554: {
      message: { en: '{address} refused {request}: {reason}.', ru: '{address}: отказ в запросе {request}: {reason}.' },
      remedy: {
        en: 'Correct what the message names, then retry.',
        ru: 'Исправьте то, что названо в сообщении, и повторите.',
      },
    },
    NOVA8555: {
      message: {
        en: 'There is no {what} {name} for this user. There are: {known}.',
        ru: 'Этому пользователю не видно: {what} {name}. Есть: {known}.',
      },
      remedy: {
        en: 'Correct the name, create it, or give the user rights on it.',
        ru: 'Исправьте имя, создайте этот объект или дайте пользователю права на него.',
      },
    },
    NOVA8556: {
      message: { en: 'The user {user} may not: {missing}.', ru: 'У пользователя {user} нет прав: {missing}.' },
      remedy: {
        en: 'Give the user a role with these permits on the data center, such as DataCenterAdmin.',
        ru: 'Дайте пользователю роль с этими правами на центр данных, например DataCenterAdmin.',
      },
    },
    NOVA8557: {
      message: {
        en: 'Not enough space in the storage domain {name}: {free} available, {needed} needed.',
        ru: 'Мало места в домене хранения {name}: доступно {free}, нужно {needed}.',
      },
      remedy: {
        en: 'Free space there, extend it, or choose another storage domain.',
        ru: 'Освободите место, расширьте домен или выберите другой.',
      },
    },
    NOVA8558: {
      message: { en: 'The {what} {name} is not usable: {reason}.', ru: '{what} {name} нельзя использовать: {reason}.' },
      remedy: { en: 'Make it usable, or choose another one.', ru: 'Исправьте это или выберите другой объект.' },
    },
    NOVA8559: {
      message: {
        en: 'The disk of the template {name} has {size}, more than the {disk} of the node group {group}.',
        ru: 'Диск шаблона {name} ({size}) больше, чем {disk} у группы узлов {group}.',
      },
      remedy: {
        en: 'Increase `disk` of the node group, or use a smaller template.',
        ru: 'Увеличьте `disk` группы узлов или возьмите шаблон меньшего размера.',
      },
    },
    NOVA8560: {
      message: { en: 'OpenTofu failed ({command}): {reason}', ru: 'Ошибка OpenTofu ({command}): {reason}' },
      remedy: {
        en: 'Correct what the message names. What was created stays, and the next run continues from there.',
        ru: 'Исправьте то, что названо в сообщении. Созданное остаётся, следующий запуск продолжит с этого места.',
      },
    },
    NOVA8561: {
      message: {
        en: 'The machines have changed since the plan was approved.',
        ru: 'Машины изменились с тех пор, как план был утверждён.',
      },
      remedy: { en: 'Preview the change again and approve it.', ru: 'Посмотрите изменение заново и утвердите его.' },
      status: 409,
    },
    NOVA8562: {
      message: {
        en: 'A machine {name} exists already, and is not of the cluster {cluster}.',
        ru: 'Машина {name} уже есть и не относится к кластеру {cluster}.',
      },
      remedy: {
        en: 'Rename or delete the machine, or choose another cluster name.',
        ru: 'Переименуйте или удалите машину либо выберите другое имя кластера.',
      },
    },
    NOVA8563: {
      message: {
        en: 'The provider {provider} cannot be checked.',
        ru: 'Провайдер {provider} нельзя проверить.',
      },
      remedy: {
        en: 'Only `zvirt` and `ovirt` can. For others `nova-ctl plan` shows what would be created.',
        ru: 'Проверяются только `zvirt` и `ovirt`. Для остальных `nova-ctl plan` покажет, что будет создано.',
      },
    },
  },
);
