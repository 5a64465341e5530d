import { untilRestarted } from '../retry.ts';
import { area } from './area.ts';

// NOVA7600 to NOVA7649: clients of oVirt retry requests that get the status 409, and match the texts "VM is locked" and "Disk is locked".
// Only problems that pass by themselves have this status.
export const ovirt = area(
  'ovirt',
  { en: 'The oVirt-compatible API', ru: 'API, совместимый с oVirt' },
  {
    NOVA7600: {
      message: { en: '{field} is not supported here.', ru: '{field} здесь не поддерживается.' },
      remedy: { en: 'Remove it from the request.', ru: 'Уберите это из запроса.' },
      status: 400,
    },
    NOVA7601: {
      message: { en: '{field} can only be {value}.', ru: '{field} может быть только {value}.' },
      remedy: { en: 'Use this value, or remove the field.', ru: 'Укажите это значение или уберите поле.' },
      status: 400,
    },
    NOVA7602: {
      message: { en: '{field} is required.', ru: 'Не указано: {field}.' },
      remedy: { en: 'Add it to the request.', ru: 'Добавьте это в запрос.' },
      status: 400,
    },
    NOVA7603: {
      message: { en: 'VM is locked: {name} is {status}.', ru: 'ВМ заблокирована: {name}, состояние {status}.' },
      remedy: { en: 'Retry when its status has changed.', ru: 'Повторите, когда состояние изменится.' },
      status: 409,
      retry: untilRestarted,
    },
    NOVA7605: {
      message: { en: 'There is no {kind} {id}.', ru: 'Не найдено: {kind} {id}.' },
      remedy: { en: 'List the existing ones.', ru: 'Запросите список существующих.' },
      status: 404,
    },
    NOVA7606: {
      message: { en: 'The request body cannot be read: {reason}.', ru: 'Тело запроса не читается: {reason}.' },
      remedy: {
        en: 'Send one XML element without a DTD, or a JSON object.',
        ru: 'Отправьте один элемент XML без DTD или объект JSON.',
      },
      status: 400,
    },
    NOVA7607: {
      message: { en: '{call} is not supported.', ru: 'Вызов {call} не поддерживается.' },
      remedy: { en: 'See docs/ovirt.md for the supported calls.', ru: 'Поддерживаемые вызовы — в docs/ru/ovirt.md.' },
      status: 404,
    },
    NOVA7608: {
      message: {
        en: 'The user {user} has the role ReadOnlyAdmin and cannot change anything.',
        ru: 'У пользователя {user} роль ReadOnlyAdmin: он не может ничего менять.',
      },
      remedy: { en: 'Use a user with the role SuperUser.', ru: 'Войдите как пользователь с ролью SuperUser.' },
      status: 403,
    },
    NOVA7609: {
      message: { en: 'The search cannot be read: {search}', ru: 'Не удаётся разобрать запрос поиска: {search}' },
      remedy: {
        en: 'Use conditions such as: name=web* and status=up sortby name page 1.',
        ru: 'Используйте условия вида: name=web* and status=up sortby name page 1.',
      },
      status: 400,
    },
    NOVA7610: {
      message: { en: 'The search has an unknown key {key}.', ru: 'Неизвестный ключ поиска: {key}.' },
      remedy: { en: 'Known keys: {known}.', ru: 'Известные ключи: {known}.' },
      status: 400,
    },
    NOVA7611: {
      message: { en: 'The VM {name} already has a NIC.', ru: 'У ВМ {name} уже есть сетевой адаптер.' },
      remedy: {
        en: 'A VM can have one NIC. Change it, or delete it first.',
        ru: 'У ВМ может быть один сетевой адаптер. Измените его или сначала удалите.',
      },
      status: 400,
    },
    NOVA7612: {
      message: { en: 'The VM {name} is {status}.', ru: 'Состояние ВМ {name}: {status}.' },
      remedy: { en: 'This needs the status {needed}.', ru: 'Для этого нужно состояние {needed}.' },
      status: 400,
    },
    NOVA7613: {
      message: {
        en: '{field} does not fit the network {network}.',
        ru: '{field} не подходит к сети {network}.',
      },
      remedy: {
        en: 'Use {expected}, or remove the address to get a free one.',
        ru: 'Укажите {expected} или уберите адрес, чтобы получить свободный.',
      },
      status: 400,
    },
    NOVA7614: {
      message: {
        en: 'The VM {name} has booted before: its initialization is not applied again.',
        ru: 'ВМ {name} уже загружалась: её начальная настройка больше не применяется.',
      },
      remedy: {
        en: 'Create another VM to apply it.',
        ru: 'Чтобы применить её, создайте другую ВМ.',
      },
      status: 400,
    },
    NOVA7615: {
      message: { en: 'The template Blank has no operating system.', ru: 'В шаблоне Blank нет операционной системы.' },
      remedy: { en: 'Use another template: {known}.', ru: 'Укажите другой шаблон: {known}.' },
      status: 400,
    },
    NOVA7616: {
      message: { en: 'The template {name} belongs to the platform.', ru: 'Шаблон {name} принадлежит платформе.' },
      remedy: {
        en: 'Only templates that were created from a VM can be changed or deleted.',
        ru: 'Изменять и удалять можно только шаблоны, созданные из ВМ.',
      },
      status: 400,
    },
    NOVA7617: {
      message: {
        en: 'An enforcing negative affinity needs more than one host.',
        ru: 'Обязательное раздельное размещение требует больше одного хоста.',
      },
      remedy: {
        en: 'This platform has one host. Set enforcing to false, or use a positive affinity.',
        ru: 'У этой платформы один хост. Укажите enforcing=false или совместное размещение.',
      },
      status: 400,
    },
    NOVA7618: {
      message: {
        en: 'A network needs addresses, which this call cannot declare.',
        ru: 'Сети нужны адреса, а в этом вызове их указать нельзя.',
      },
      remedy: {
        en: 'Create it with its subnet through the networking API.',
        ru: 'Создайте её вместе с подсетью через API сетей.',
      },
      status: 400,
    },
    NOVA7619: {
      message: { en: '{field} is not a whole number of MiB.', ru: '{field} — не целое число МиБ.' },
      remedy: { en: 'Use a multiple of 1048576 bytes.', ru: 'Укажите число байтов, кратное 1048576.' },
      status: 400,
    },
    NOVA7620: {
      message: {
        en: 'The disk {name} is the boot disk of its VM or template.',
        ru: 'Диск {name} — загрузочный диск ВМ или шаблона.',
      },
      remedy: {
        en: 'It can be extended, and is deleted with its VM or template.',
        ru: 'Его можно увеличить; удаляется он вместе со своей ВМ или шаблоном.',
      },
      status: 400,
    },
    NOVA7621: {
      message: { en: 'The VM {name} previews a snapshot.', ru: 'ВМ {name} показывает снимок.' },
      remedy: {
        en: 'Commit or undo the preview first.',
        ru: 'Сначала подтвердите или отмените показ снимка.',
      },
      status: 400,
    },
    NOVA7622: {
      message: { en: 'The VM {name} previews no snapshot.', ru: 'ВМ {name} не показывает снимка.' },
      remedy: { en: 'Preview a snapshot first.', ru: 'Сначала покажите снимок.' },
      status: 400,
    },
    NOVA7623: {
      message: { en: 'The VM {name} is protected from deletion.', ru: 'ВМ {name} защищена от удаления.' },
      remedy: {
        en: 'Set its delete_protected to false first.',
        ru: 'Сначала задайте для неё delete_protected=false.',
      },
      status: 400,
    },
    NOVA7624: {
      message: { en: 'custom_script is not a cloud-config.', ru: 'custom_script — не cloud-config.' },
      remedy: {
        en: 'Use YAML with the fields hostname, users, ssh_authorized_keys and write_files.',
        ru: 'Укажите YAML с полями hostname, users, ssh_authorized_keys и write_files.',
      },
      status: 400,
    },
    NOVA7625: {
      message: { en: 'The API has no version {version}.', ru: 'Версии {version} у API нет.' },
      remedy: { en: 'Use version 4.', ru: 'Используйте версию 4.' },
      status: 400,
    },
    NOVA7626: {
      message: {
        en: 'The work was interrupted by a restart of the API.',
        ru: 'Работа прервана перезапуском API.',
      },
      remedy: {
        en: 'Check the state of the object, and repeat the request if necessary.',
        ru: 'Проверьте состояние объекта и при необходимости повторите запрос.',
      },
      status: 500,
    },
    NOVA7627: {
      message: {
        en: 'The disk {name} has data in the format {format}, which the VM {vm} cannot use.',
        ru: 'Данные на диске {name} в формате {format}, который ВМ {vm} не может использовать.',
      },
      remedy: {
        en: 'Container machines need file systems, virtual machines block devices. Create the disk through the attachments of the VM.',
        ru: 'Контейнерным машинам нужны файловые системы, виртуальным — блочные устройства. Создайте диск через подключения дисков ВМ.',
      },
      status: 400,
    },
    NOVA7650: {
      message: {
        en: 'Cannot authenticate user {name}: the user name or password is incorrect.',
        ru: 'Вход пользователя {name} невозможен: неверное имя или пароль.',
      },
      remedy: {
        en: 'Names have a profile: admin@internal. Root can set a password: `nova-ctl host ovirt user password NAME`.',
        ru: 'Имя включает профиль: admin@internal. Пароль задаёт root: `nova-ctl host ovirt user password ИМЯ`.',
      },
      status: 401,
    },
    NOVA7651: {
      message: {
        en: 'The grant type {type} is not supported.',
        ru: 'Тип доступа (grant_type) {type} не поддерживается.',
      },
      remedy: { en: 'Use grant_type=password.', ru: 'Используйте grant_type=password.' },
      status: 400,
    },
    NOVA7652: {
      message: { en: 'Missing parameter: {name}.', ru: 'Не задан параметр {name}.' },
      remedy: { en: 'Send it as a form field.', ru: 'Передайте его как поле формы.' },
      status: 400,
    },
    NOVA7653: {
      message: { en: 'The token is missing, wrong or expired.', ru: 'Токен не передан, неверен или истёк.' },
      remedy: {
        en: 'Request a token: POST /ovirt-engine/sso/oauth/token.',
        ru: 'Запросите токен: POST /ovirt-engine/sso/oauth/token.',
      },
      status: 401,
    },
    NOVA7655: {
      message: { en: 'The user {name} already exists.', ru: 'Пользователь {name} уже существует.' },
      remedy: {
        en: 'To change the password: `nova-ctl host ovirt user password {name}`. To change the role, remove the user first.',
        ru: 'Сменить пароль: `nova-ctl host ovirt user password {name}`. Чтобы сменить роль, сначала удалите пользователя.',
      },
      status: 409,
    },
    NOVA7656: {
      message: { en: 'There is no user {name}.', ru: 'Пользователя {name} нет.' },
      remedy: {
        en: 'List the users: `nova-ctl host ovirt user list`.',
        ru: 'Список пользователей: `nova-ctl host ovirt user list`.',
      },
      status: 404,
    },
    NOVA7657: {
      message: {
        en: 'There are already {count} users, the maximum.',
        ru: 'Уже есть {count} пользователей — это предел.',
      },
      remedy: {
        en: 'Remove one first: `nova-ctl host ovirt user remove NAME`.',
        ru: 'Сначала удалите лишнего: `nova-ctl host ovirt user remove ИМЯ`.',
      },
      status: 409,
    },
    NOVA7660: {
      message: { en: 'The oVirt-compatible API is off.', ru: 'API, совместимый с oVirt, выключен.' },
      remedy: {
        en: 'Switch it on: `nova-ctl host ovirt enable`.',
        ru: 'Включите его: `nova-ctl host ovirt enable`.',
      },
    },
    NOVA7661: {
      message: { en: 'The oVirt-compatible API does not respond.', ru: 'API, совместимый с oVirt, не отвечает.' },
      remedy: {
        en: 'See its state: `nova-ctl host ovirt status`, and its log: /var/log/nova/nova-ovirt.log or `journalctl -u nova-ovirt`.',
        ru: 'Посмотрите состояние: `nova-ctl host ovirt status` — и журнал: /var/log/nova/nova-ovirt.log или `journalctl -u nova-ovirt`.',
      },
      retry: untilRestarted,
    },
    NOVA7670: {
      message: { en: 'There is no {kind} {id}.', ru: 'Не найдено: {kind} {id}.' },
      remedy: {
        en: 'List what there is with GET, without an ID.',
        ru: 'Запросите список: GET без идентификатора.',
      },
      status: 404,
    },
    NOVA7671: {
      message: { en: 'The network {network} already has a subnet.', ru: 'У сети {network} уже есть подсеть.' },
      remedy: {
        en: 'A network has exactly one subnet. Create another network.',
        ru: 'У сети ровно одна подсеть. Создайте другую сеть.',
      },
      status: 409,
    },
    NOVA7672: {
      message: { en: 'Routers cannot be created or deleted.', ru: 'Маршрутизаторы нельзя создавать и удалять.' },
      remedy: {
        en: 'Every network gets its router with its subnet, and loses it with the subnet. List them: GET /v2.0/routers.',
        ru: 'Маршрутизатор сети появляется вместе с её подсетью и удаляется вместе с ней. Список: GET /v2.0/routers.',
      },
      status: 409,
    },
    NOVA7673: {
      message: {
        en: 'The router {router} only connects the network {network}.',
        ru: 'Маршрутизатор {router} соединяет только сеть {network}.',
      },
      remedy: {
        en: 'Networks are isolated from each other. The router of a network is always connected to its subnet, and to no other.',
        ru: 'Сети изолированы друг от друга. Маршрутизатор сети всегда подключён к её подсети и только к ней.',
      },
      status: 409,
    },
    NOVA7674: {
      message: { en: 'A port belongs to a virtual machine.', ru: 'Порт принадлежит виртуальной машине.' },
      remedy: {
        en: 'Send the ID of a stopped virtual machine as device_id, or add a NIC through /ovirt-engine/api/vms.',
        ru: 'Передайте идентификатор остановленной машины в device_id или добавьте сетевую карту через /ovirt-engine/api/vms.',
      },
      status: 409,
    },
    NOVA7675: {
      message: {
        en: 'The value of {field} cannot be set: {expected}.',
        ru: 'Значение {field} задать нельзя: {expected}.',
      },
      remedy: { en: 'Leave {field} out.', ru: 'Не передавайте {field}.' },
      status: 400,
    },
    NOVA7676: {
      message: { en: 'The virtual machine {machine} has a port already.', ru: 'У машины {machine} уже есть порт.' },
      remedy: {
        en: 'A virtual machine has one port. Delete it first.',
        ru: 'У машины один порт. Сначала удалите его.',
      },
      status: 409,
    },
  },
);
