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
      remedy: { en: 'Build it: `nova-ctl image build {image}`.', ru: 'Соберите его: `nova-ctl image build {image}`.' },
    },
    NOVA7003: {
      message: {
        en: 'Not enough space in {folder}: {free} GiB are free.',
        ru: 'Недостаточно места в {folder}: свободно {free} ГиБ.',
      },
      remedy: {
        en: 'At least {needed} GiB are required. `nova-ctl image prune` deletes unused files.',
        ru: 'Нужно не меньше {needed} ГиБ. `nova-ctl image prune` удаляет неиспользуемые файлы.',
      },
    },
    NOVA7004: {
      message: { en: 'Building the image {image} failed: {reason}', ru: 'Не удалось собрать образ {image}: {reason}' },
      remedy: {
        en: 'Fix the cause, then rebuild. No partial result is left.',
        ru: 'Устраните причину и соберите снова. Частичный результат удалён.',
      },
    },
    NOVA7010: {
      message: { en: 'There is no {kind} {name}.', ru: 'Не найдено: {kind} {name}.' },
      remedy: { en: '{nearest}Known: {known}.', ru: '{nearest}Есть: {known}.' },
    },
    NOVA7011: {
      message: { en: 'The machine {name} is not running.', ru: 'Машина {name} не работает.' },
      remedy: {
        en: 'Start it: `nova-ctl machine restart {name}`.',
        ru: 'Запустите её: `nova-ctl machine restart {name}`.',
      },
    },
    NOVA7012: {
      message: {
        en: 'The cloud-init configuration has {field}, which machines do not support.',
        ru: 'В конфигурации cloud-init есть {field}, а машины это не поддерживают.',
      },
      remedy: {
        en: 'It must begin with #cloud-config. Supported fields: hostname, users, ssh_authorized_keys and write_files.',
        ru: 'Она должна начинаться с #cloud-config. Поддерживаются поля hostname, users, ssh_authorized_keys и write_files.',
      },
    },
    NOVA7013: {
      message: { en: 'The machine {name} did not boot in time.', ru: 'Машина {name} не загрузилась вовремя.' },
      remedy: {
        en: 'See its log: `nova-ctl machine logs {name}`.',
        ru: 'Посмотрите её журнал: `nova-ctl machine logs {name}`.',
      },
    },
    NOVA7021: {
      message: { en: 'The {kind} {name} already exists.', ru: 'Уже существует: {kind} {name}.' },
      remedy: {
        en: 'Choose another name, or delete the existing one first.',
        ru: 'Выберите другое имя или удалите существующий объект.',
      },
    },
    NOVA7022: {
      message: { en: '{network} overlaps with {other} of {name}.', ru: '{network} пересекается с {other} ({name}).' },
      remedy: { en: 'Choose a network that does not overlap.', ru: 'Выберите непересекающуюся сеть.' },
    },
    NOVA7023: {
      message: {
        en: 'The address {address} of {network} is already in use.',
        ru: 'Адрес {address} в {network} уже занят.',
      },
      remedy: {
        en: 'Choose another address, or omit it to get a free one.',
        ru: 'Выберите другой адрес или не указывайте его, чтобы получить свободный.',
      },
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
        en: 'Not enough {what} on this host: {free} available, {needed} requested.',
        ru: 'Не хватает ресурса «{what}»: доступно {free}, запрошено {needed}.',
      },
      remedy: {
        en: 'Request less, or delete something that uses it. A running machine uses all of its memory.',
        ru: 'Запросите меньше или удалите то, что его занимает. Работающая машина занимает всю свою память.',
      },
    },
    NOVA7026: {
      message: { en: '{field} is not valid.', ru: 'Недопустимое значение: {field}.' },
      remedy: { en: 'Use {expected}.', ru: 'Укажите: {expected}.' },
    },
    NOVA7027: {
      message: { en: 'The network {network} belongs to the platform.', ru: 'Сеть {network} принадлежит платформе.' },
      remedy: { en: 'It cannot be changed or deleted.', ru: 'Её нельзя ни изменить, ни удалить.' },
    },
    NOVA7030: {
      message: { en: 'The engine is unreachable.', ru: 'Движок недоступен.' },
      remedy: { en: 'Start it as root: `nova-ctl host up`.', ru: 'Запустите его с правами root: `nova-ctl host up`.' },
      retry: untilRestarted,
    },
    NOVA7031: {
      message: { en: 'Root privileges are required.', ru: 'Нужны права root.' },
      remedy: {
        en: 'Run the command as root, for example with sudo.',
        ru: 'Выполните команду с правами root, например через sudo.',
      },
    },
    NOVA7032: {
      message: { en: 'This host lacks {what}.', ru: 'На этом хосте нет: {what}.' },
      remedy: { en: '{remedy}', ru: '{remedy}' },
    },
    NOVA7033: {
      message: { en: '{what} did not start in time.', ru: 'Не запустилось вовремя: {what}.' },
      remedy: {
        en: 'See {log}, then retry `{command}`.',
        ru: 'Посмотрите {log} и повторите `{command}`.',
      },
    },
    NOVA7034: {
      message: { en: 'There is no endpoint {method} {path}.', ru: 'Вызова {method} {path} нет.' },
      remedy: { en: 'See the API description in openapi.json.', ru: 'Описание API — в openapi.json.' },
      status: 404,
    },
    NOVA7040: {
      message: {
        en: 'Clients of the engine are not allowed to call {call}.',
        ru: 'Клиентам движка запрещён вызов {call}.',
      },
      remedy: { en: 'Do this on the host of the engine, as root.', ru: 'Сделайте это на хосте движка с правами root.' },
      status: 403,
    },
    NOVA7041: {
      message: {
        en: 'The volume {name} is attached to the machine {machine}.',
        ru: 'Том {name} подключён к машине {machine}.',
      },
      remedy: {
        en: 'A volume can be attached to only one machine. First delete that machine.',
        ru: 'Том можно подключить только к одной машине. Сначала удалите эту машину.',
      },
    },
    NOVA7042: {
      message: { en: 'A volume cannot be mounted at {path}.', ru: 'По пути {path} том подключить нельзя.' },
      remedy: {
        en: 'Use an absolute path without "." and ".." that no other volume uses. It cannot be / or a path in /proc, /sys, /dev or /run.',
        ru: 'Укажите абсолютный путь без «.» и «..», не занятый другим томом. Нельзя указать / и пути внутри /proc, /sys, /dev и /run.',
      },
    },
    NOVA7043: {
      message: { en: 'This is not a public key.', ru: 'Это не открытый ключ.' },
      remedy: { en: 'Use a public key in PEM (SPKI).', ru: 'Укажите открытый ключ в формате PEM (SPKI).' },
    },
    NOVA7044: {
      message: {
        en: 'The inputs of the image {image} changed during the build.',
        ru: 'Исходные данные образа {image} изменились во время сборки.',
      },
      remedy: {
        en: 'Rebuild it: `nova-ctl image build {image}`.',
        ru: 'Соберите его снова: `nova-ctl image build {image}`.',
      },
    },
    NOVA7050: {
      message: {
        en: 'The image has no user or group for the file owner {owner}.',
        ru: 'В образе нет пользователя или группы для владельца файла {owner}.',
      },
      remedy: {
        en: 'Use an account of the image, or add one to `users` of the cloud-init configuration.',
        ru: 'Укажите учётную запись из образа или добавьте её в `users` конфигурации cloud-init.',
      },
    },
    NOVA7070: {
      message: {
        en: 'The engine does not accept this certificate: it is revoked, replaced or unknown.',
        ru: 'Движок не принимает этот сертификат: он отозван, заменён или неизвестен.',
      },
      remedy: {
        en: 'Run `nova-ctl up` on the host of the engine: it issues a new certificate to Universe.',
        ru: 'Выполните `nova-ctl up` на хосте движка: Universe получит новый сертификат.',
      },
      status: 403,
    },
    NOVA7071: {
      message: {
        en: 'The certificate of {name} can only be renewed for its current key.',
        ru: 'Сертификат клиента {name} можно обновить только для его текущего ключа.',
      },
      remedy: {
        en: 'For another key, issue a certificate on the host of the engine, as root.',
        ru: 'Для другого ключа выдайте сертификат на хосте движка с правами root.',
      },
      status: 403,
    },
    NOVA7072: {
      message: { en: 'The engine has no client {name}.', ru: 'У движка нет клиента {name}.' },
      remedy: {
        en: 'List the clients: `nova-ctl host clients list`.',
        ru: 'Список клиентов: `nova-ctl host clients list`.',
      },
      status: 404,
    },
    NOVA7080: {
      message: {
        en: 'The package lists of Debian cannot be downloaded: {reason}',
        ru: 'Не удаётся загрузить списки пакетов Debian: {reason}',
      },
      remedy: {
        en: 'Check the mirror in the apt configuration of this host. Until it is reachable, new package versions are unknown. The last check: `nova-ctl image list`.',
        ru: 'Проверьте зеркало в настройках apt этого хоста. Пока оно недоступно, новые версии пакетов неизвестны. Последняя проверка: `nova-ctl image list`.',
      },
    },
    NOVA7081: {
      message: {
        en: 'The apt configuration of this host has no Debian mirror.',
        ru: 'В настройках apt этого хоста нет зеркала Debian.',
      },
      remedy: {
        en: 'Add one to /etc/apt/sources.list.d/debian.sources: its URI ends with /debian.',
        ru: 'Добавьте его в /etc/apt/sources.list.d/debian.sources: URI оканчивается на /debian.',
      },
    },
    NOVA7082: {
      message: {
        en: 'The Debian mirror of this host lacks {suites}: images miss these updates, and checks do not find them.',
        ru: 'На зеркале Debian этого хоста нет {suites}: этих обновлений нет в образах, и проверка их не находит.',
      },
      remedy: {
        en: 'Add it to the mirror, or add its repository to /etc/apt/sources.list.d/debian.sources: its URI ends with /debian-security.',
        ru: 'Добавьте его на зеркало или укажите его репозиторий в /etc/apt/sources.list.d/debian.sources: URI оканчивается на /debian-security.',
      },
    },
    NOVA7083: {
      message: {
        en: 'The networks of this host run on an older image without Debian security updates: {packages}.',
        ru: 'Сети этого хоста работают на старом образе, без обновлений безопасности Debian: {packages}.',
      },
      remedy: {
        en: 'Restart the networks and all machines: `nova-ctl down`. Then: `nova-ctl up`.',
        ru: 'Перезапустите сети и все машины: `nova-ctl down`. Затем: `nova-ctl up`.',
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
        en: 'Use {before} or more. For a smaller disk, create another machine.',
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
        en: '{field} {network} overlaps with networks of this host: {shown}.',
        ru: '{field} {network} пересекается с сетями хоста: {shown}.',
      },
      remedy: {
        en: 'Choose another network when you set up this host, or delete the route or address if it is not needed.',
        ru: 'Выберите другую сеть при подготовке хоста или удалите этот маршрут либо адрес, если он не нужен.',
      },
      status: 409,
    },
    NOVA7091: {
      message: {
        en: 'This host was set up with {field} {kept}, which cannot change to {value}.',
        ru: 'Хост подготовлен со значением {field} {kept}; его нельзя изменить на {value}.',
      },
      remedy: {
        en: 'Omit the option to keep {kept}. To choose another value, first remove everything: `nova-ctl down --purge`.',
        ru: 'Не указывайте параметр, чтобы оставить {kept}. Чтобы выбрать другое значение, сначала удалите всё: `nova-ctl down --purge`.',
      },
      status: 409,
    },
    NOVA7100: {
      message: { en: 'The machine {name} is not stopped.', ru: 'Машина {name} не остановлена.' },
      remedy: {
        en: 'Stop it first: `nova-ctl machine stop {name}`.',
        ru: 'Сначала остановите её: `nova-ctl machine stop {name}`.',
      },
    },
    NOVA7110: {
      message: {
        en: 'The machine {name} is a container: it has no console to connect to.',
        ru: 'Машина {name} — контейнер: у неё нет консоли, к которой можно подключиться.',
      },
      remedy: {
        en: 'Open a shell: `nova-ctl machine shell {name}`. Its console output: `nova-ctl machine logs {name}`.',
        ru: 'Откройте оболочку: `nova-ctl machine shell {name}`. Вывод её консоли: `nova-ctl machine logs {name}`.',
      },
      status: 409,
    },
    NOVA7111: {
      message: {
        en: 'The machine {name} is a VM: commands in it cannot use a terminal.',
        ru: 'Машина {name} — ВМ: команды в ней не могут использовать терминал.',
      },
      remedy: {
        en: 'Open its console: `nova-ctl machine console {name}`. For a single command, redirect the input: `nova-ctl machine exec {name} -- COMMAND </dev/null`.',
        ru: 'Откройте её консоль: `nova-ctl machine console {name}`. Для одной команды перенаправьте ввод: `nova-ctl machine exec {name} -- КОМАНДА </dev/null`.',
      },
      status: 409,
    },
    NOVA7112: {
      message: {
        en: 'QEMU cannot run the machine {name}: {reason}',
        ru: 'QEMU не может запустить машину {name}: {reason}',
      },
      remedy: {
        en: 'If a disk or the base disk of its image is missing or corrupt, restore that file. The machine is retried until then.',
        ru: 'Если диск или базовый диск образа отсутствует или повреждён, восстановите этот файл. До тех пор запуск повторяется.',
      },
      status: 409,
    },
    NOVA7113: {
      message: {
        en: 'The disk of the machine {name} has {size}, and the image {image} needs {needed}.',
        ru: 'Диск машины {name} — {size}, а образу {image} нужно {needed}.',
      },
      remedy: { en: 'Request a larger disk.', ru: 'Запросите диск больше.' },
    },
    NOVA7114: {
      message: {
        en: 'The machine {name} is a VM: volumes can be mounted only in containers.',
        ru: 'Машина {name} — ВМ: тома можно подключать только к контейнерам.',
      },
      remedy: {
        en: 'Use a disk instead, or an image of a container.',
        ru: 'Используйте диск или образ контейнера.',
      },
    },
    NOVA7115: {
      message: {
        en: 'The serial console of the machine {name} is in use.',
        ru: 'Последовательная консоль машины {name} занята.',
      },
      remedy: {
        en: 'Close the other session: only one can be open.',
        ru: 'Закройте другой сеанс: открыт может быть только один.',
      },
      status: 409,
    },
    NOVA7116: {
      message: {
        en: 'The guest agent of the machine {name} does not respond.',
        ru: 'Гостевой агент машины {name} не отвечает.',
      },
      remedy: {
        en: 'Wait until the machine has booted, or open its console: `nova-ctl machine console {name}`.',
        ru: 'Дождитесь загрузки машины или откройте её консоль: `nova-ctl machine console {name}`.',
      },
      status: 409,
    },
    NOVA7140: {
      message: {
        en: 'The host is in maintenance since {since}: machines can be neither created nor started.',
        ru: 'Хост на обслуживании с {since}: машины нельзя ни создавать, ни запускать.',
      },
      remedy: {
        en: 'End the maintenance on the host, as root: `nova-ctl host maintenance leave`.',
        ru: 'Завершите обслуживание на хосте с правами root: `nova-ctl host maintenance leave`.',
      },
      status: 409,
      retry: untilRestarted,
    },
    NOVA7160: {
      message: {
        en: 'The machine {name} is of the kind {there}, but its node needs the kind {kind}.',
        ru: 'Машина {name} — вида {there}, а её узлу нужен вид {kind}.',
      },
      remedy: {
        en: 'Delete the machine if nothing needs it: `nova-ctl machine delete {name}`. Nova then creates it again.',
        ru: 'Удалите машину, если она никому не нужна: `nova-ctl machine delete {name}`. Nova создаст её снова.',
      },
      status: 409,
    },
  },
);
