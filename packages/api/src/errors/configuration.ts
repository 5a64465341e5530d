import { area } from './area.ts';

export const configuration = area(
  'configuration',
  { en: 'Configuration of nodes', ru: 'Настройка узлов' },
  {
    NOVA8001: {
      message: { en: '{resource} is in the catalog twice.', ru: '{resource} встречается в каталоге дважды.' },
      remedy: { en: 'Keep one of them.', ru: 'Оставьте один.' },
    },
    NOVA8002: {
      message: { en: 'There is no resource type {type}.', ru: 'Типа ресурсов {type} нет.' },
      remedy: { en: 'Types: {known}.', ru: 'Типы: {known}.' },
    },
    NOVA8003: {
      message: { en: '{resource} has no parameter {parameter}.', ru: 'У {resource} нет параметра {parameter}.' },
      remedy: { en: '{nearest}Parameters: {known}.', ru: '{nearest}Параметры: {known}.' },
    },
    NOVA8004: {
      message: {
        en: 'Parameter {parameter} of {resource} is not right: {reason}.',
        ru: 'Неверный параметр {parameter} у {resource}: {reason}.',
      },
      remedy: {
        en: 'Correct it: agents would refuse the whole catalog.',
        ru: 'Исправьте его: агент отверг бы весь каталог.',
      },
    },
    NOVA8005: {
      message: { en: 'Resources wait for each other: {cycle}.', ru: 'Ресурсы ждут друг друга: {cycle}.' },
      remedy: { en: 'Remove one of these relations.', ru: 'Уберите одну из этих связей.' },
    },
    NOVA8006: {
      message: {
        en: '{resource} has {relation} {other}, which is not in the catalog.',
        ru: 'У {resource} указано {relation} {other}, но такого ресурса в каталоге нет.',
      },
      remedy: { en: 'Add it to the catalog, or remove the relation.', ru: 'Добавьте его в каталог или уберите связь.' },
    },
    NOVA8010: {
      message: { en: 'There is no node {node}.', ru: 'Узла {node} нет.' },
      remedy: { en: 'See `nova-ctl node list`.', ru: 'Список узлов: `nova-ctl node list`.' },
      status: 404,
    },
    NOVA8011: {
      message: { en: 'No catalog is approved for {node}.', ru: 'Для узла {node} нет утверждённого каталога.' },
      remedy: {
        en: 'Apply a manifest that has this node: `nova-ctl config apply`.',
        ru: 'Примените манифест с этим узлом: `nova-ctl config apply`.',
      },
      status: 404,
    },
    NOVA8012: {
      message: {
        en: 'The node {node} belongs to cluster {cluster}.',
        ru: 'Узел {node} принадлежит кластеру {cluster}.',
      },
      remedy: {
        en: 'A node has one name and one cluster; rename this one.',
        ru: 'У узла одно имя и один кластер; дайте этому узлу другое имя.',
      },
    },
    NOVA8013: {
      isLostAgent: true,
      message: {
        en: 'The agent of {node} has not connected within {seconds} seconds.',
        ru: 'Агент узла {node} не подключился за {seconds} с.',
      },
      remedy: {
        en: 'Look on the node: `systemctl status nova-agent`, `journalctl -u nova-agent`.',
        ru: 'Проверьте на узле: `systemctl status nova-agent`, `journalctl -u nova-agent`.',
      },
    },
    NOVA8014: {
      isLostAgent: true,
      message: { en: 'The run on {node} was interrupted.', ru: 'Запуск на узле {node} прервался.' },
      remedy: {
        en: 'Its log is on the node: `journalctl -u nova-agent`. Retry: `nova-ctl node run {node}`.',
        ru: 'Журнал — на узле: `journalctl -u nova-agent`. Повторите: `nova-ctl node run {node}`.',
      },
    },
    NOVA8015: {
      isLostAgent: true,
      message: { en: '{node} has no valid certificate.', ru: 'У узла {node} нет действующего сертификата.' },
      remedy: {
        en: 'Enrol it: `nova-ctl config token create --node {node}`.',
        ru: 'Зарегистрируйте его: `nova-ctl config token create --node {node}`.',
      },
    },
    NOVA8016: {
      message: { en: '{node} has sent nothing yet.', ru: 'Узел {node} ещё ничего не присылал.' },
      remedy: {
        en: 'Its facts, catalog and reports come with its first run: enrol it, or `nova-ctl node run {node}`.',
        ru: 'Факты, каталог и отчёты появятся при первом запуске: зарегистрируйте узел или выполните `nova-ctl node run {node}`.',
      },
    },
    NOVA8017: {
      message: {
        en: 'The change differs from the one that was shown: {difference}.',
        ru: 'Изменения уже не те, что были показаны. Теперь: {difference}.',
      },
      remedy: {
        en: 'The facts changed, or another change was approved. Review the change again, then approve it.',
        ru: 'За это время изменились факты или утверждено другое. Посмотрите ещё раз и утвердите увиденное.',
      },
    },
    NOVA8020: {
      message: { en: 'A client certificate is needed.', ru: 'Нужен клиентский сертификат.' },
      remedy: {
        en: 'Enrol the node with a token; its certificate must be ours, valid and not revoked.',
        ru: 'Зарегистрируйте узел с токеном; сертификат должен быть выдан здесь, действителен и не отозван.',
      },
      status: 403,
    },
    NOVA8021: {
      message: { en: '{node} cannot request data of {other}.', ru: '{node} не может запрашивать {other}.' },
      remedy: { en: 'A node can only request its own data.', ru: 'Узел запрашивает только своё.' },
      status: 403,
    },
    NOVA8022: {
      message: {
        en: 'The enrolment token is not valid for {node}.',
        ru: 'Токен регистрации не подходит для узла {node}.',
      },
      remedy: {
        en: 'It may be used, expired or another node’s. Make a new one: `nova-ctl config token create --node {node}`.',
        ru: 'Он уже использован, истёк или выдан другому узлу. Создайте новый: `nova-ctl config token create --node {node}`.',
      },
      status: 403,
    },
    NOVA8023: {
      message: {
        en: 'The request of {node} contains what it is not allowed: {what}.',
        ru: 'В запросе есть то, что узлу {node} не положено: {what}.',
      },
      remedy: {
        en: 'Ask for exactly what is planned for this node.',
        ru: 'Запрашивайте только то, что запланировано для этого узла.',
      },
      status: 403,
    },
    NOVA8024: {
      message: { en: '{what} is not planned for {node}.', ru: '{what} не запланировано для узла {node}.' },
      remedy: {
        en: 'Only what the applied plan lists is given out.',
        ru: 'Выдаётся только то, что есть в применённом плане.',
      },
      status: 404,
    },
    NOVA8025: {
      message: { en: 'The body cannot be read: {reason}.', ru: 'Тело запроса не читается: {reason}.' },
      remedy: { en: 'Send what a stock agent sends.', ru: 'Отправляйте то же, что стандартный агент.' },
      status: 400,
    },
    NOVA8030: {
      message: { en: 'The Configuration Manager does not respond.', ru: 'Configuration Manager не отвечает.' },
      remedy: {
        en: 'Start it with `nova-ctl config serve`, or name its socket in NOVA_CONFIG_SOCKET.',
        ru: 'Запустите его: `nova-ctl config serve`, или укажите его сокет в NOVA_CONFIG_SOCKET.',
      },
    },
    NOVA8031: {
      message: {
        en: 'The Configuration Manager belongs to another user.',
        ru: 'Configuration Manager принадлежит другому пользователю.',
      },
      remedy: { en: 'Run the command as that user or as root.', ru: 'Выполните команду от его имени или от root.' },
    },
    NOVA8032: {
      message: {
        en: 'Another Configuration Manager listens at {socket}.',
        ru: 'На {socket} уже отвечает другой Configuration Manager.',
      },
      remedy: {
        en: 'Stop it, or give this one another socket with --socket.',
        ru: 'Остановите его или укажите другой сокет с помощью --socket.',
      },
    },
    NOVA8033: {
      message: { en: 'Cannot listen on {address}: {reason}.', ru: 'Не удаётся слушать {address}: {reason}.' },
      remedy: {
        en: 'Give one that is free and belongs to this host.',
        ru: 'Укажите свободный адрес этого узла.',
      },
    },
    NOVA8034: {
      message: {
        en: 'The data in {folder} cannot be used: {reason}.',
        ru: 'Данные в {folder} использовать нельзя: {reason}.',
      },
      remedy: {
        en: 'Check the folder, its permissions and the key file it was made with.',
        ru: 'Проверьте каталог, права на него и файл ключа, с которым он создан.',
      },
    },
  },
);
