import { untilRestarted } from '../retry.ts';
import { area } from './area.ts';

export const engine = area(
  'engine',
  { en: 'Machines, networks and images of a host', ru: 'Машины, сети и образы хоста' },
  {
    NOVA7001: {
      message: { en: 'There is no image {image}.', ru: 'Образа {image} нет.' },
      remedy: { en: 'Images: {known}.', ru: 'Образы: {known}.' },
    },
    NOVA7002: {
      message: { en: 'The image {image} is not built.', ru: 'Образ {image} не собран.' },
      remedy: { en: 'Build it: nova-ctl image build {image}.', ru: 'Соберите его: nova-ctl image build {image}.' },
    },
    NOVA7003: {
      message: {
        en: 'Too little space in {folder}: {free} GiB are free.',
        ru: 'Мало места в {folder}: свободно {free} ГиБ.',
      },
      remedy: {
        en: 'At least {needed} GiB are needed. `nova-ctl image prune` removes what is no longer used.',
        ru: 'Нужно не меньше {needed} ГиБ. `nova-ctl image prune` удалит ненужное.',
      },
    },
    NOVA7004: {
      message: {
        en: 'The image {image} could not be built: {reason}',
        ru: 'Не удалось собрать образ {image}: {reason}',
      },
      remedy: {
        en: 'Fix the cause and rebuild; no partial result is left.',
        ru: 'Устраните причину и соберите снова; ничего недоделанного не осталось.',
      },
    },
    NOVA7010: {
      message: { en: 'There is no {kind} {name}.', ru: 'Нет: {kind} {name}.' },
      remedy: { en: '{nearest}Known: {known}.', ru: '{nearest}Есть: {known}.' },
    },
    NOVA7011: {
      message: { en: 'The machine {name} does not run.', ru: 'Машина {name} не работает.' },
      remedy: {
        en: 'Start it: nova-ctl machine restart {name}.',
        ru: 'Запустите её: nova-ctl machine restart {name}.',
      },
    },
    NOVA7012: {
      message: {
        en: 'The cloud configuration has {field}, which machines do not honour.',
        ru: 'В конфигурации cloud-init есть {field}, чего машины не поддерживают.',
      },
      remedy: {
        en: 'It begins with #cloud-config and holds hostname, users, ssh_authorized_keys and write_files.',
        ru: 'Она начинается с #cloud-config и содержит hostname, users, ssh_authorized_keys и write_files.',
      },
    },
    NOVA7013: {
      message: { en: 'The machine {name} did not boot in time.', ru: 'Машина {name} не загрузилась вовремя.' },
      remedy: {
        en: 'Look at what it says: nova-ctl machine logs {name}.',
        ru: 'Посмотрите, что она выводит: nova-ctl machine logs {name}.',
      },
    },
    NOVA7021: {
      message: { en: 'There is a {kind} {name} already.', ru: 'Уже есть: {kind} {name}.' },
      remedy: { en: 'Choose another name, or delete it first.', ru: 'Выберите другое имя или сначала удалите её.' },
    },
    NOVA7022: {
      message: { en: '{network} overlaps {other} of {name}.', ru: '{network} пересекается с {other} ({name}).' },
      remedy: { en: 'Choose a network that does not overlap.', ru: 'Выберите непересекающуюся сеть.' },
    },
    NOVA7023: {
      message: { en: 'The address {address} of {network} is taken.', ru: 'Адрес {address} в {network} занят.' },
      remedy: { en: 'Choose another, or let one be chosen.', ru: 'Выберите другой или не указывайте его.' },
    },
    NOVA7024: {
      message: {
        en: 'The network {network} still has machines: {machines}.',
        ru: 'В сети {network} ещё есть машины: {machines}.',
      },
      remedy: { en: 'Delete them first.', ru: 'Сначала удалите их.' },
    },
    NOVA7025: {
      message: {
        en: 'Not enough {what} on this host: {free} free, {needed} requested.',
        ru: 'Не хватает ресурса «{what}»: свободно {free}, запрошено {needed}.',
      },
      remedy: { en: 'Ask for less, or delete something.', ru: 'Запросите меньше или удалите что-нибудь.' },
    },
    NOVA7026: {
      message: { en: '{field} is not valid.', ru: 'Неверно: {field}.' },
      remedy: { en: 'Give {expected}.', ru: 'Нужно: {expected}.' },
    },
    NOVA7027: {
      message: { en: 'The network {network} belongs to the platform.', ru: 'Сеть {network} принадлежит платформе.' },
      remedy: { en: 'It can be neither changed nor deleted.', ru: 'Её нельзя ни изменить, ни удалить.' },
    },
    NOVA7030: {
      message: { en: 'The engine does not respond.', ru: 'Движок не отвечает.' },
      remedy: { en: 'Start it: nova-ctl host up (as root).', ru: 'Запустите его: nova-ctl host up (с правами root).' },
      retry: untilRestarted,
    },
    NOVA7031: {
      message: { en: 'This needs root.', ru: 'Нужны права root.' },
      remedy: { en: 'Run it as root, for example with sudo.', ru: 'Запустите с правами root, например через sudo.' },
    },
    NOVA7032: {
      message: { en: 'This host lacks {what}.', ru: 'На этой машине нет: {what}.' },
      remedy: { en: '{remedy}', ru: '{remedy}' },
    },
    NOVA7033: {
      message: { en: '{what} did not start in time.', ru: '{what}: не запустилось вовремя.' },
      remedy: {
        en: 'See {log}, then retry `nova-ctl host up`.',
        ru: 'Посмотрите {log} и повторите `nova-ctl host up`.',
      },
    },
    NOVA7034: {
      message: { en: 'There is nothing at {method} {path}.', ru: 'По адресу {method} {path} ничего нет.' },
      remedy: { en: 'The API describes itself in openapi.json.', ru: 'Описание API — в openapi.json.' },
      status: 404,
    },
    NOVA7040: {
      message: {
        en: 'Clients of the engine are not allowed to call {call}.',
        ru: 'Клиенту движка это не разрешено: {call}.',
      },
      remedy: {
        en: 'Do it on the host of the engine, as root.',
        ru: 'Сделайте это на машине, где работает движок, с правами root.',
      },
      status: 403,
    },
    NOVA7041: {
      message: { en: 'The machine {machine} has the volume {name}.', ru: 'Том {name} занят машиной {machine}.' },
      remedy: {
        en: 'A volume is in one machine at a time: delete that machine first.',
        ru: 'Том может быть только в одной машине: сначала удалите эту машину.',
      },
    },
    NOVA7042: {
      message: { en: 'A volume cannot be at {path}.', ru: 'По пути {path} том подключить нельзя.' },
      remedy: {
        en: 'Give an absolute path without "." and "..", of no other volume, not / and not in /proc, /sys, /dev or /run.',
        ru: 'Укажите абсолютный путь без «.» и «..», не занятый другим томом, не / и не внутри /proc, /sys, /dev и /run.',
      },
    },
    NOVA7043: {
      message: { en: 'This is not a public key.', ru: 'Это не открытый ключ.' },
      remedy: { en: 'Give it as SPKI in PEM.', ru: 'Передайте его в виде SPKI в формате PEM.' },
    },
    NOVA7044: {
      message: {
        en: 'What the image {image} is made of changed while it was built.',
        ru: 'Пока образ {image} собирался, изменилось то, из чего он состоит.',
      },
      remedy: {
        en: 'Rebuild it: nova-ctl image build {image}.',
        ru: 'Соберите его снова: nova-ctl image build {image}.',
      },
    },
    NOVA7050: {
      message: {
        en: 'The image has no user or group for the owner {owner} of a file.',
        ru: 'В образе нет пользователя или группы для владельца файла {owner}.',
      },
      remedy: {
        en: 'Name an account of the image, or one of `users`.',
        ru: 'Укажите учётную запись из образа или одну из `users`.',
      },
    },
    NOVA7070: {
      message: {
        en: 'The engine does not accept this certificate: it is revoked, replaced or unknown.',
        ru: 'Движок не принимает этот сертификат: он отозван, заменён или неизвестен.',
      },
      remedy: {
        en: 'Run `nova-ctl up` on the host of the engine: it issues a new certificate to Universe.',
        ru: 'Выполните `nova-ctl up` на машине, где работает движок: Universe получит новый сертификат.',
      },
      status: 403,
    },
    NOVA7071: {
      message: {
        en: 'The certificate of {name} can only be renewed for the key that it has.',
        ru: 'Сертификат клиента {name} можно обновить только для его прежнего ключа.',
      },
      remedy: {
        en: 'A certificate for another key is issued on the host of the engine, by root.',
        ru: 'Сертификат для другого ключа выдаётся на машине, где работает движок, с правами root.',
      },
      status: 403,
    },
    NOVA7072: {
      message: { en: 'The engine has no client {name}.', ru: 'У движка нет клиента {name}.' },
      remedy: { en: '`nova-ctl host clients list` lists them.', ru: 'Список: `nova-ctl host clients list`.' },
      status: 404,
    },
    NOVA7080: {
      message: {
        en: "Debian's package lists cannot be downloaded: {reason}",
        ru: 'Не удаётся загрузить списки пакетов Debian: {reason}',
      },
      remedy: {
        en: "Until the mirror that this host's apt names is reachable, newer packages are unknown. The last check: `nova-ctl image list`.",
        ru: 'Пока зеркало, указанное в apt этого хоста, недоступно, новые версии пакетов неизвестны. Последняя проверка: `nova-ctl image list`.',
      },
    },
    NOVA7081: {
      message: { en: "This host's apt names no Debian mirror.", ru: 'В apt этого хоста не указано зеркало Debian.' },
      remedy: {
        en: 'Name one in /etc/apt/sources.list.d/debian.sources: its URI ends with /debian.',
        ru: 'Укажите его в /etc/apt/sources.list.d/debian.sources: URI оканчивается на /debian.',
      },
    },
    NOVA7082: {
      message: {
        en: 'The Debian mirror of this host lacks {suites}: images miss the updates in it, and a check cannot find them.',
        ru: 'На зеркале Debian этого хоста нет {suites}: этих обновлений нет в образах, и проверка их не находит.',
      },
      remedy: {
        en: 'Mirror it beside the release, or name its repository in /etc/apt/sources.list.d/debian.sources: its URI ends with /debian-security.',
        ru: 'Добавьте его на зеркало рядом с выпуском или укажите репозиторий в /etc/apt/sources.list.d/debian.sources: URI оканчивается на /debian-security.',
      },
    },
    NOVA7083: {
      message: {
        en: 'The networks of this host run on an older image, without security updates of Debian: {packages}.',
        ru: 'Сети этого хоста работают на старом образе, без обновлений безопасности Debian: {packages}.',
      },
      remedy: {
        en: 'Restart the networks, and with them all machines: `nova-ctl down`. Then: `nova-ctl up`.',
        ru: 'Перезапустите сети, а с ними все машины: `nova-ctl down`. Затем: `nova-ctl up`.',
      },
    },
    NOVA7084: {
      message: {
        en: 'The new size of the machine {name} cannot be applied while it runs: {reason}.',
        ru: 'Новый размер машины {name} нельзя применить, пока она работает: {reason}.',
      },
      remedy: {
        en: 'Nothing was changed. Stop it: `nova-ctl machine stop {name}`. Then resize it, and start it: `nova-ctl machine restart {name}`.',
        ru: 'Ничего не изменено. Остановите её: `nova-ctl machine stop {name}`. Затем измените размер и запустите: `nova-ctl machine restart {name}`.',
      },
      status: 409,
    },
    NOVA7085: {
      message: {
        en: 'The disk of the machine {name} cannot shrink from {before} to {after}.',
        ru: 'Диск машины {name} нельзя уменьшить с {before} до {after}.',
      },
      remedy: {
        en: 'Give {before} or more. For a smaller disk create another machine.',
        ru: 'Укажите не меньше {before}. Для меньшего диска создайте другую машину.',
      },
      status: 409,
    },
    NOVA7086: {
      message: {
        en: 'The machine {name} was created without a disk limit.',
        ru: 'Машина {name} создана без ограничения диска.',
      },
      remedy: {
        en: 'A limit can only be set for a new machine: `nova-ctl machine create NAME --disk SIZE`.',
        ru: 'Ограничение задаётся только при создании: `nova-ctl machine create ИМЯ --disk РАЗМЕР`.',
      },
      status: 409,
    },
    NOVA7090: {
      message: {
        en: '{field} {network} overlaps with this host: {shown}.',
        ru: '{field} {network} пересекается с сетями хоста: {shown}.',
      },
      remedy: {
        en: 'Choose another network when you set up this host, or remove the route or address if nothing needs it.',
        ru: 'Выберите другую сеть при подготовке хоста или удалите этот маршрут либо адрес, если он не нужен.',
      },
      status: 409,
    },
    NOVA7091: {
      message: {
        en: 'This host was set up with {field} {kept}; it cannot become {value}.',
        ru: 'Хост подготовлен со значением {field} {kept}; его нельзя изменить на {value}.',
      },
      remedy: {
        en: 'Leave the option out to keep {kept}. To choose another value, remove everything first: `nova-ctl down --purge`.',
        ru: 'Уберите параметр, чтобы оставить {kept}. Чтобы выбрать другое значение, сначала удалите всё: `nova-ctl down --purge`.',
      },
      status: 409,
    },
  },
);
