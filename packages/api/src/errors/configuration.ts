import { area } from './area.ts';

export const configuration = area(
  'configuration',
  { en: 'Configuration of nodes', ru: 'Конфигурация узлов' },
  {
    NOVA8001: {
      message: { en: 'Duplicate resource {resource} in the catalog.', ru: '{resource} встречается в каталоге дважды.' },
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
        en: 'Parameter {parameter} of {resource} is not valid: {reason}.',
        ru: 'Неверный параметр {parameter} у {resource}: {reason}.',
      },
      remedy: { en: 'Fix it: agents reject the whole catalog.', ru: 'Исправьте его: агент отклоняет каталог целиком.' },
    },
    NOVA8005: {
      message: { en: 'Resources depend on each other: {cycle}.', ru: 'Ресурсы зависят друг от друга: {cycle}.' },
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
      remedy: { en: 'List the nodes: `nova-ctl node list`.', ru: 'Список узлов: `nova-ctl node list`.' },
      status: 404,
    },
    NOVA8011: {
      message: { en: 'No catalog is approved for {node}.', ru: 'Для узла {node} нет утверждённого каталога.' },
      remedy: {
        en: 'Apply a manifest that contains this node: `nova-ctl config apply`.',
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
        en: 'A node name must be unique across clusters. Rename this node.',
        ru: 'Имена узлов в разных кластерах не должны совпадать. Переименуйте этот узел.',
      },
    },
    NOVA8013: {
      isLostAgent: true,
      message: {
        en: 'The agent of {node} has not connected within {seconds} seconds.',
        ru: 'Агент узла {node} не подключился за {seconds} с.',
      },
      remedy: {
        en: 'Check it on the node: `systemctl status nova-agent`, `journalctl -u nova-agent`.',
        ru: 'Проверьте его на узле: `systemctl status nova-agent`, `journalctl -u nova-agent`.',
      },
    },
    NOVA8014: {
      isLostAgent: true,
      message: { en: 'The run on {node} was interrupted.', ru: 'Запуск на узле {node} прерван.' },
      remedy: {
        en: 'See the log on the node: `journalctl -u nova-agent`. Retry: `nova-ctl node run {node}`.',
        ru: 'Посмотрите журнал на узле: `journalctl -u nova-agent`. Повторите: `nova-ctl node run {node}`.',
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
      message: { en: '{node} has not sent any data yet.', ru: 'Узел {node} ещё не присылал данных.' },
      remedy: {
        en: 'Facts, catalog and reports appear after the first run. Enrol the node, or run its agent: `nova-ctl node run {node}`.',
        ru: 'Факты, каталог и отчёты появятся после первого запуска. Зарегистрируйте узел или запустите его агент: `nova-ctl node run {node}`.',
      },
    },
    NOVA8017: {
      message: {
        en: 'The changes differ from those that were shown. {difference}.',
        ru: 'Изменения отличаются от показанных. {difference}.',
      },
      remedy: {
        en: 'Facts changed, or another change was approved. Review the changes again, then approve them.',
        ru: 'Изменились факты, или утверждено другое изменение. Просмотрите изменения ещё раз и утвердите их.',
      },
    },
    NOVA8020: {
      message: { en: 'A client certificate is required.', ru: 'Нужен клиентский сертификат.' },
      remedy: {
        en: 'Enrol the node with a token. Its certificate must be issued by this platform, valid and not revoked.',
        ru: 'Зарегистрируйте узел с токеном. Сертификат должен быть выдан этой платформой, действителен и не отозван.',
      },
      status: 403,
    },
    NOVA8021: {
      message: { en: '{node} cannot request data of {other}.', ru: '{node} не может запрашивать данные {other}.' },
      remedy: { en: 'A node can only request its own data.', ru: 'Узел может запрашивать только собственные данные.' },
      status: 403,
    },
    NOVA8022: {
      message: {
        en: 'The enrolment token is not valid for {node}.',
        ru: 'Токен регистрации не подходит для узла {node}.',
      },
      remedy: {
        en: 'It was already used, has expired or belongs to another node. Create a new one: `nova-ctl config token create --node {node}`.',
        ru: 'Он уже использован, истёк или выдан другому узлу. Создайте новый: `nova-ctl config token create --node {node}`.',
      },
      status: 403,
    },
    NOVA8023: {
      message: {
        en: 'The request of {node} contains data that is not allowed: {what}.',
        ru: 'Запрос узла {node} содержит недопустимые данные: {what}.',
      },
      remedy: {
        en: 'Request exactly what is planned for this node.',
        ru: 'Запрашивайте только то, что запланировано для этого узла.',
      },
      status: 403,
    },
    NOVA8024: {
      message: { en: '{what} is not planned for {node}.', ru: '{what} не запланировано для узла {node}.' },
      remedy: {
        en: 'A node only gets what the applied plan contains.',
        ru: 'Узел получает только то, что есть в применённом плане.',
      },
      status: 404,
    },
    NOVA8025: {
      message: {
        en: 'The request body cannot be parsed: {reason}.',
        ru: 'Тело запроса не удаётся разобрать: {reason}.',
      },
      remedy: { en: 'Use the request format of the Puppet agent.', ru: 'Используйте формат запросов агента Puppet.' },
      status: 400,
    },
    NOVA8030: {
      message: { en: 'The Configuration Manager does not respond.', ru: 'Менеджер конфигураций не отвечает.' },
      remedy: {
        en: 'Start it: `nova-ctl config serve`. Or set NOVA_CONFIG_SOCKET to its socket.',
        ru: 'Запустите его: `nova-ctl config serve`. Или укажите его сокет в NOVA_CONFIG_SOCKET.',
      },
    },
    NOVA8031: {
      message: {
        en: 'The Configuration Manager belongs to another user.',
        ru: 'Менеджер конфигураций принадлежит другому пользователю.',
      },
      remedy: { en: 'Run the command as that user or as root.', ru: 'Выполните команду от его имени или от root.' },
    },
    NOVA8032: {
      message: {
        en: 'Another Configuration Manager listens on {socket}.',
        ru: 'Другой менеджер конфигураций уже слушает {socket}.',
      },
      remedy: {
        en: 'Stop it, or choose another socket with --socket.',
        ru: 'Остановите его или укажите другой сокет с помощью --socket.',
      },
    },
    NOVA8033: {
      message: { en: 'Cannot listen on {address}: {reason}.', ru: 'Не удаётся слушать {address}: {reason}.' },
      remedy: { en: 'Use a free address of this host.', ru: 'Укажите свободный адрес этого хоста.' },
    },
    NOVA8034: {
      message: {
        en: 'The data in {folder} cannot be used: {reason}.',
        ru: 'Данные в {folder} использовать нельзя: {reason}.',
      },
      remedy: {
        en: 'Check the folder, its permissions and its key file.',
        ru: 'Проверьте каталог, права на него и его файл ключа.',
      },
    },
  },
);
