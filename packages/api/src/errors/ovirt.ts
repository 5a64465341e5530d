import { untilRestarted } from '../retry.ts';
import { area } from './area.ts';

export const ovirt = area(
  'ovirt',
  { en: 'The oVirt-compatible API', ru: 'API, совместимый с oVirt' },
  {
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
    NOVA7654: {
      message: {
        en: 'The user {name} has the role ReadOnlyAdmin and cannot change anything.',
        ru: 'У пользователя {name} роль ReadOnlyAdmin: он ничего не может менять.',
      },
      remedy: {
        en: 'Use a user with the role SuperUser: `nova-ctl host ovirt user list`.',
        ru: 'Используйте пользователя с ролью SuperUser: `nova-ctl host ovirt user list`.',
      },
      status: 403,
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
