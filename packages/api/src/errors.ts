import type { Text } from './text.ts';

interface ErrorEntry {
  /** What is wrong. `{name}` stands for a parameter. */
  message: Text;
  /** What would be right, or what to do. */
  remedy: Text;
  /** How HTTP says it; 422 where nothing is given. */
  status?: number;
}

/** Every error a user can meet, with its code. The reference page is made from this table. */
export const errors = {
  // 1xxx: files and YAML
  NOVA1001: {
    message: { en: 'The file is larger than {limit}.', ru: 'Файл больше {limit}.' },
    remedy: {
      en: 'Split it, or check that it is a manifest at all; it was not read.',
      ru: 'Разделите его или проверьте, манифест ли это; файл не читался.',
    },
  },
  NOVA1002: {
    message: { en: 'The file is not UTF-8 text.', ru: 'Файл не является текстом в UTF-8.' },
    remedy: {
      en: 'Give YAML or JSON documents encoded in UTF-8.',
      ru: 'Укажите документы YAML или JSON в кодировке UTF-8.',
    },
  },
  NOVA1003: {
    message: { en: 'Cannot read: {reason}.', ru: 'Не удаётся прочитать: {reason}.' },
    remedy: { en: 'Check the path and its permissions.', ru: 'Проверьте путь и права доступа.' },
  },
  NOVA1004: {
    message: { en: 'There is no document here.', ru: 'Здесь нет ни одного документа.' },
    remedy: {
      en: 'Give a file with at least one document, or a folder with .yaml, .yml or .json files. `nova-ctl init` writes one.',
      ru: 'Укажите файл хотя бы с одним документом или каталог с файлами .yaml, .yml или .json. `nova-ctl init` создаст такой файл.',
    },
  },
  NOVA1101: {
    message: { en: 'Not valid YAML: {reason}.', ru: 'Ошибка YAML: {reason}.' },
    remedy: {
      en: 'Correct the syntax here; the cause may stand just above.',
      ru: 'Исправьте синтаксис в этом месте; причина может быть строкой выше.',
    },
  },
  NOVA1102: {
    message: { en: 'A tab is used for indentation.', ru: 'Отступ сделан табуляцией.' },
    remedy: { en: 'YAML is indented with spaces.', ru: 'В YAML отступы делаются пробелами.' },
  },
  NOVA1103: {
    message: { en: 'The key {key} stands twice in one mapping.', ru: 'Ключ {key} встречается в одном объекте дважды.' },
    remedy: { en: 'Keep one; the first is at line {line}.', ru: 'Оставьте один; первый — в строке {line}.' },
  },
  NOVA1104: {
    message: { en: 'Nested deeper than {limit} levels.', ru: 'Вложенность больше {limit} уровней.' },
    remedy: {
      en: 'No document of ours is nested that deep.',
      ru: 'В документах платформы такой вложенности не бывает.',
    },
  },
  NOVA1105: {
    message: {
      en: 'Aliases make this document grow beyond {limit} values.',
      ru: 'Из-за ссылок (alias) документ разрастается больше чем до {limit} значений.',
    },
    remedy: {
      en: 'Write the values out, or use fewer aliases.',
      ru: 'Запишите значения явно или сократите число ссылок.',
    },
  },
  NOVA1106: {
    message: { en: '{feature} cannot be used in a manifest.', ru: 'В манифесте нельзя использовать: {feature}.' },
    remedy: {
      en: 'Use plain mappings with text keys, lists and values.',
      ru: 'Используйте обычные объекты с текстовыми ключами, списки и значения.',
    },
  },

  // 2xxx: the shape of documents
  NOVA2001: {
    message: {
      en: 'A document must be a mapping, not {found}.',
      ru: 'Документ должен быть объектом, а здесь {found}.',
    },
    remedy: { en: 'Begin it with apiVersion and kind.', ru: 'Начните его с apiVersion и kind.' },
  },
  NOVA2002: {
    message: { en: 'Unknown kind {kind}.', ru: 'Неизвестный вид документа {kind}.' },
    remedy: { en: '{nearest}Known kinds: {known}.', ru: '{nearest}Известные виды: {known}.' },
  },
  NOVA2003: {
    message: { en: '{kind} has no version {version}.', ru: 'У {kind} нет версии {version}.' },
    remedy: { en: 'Write apiVersion: {known}.', ru: 'Укажите apiVersion: {known}.' },
  },
  NOVA2004: {
    message: { en: 'Unknown field {field}.', ru: 'Неизвестное поле {field}.' },
    remedy: { en: '{nearest}Known fields here: {known}.', ru: '{nearest}Известные поля: {known}.' },
  },
  NOVA2005: {
    message: { en: 'The field {field} is missing.', ru: 'Нет поля {field}.' },
    remedy: { en: 'Add it: {expected}.', ru: 'Добавьте его: {expected}.' },
  },
  NOVA2006: {
    message: { en: 'This is {found}.', ru: 'Здесь {found}.' },
    remedy: { en: 'Write {expected}.', ru: 'Нужно: {expected}.' },
  },
  NOVA2007: {
    message: { en: '{found} is not one of the allowed values.', ru: 'Значение {found} не входит в число допустимых.' },
    remedy: { en: '{nearest}Allowed: {allowed}.', ru: '{nearest}Допустимо: {allowed}.' },
  },
  NOVA2008: {
    message: { en: 'The value is out of bounds.', ru: 'Значение выходит за допустимые пределы.' },
    remedy: { en: 'Give {expected}.', ru: 'Нужно: {expected}.' },
  },
  NOVA2009: {
    message: { en: 'The value is not of the expected form.', ru: 'Значение неверного формата.' },
    remedy: { en: 'Give {expected}.', ru: 'Нужно: {expected}.' },
  },
  NOVA2010: {
    message: { en: 'The key is not of the expected form.', ru: 'Ключ неверного формата.' },
    remedy: { en: 'Give {expected}.', ru: 'Нужно: {expected}.' },
  },

  // 3xxx: rules between fields and documents
  NOVA3001: {
    message: {
      en: '{field} {network} overlaps {otherField} {other}.',
      ru: '{field} {network} пересекается с {otherField} {other}.',
    },
    remedy: {
      en: 'Choose networks that do not overlap.',
      ru: 'Выберите непересекающиеся сети.',
    },
  },
  NOVA3002: {
    message: {
      en: 'The node network {network} overlaps {other} of cluster {cluster}.',
      ru: 'Сеть узлов {network} пересекается с сетью {other} кластера {cluster}.',
    },
    remedy: {
      en: 'Node networks are unique across clusters; {free}.',
      ru: 'Сети узлов у кластеров разные; {free}.',
    },
  },
  NOVA3003: {
    message: {
      en: '{field} {network} overlaps the {site} network {other}.',
      ru: '{field} {network} пересекается с сетью {site} {other}.',
    },
    remedy: {
      en: 'That network belongs to the platform; {free}.',
      ru: 'Эта сеть принадлежит платформе; {free}.',
    },
  },
  NOVA3004: {
    message: {
      en: '{network} is an address inside a network, not a network.',
      ru: '{network} — адрес внутри сети, а не сеть.',
    },
    remedy: { en: 'Write {right}.', ru: 'Укажите {right}.' },
  },
  NOVA3005: {
    message: { en: 'The cluster has {count} control-plane nodes.', ru: 'В кластере {count} узлов control-plane.' },
    remedy: {
      en: 'Use 1, 3 or 5: an even number adds no safety, and etcd slows down beyond five.',
      ru: 'Нужно 1, 3 или 5: чётное число не повышает надёжность, а при числе больше пяти замедляется etcd.',
    },
  },
  NOVA3006: {
    message: {
      en: '{network} is too {size} for {field}.',
      ru: '{network} — слишком {size} сеть для {field}.',
    },
    remedy: {
      en: 'Use a prefix length from /{shortest} to /{longest}.',
      ru: 'Длина префикса — от /{shortest} до /{longest}.',
    },
  },
  NOVA3007: {
    message: {
      en: 'Module {module} needs a node with the role {role}, and the cluster has none.',
      ru: 'Модулю {module} нужен узел с ролью {role}, а в кластере его нет.',
    },
    remedy: { en: 'Add {role} to the roles of a node group.', ru: 'Добавьте {role} в роли одной из групп узлов.' },
  },
  NOVA3008: {
    message: { en: 'There is no module {module}.', ru: 'Модуля {module} нет.' },
    remedy: { en: '{nearest}Modules: {known}.', ru: '{nearest}Модули: {known}.' },
  },
  NOVA3009: {
    message: {
      en: '{module} is a base module and cannot be disabled.',
      ru: '{module} — базовый модуль, его нельзя отключить.',
    },
    remedy: { en: 'Remove `enabled: false`.', ru: 'Уберите `enabled: false`.' },
  },
  NOVA3010: {
    message: {
      en: 'Kubernetes {version} cannot be installed by this release.',
      ru: 'Этот выпуск не может установить Kubernetes {version}.',
    },
    remedy: { en: 'Use one of: {known}.', ru: 'Используйте одну из версий: {known}.' },
  },
  NOVA3011: {
    message: { en: 'Provider {provider} needs {field}.', ru: 'Провайдеру {provider} нужно поле {field}.' },
    remedy: {
      en: 'Add it; `nova-ctl explain Infrastructure.{field}` describes it.',
      ru: 'Добавьте его; описание: `nova-ctl explain Infrastructure.{field}`.',
    },
  },
  NOVA3012: {
    message: {
      en: '{field} is not for provider {provider}.',
      ru: 'Поле {field} не относится к провайдеру {provider}.',
    },
    remedy: { en: 'Remove it, or change spec.provider.type.', ru: 'Уберите его или измените spec.provider.type.' },
  },
  NOVA3013: {
    message: { en: '{value} stands twice in {field}.', ru: '{value} встречается в {field} дважды.' },
    remedy: { en: 'Keep one of them.', ru: 'Оставьте одно.' },
  },
  NOVA3014: {
    message: {
      en: "The cluster's name would be {name}, the first label of dnsBaseDomain, which is longer than {limit} characters.",
      ru: 'Имя кластера было бы {name} (первая метка dnsBaseDomain), а это больше {limit} знаков.',
    },
    remedy: { en: 'Set clusterName.', ru: 'Задайте clusterName.' },
  },
  NOVA3015: {
    message: {
      en: '{name} is inside the zone {zone}, which the cluster answers itself.',
      ru: '{name} находится в зоне {zone}, которую обслуживает сам кластер.',
    },
    remedy: { en: 'Use a name outside that zone.', ru: 'Используйте имя вне этой зоны.' },
  },
  NOVA3016: {
    message: {
      en: '{name} is a name of a platform service.',
      ru: 'Имя {name} занято службой платформы.',
    },
    remedy: {
      en: 'Names of platform services under dnsBaseDomain are fixed; choose another.',
      ru: 'Имена служб платформы в dnsBaseDomain неизменны; выберите другое.',
    },
  },
  NOVA3017: {
    message: {
      en: '{address} is inside {field} {network}.',
      ru: 'Адрес {address} находится внутри {field} {network}.',
    },
    remedy: {
      en: 'Addresses of that network are given out by the cluster; use one outside it.',
      ru: 'Адреса этой сети раздаёт кластер; используйте адрес вне неё.',
    },
  },
  NOVA3018: {
    message: {
      en: '{address} is outside {field} {network}.',
      ru: 'Адрес {address} находится вне {field} {network}.',
    },
    remedy: { en: 'Use an address of that network.', ru: 'Используйте адрес этой сети.' },
  },
  NOVA3019: {
    message: {
      en: '{field} is given, but customerDns.enable is false.',
      ru: 'Задано {field}, но customerDns.enable равно false.',
    },
    remedy: { en: 'Set enable: true, or remove it.', ru: 'Укажите enable: true или уберите его.' },
  },
  NOVA3020: {
    message: {
      en: 'Group {group} has count {count} and lists {hosts} hosts.',
      ru: 'В группе {group} указано count {count}, а узлов перечислено {hosts}.',
    },
    remedy: { en: 'Remove count: the list says it.', ru: 'Уберите count: число следует из списка.' },
  },
  NOVA3021: {
    message: {
      en: '{count} control-plane nodes need one address, and provider {provider} has no load balancer of its own.',
      ru: 'Узлам control-plane ({count}) нужен общий адрес, а у провайдера {provider} нет своего балансировщика.',
    },
    remedy: {
      en: 'Set k8sAPIAddress to the address of a load balancer in front of them (TCP 6443).',
      ru: 'Укажите в k8sAPIAddress адрес балансировщика перед ними (TCP 6443).',
    },
  },
  NOVA3022: {
    message: {
      en: 'The range {range} ends before it begins.',
      ru: 'Диапазон {range} кончается раньше, чем начинается.',
    },
    remedy: { en: 'Write the smaller address first.', ru: 'Укажите меньший адрес первым.' },
  },
  NOVA3023: {
    message: { en: 'Cluster {cluster} is declared twice.', ru: 'Кластер {cluster} объявлен дважды.' },
    remedy: {
      en: 'The other is in {other}. Give one of them, or another clusterName.',
      ru: 'Второй — в {other}. Оставьте один или задайте другое clusterName.',
    },
  },
  NOVA3024: {
    message: {
      en: '{count} clusters could be meant by this {kind}.',
      ru: 'Этот {kind} может относиться к нескольким кластерам ({count}).',
    },
    remedy: {
      en: 'Put it into the file of its Infrastructure, or into a folder with only that one.',
      ru: 'Поместите его в файл с его Infrastructure или в каталог, где она одна.',
    },
  },
  NOVA3025: {
    message: {
      en: 'The zone {zone} is forwarded to {server}, which is inside the cluster: queries would go round in a loop.',
      ru: 'Зона {zone} перенаправляется на {server} внутри самого кластера: запросы пойдут по кругу.',
    },
    remedy: { en: 'Give a DNS server outside the cluster.', ru: 'Укажите сервер DNS вне кластера.' },
  },
  NOVA3026: {
    message: {
      en: 'dnsBaseDomain {base} and k8sDefaultDnsZone {zone} contain one another.',
      ru: 'dnsBaseDomain {base} и k8sDefaultDnsZone {zone} вложены друг в друга.',
    },
    remedy: { en: 'Use separate zones.', ru: 'Используйте разные зоны.' },
  },
  NOVA3027: {
    message: { en: 'Cluster {cluster} has more than one {kind}.', ru: 'У кластера {cluster} больше одного {kind}.' },
    remedy: { en: 'The other is in {other}. Keep one.', ru: 'Второй — в {other}. Оставьте один.' },
  },
  NOVA3028: {
    message: { en: 'Pod networking by {cni} is not there yet.', ru: 'Сеть подов {cni} пока не поддерживается.' },
    remedy: {
      en: 'Use `cni: basic`. It does not enforce network policies.',
      ru: 'Укажите `cni: basic`. Сетевые политики он не применяет.',
    },
  },
  NOVA3029: {
    message: {
      en: 'Clusters of the provider {provider} can be planned, but not made yet.',
      ru: 'Кластеры провайдера {provider} пока можно только планировать, но не создавать.',
    },
    remedy: {
      en: 'Use the provider `local`, or only look at the plan: `nova-ctl plan -f FILE`.',
      ru: 'Укажите провайдер `local` или только посмотрите план: `nova-ctl plan -f ФАЙЛ`.',
    },
  },
  NOVA3030: {
    message: {
      en: 'The module {module} has nobody who would deliver it: `delivery` is `none`.',
      ru: 'Модуль {module} некому доставить: `delivery` равно `none`.',
    },
    remedy: {
      en: 'Use `delivery: flux`, or leave the module out.',
      ru: 'Укажите `delivery: flux` или уберите модуль.',
    },
  },
  NOVA3031: {
    message: {
      en: 'Cluster {cluster} has the base domain {domain} already.',
      ru: 'Базовый домен {domain} уже у кластера {cluster}.',
    },
    remedy: {
      en: 'Every cluster answers for a domain of its own; choose another dnsBaseDomain.',
      ru: 'У каждого кластера свой домен; выберите другой dnsBaseDomain.',
    },
  },
  NOVA3040: {
    message: {
      en: 'The base domain {domain} lies under or above {zone}, where the platform has its own names.',
      ru: 'Базовый домен {domain} лежит внутри {zone} или над ним, а там собственные имена платформы.',
    },
    remedy: { en: 'Choose a dnsBaseDomain beside it.', ru: 'Выберите dnsBaseDomain вне его.' },
  },
  NOVA3050: {
    message: {
      en: '{size} is too little for the {field} of a node.',
      ru: 'Для поля {field} узла значение {size} слишком мало.',
    },
    remedy: {
      en: 'Give at least {least}. A number without a suffix is in bytes.',
      ru: 'Укажите не меньше {least}. Число без суффикса — это байты.',
    },
  },
  NOVA3051: {
    message: {
      en: '{value} is outside the external network of this site.',
      ru: '{value} не входит во внешнюю сеть этой площадки.',
    },
    remedy: {
      en: 'Clusters of the provider `local` share the external network of their host. Choose from {allowed}, or remove `externalNetwork`.',
      ru: 'Кластеры провайдера `local` используют общую внешнюю сеть своего хоста. Выберите из {allowed} или удалите `externalNetwork`.',
    },
  },
  NOVA3052: {
    message: {
      en: '{gateway} is not the gateway of the external network of this site.',
      ru: '{gateway} — не шлюз внешней сети этой площадки.',
    },
    remedy: {
      en: 'Write `gateway: {right}`, or remove `externalNetwork`.',
      ru: 'Укажите `gateway: {right}` или удалите `externalNetwork`.',
    },
  },
  NOVA3070: {
    message: {
      en: 'The nodes of the group {group} are installed without the role control-plane: it cannot be added to them.',
      ru: 'Узлы группы {group} установлены без роли control-plane: добавить её им нельзя.',
    },
    remedy: {
      en: 'Take the role out of this group, and add a group of new nodes with it.',
      ru: 'Уберите роль из этой группы и добавьте группу новых узлов с этой ролью.',
    },
  },
  NOVA3071: {
    message: {
      en: 'The nodes of the group {group} are control planes: the role control-plane cannot be removed from them.',
      ru: 'Узлы группы {group} — узлы управления: убрать у них роль control-plane нельзя.',
    },
    remedy: {
      en: 'Give the group its role back. To replace its nodes, add a group of new control planes, apply, then remove this group.',
      ru: 'Верните группе её роль. Чтобы заменить узлы, добавьте группу новых узлов управления, примените и затем удалите эту группу.',
    },
  },
  NOVA3072: {
    message: {
      en: 'The address of the host {host} cannot change while it is a node: it is {before}, and {after} is declared.',
      ru: 'Адрес хоста {host} нельзя изменить, пока он узел кластера: сейчас {before}, а указан {after}.',
    },
    remedy: {
      en: 'Set it back to {before}. To move the host, remove it from the group, apply, then add it with its new address.',
      ru: 'Верните {before}. Чтобы перенести хост, уберите его из группы, примените и добавьте снова с новым адресом.',
    },
  },
  NOVA3073: {
    message: {
      en: 'The router of {cluster} has the external address {address}, which externalNetwork.addresses no longer holds.',
      ru: 'У маршрутизатора кластера {cluster} внешний адрес {address}, а в externalNetwork.addresses его больше нет.',
    },
    remedy: {
      en: 'Add {address} to spec.externalNetwork.addresses: the router keeps its address.',
      ru: 'Добавьте {address} в spec.externalNetwork.addresses: адрес маршрутизатора не меняется.',
    },
  },

  // 4xxx: changes refused after installation
  NOVA4001: {
    message: {
      en: '{field} cannot change after installation: it is {before}, and {after} is asked for.',
      ru: '{field} нельзя изменить после установки: сейчас {before}, а запрошено {after}.',
    },
    remedy: {
      en: 'Set it back to {before}, or install a new cluster.',
      ru: 'Верните {before} или установите новый кластер.',
    },
  },
  NOVA4002: {
    message: {
      en: 'DNS cannot go from internal or hybrid to external mode after installation.',
      ru: 'Перейти от внутреннего или гибридного режима DNS к внешнему после установки нельзя.',
    },
    remedy: {
      en: 'Remove {zone} from forwardZones. To let your servers answer for it, forward the zone from them to the infra nodes (hybrid).',
      ru: 'Уберите {zone} из forwardZones. Чтобы имена разрешали ваши серверы, перенаправьте на них зону к узлам infra (гибридный режим).',
    },
  },

  // 5xxx: planning
  NOVA5001: {
    message: {
      en: 'The pool of {pool} ({range}) has no place left for {consumer}.',
      ru: 'В пуле «{pool}» ({range}) нет места для {consumer}.',
    },
    remedy: {
      en: 'Widen it, or ask for less: {needed} more needed, {free} free.',
      ru: 'Расширьте его или уменьшите запрос: нужно ещё {needed}, свободно {free}.',
    },
  },
  NOVA5002: {
    message: {
      en: 'Not a plan that this version can read: {reason}.',
      ru: 'Это не план, который понимает эта версия: {reason}.',
    },
    remedy: {
      en: 'Give a file made by `nova-ctl plan --output json`.',
      ru: 'Укажите файл, созданный командой `nova-ctl plan --output json`.',
    },
  },
  NOVA5003: {
    message: {
      en: 'The files declare {count} clusters: {clusters}.',
      ru: 'В файлах объявлено кластеров: {count} ({clusters}).',
    },
    remedy: { en: 'Choose one with --cluster.', ru: 'Выберите один с помощью --cluster.' },
  },
  NOVA5004: {
    message: { en: 'The files declare no cluster.', ru: 'В файлах не объявлен ни один кластер.' },
    remedy: { en: 'Add an Infrastructure document.', ru: 'Добавьте документ Infrastructure.' },
  },

  // 6xxx: the command line
  NOVA6001: {
    message: { en: '{file} exists already.', ru: 'Файл {file} уже есть.' },
    remedy: {
      en: 'Name another file, or remove this one (`init` overwrites it with --force).',
      ru: 'Укажите другой файл или удалите этот (`init` перезаписывает его с --force).',
    },
  },
  NOVA6002: {
    message: { en: 'Nothing is known about {topic}.', ru: 'О {topic} ничего не известно.' },
    remedy: {
      en: '{nearest}Give a kind, a field, a module or an error code.',
      ru: '{nearest}Укажите вид документа, поле, модуль или код ошибки.',
    },
  },
  NOVA6003: {
    message: { en: 'Cannot write {file}: {reason}.', ru: 'Не удаётся записать {file}: {reason}.' },
    remedy: {
      en: 'Check the path, its permissions and the free space.',
      ru: 'Проверьте путь, права доступа и свободное место.',
    },
  },
  NOVA6004: {
    message: { en: 'There is no terminal to ask on.', ru: 'Нет терминала, чтобы задать вопросы.' },
    remedy: { en: 'Add --yes to accept the defaults.', ru: 'Добавьте --yes, чтобы принять значения по умолчанию.' },
  },

  // 7xxx: machines and networks on this box
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
    message: { en: 'The image {image} could not be built: {reason}', ru: 'Не удалось собрать образ {image}: {reason}' },
    remedy: {
      en: 'Mend the cause and build it again; nothing half-made remains.',
      ru: 'Устраните причину и соберите снова; ничего недоделанного не осталось.',
    },
  },
  NOVA7010: {
    message: { en: 'There is no {kind} {name}.', ru: 'Нет: {kind} {name}.' },
    remedy: { en: '{nearest}Known: {known}.', ru: '{nearest}Есть: {known}.' },
  },
  NOVA7011: {
    message: { en: 'The machine {name} does not run.', ru: 'Машина {name} не работает.' },
    remedy: { en: 'Start it: nova-ctl machine restart {name}.', ru: 'Запустите её: nova-ctl machine restart {name}.' },
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
      en: 'Not enough {what} on this box: {free} free, {needed} asked for.',
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
    message: { en: 'The engine does not answer.', ru: 'Движок не отвечает.' },
    remedy: { en: 'Start it: nova-ctl host up (as root).', ru: 'Запустите его: nova-ctl host up (с правами root).' },
  },
  NOVA7031: {
    message: { en: 'This needs root.', ru: 'Нужны права root.' },
    remedy: { en: 'Run it as root, for example with sudo.', ru: 'Запустите с правами root, например через sudo.' },
  },
  NOVA7032: {
    message: { en: 'This box lacks {what}.', ru: 'На этой машине нет: {what}.' },
    remedy: { en: '{remedy}', ru: '{remedy}' },
  },
  NOVA7033: {
    message: { en: '{what} did not come up in time.', ru: '{what}: не запустилось вовремя.' },
    remedy: {
      en: 'Look at {log}, then try `nova-ctl host up` again.',
      ru: 'Посмотрите {log} и повторите `nova-ctl host up`.',
    },
  },
  NOVA7034: {
    message: { en: 'There is nothing at {method} {path}.', ru: 'По адресу {method} {path} ничего нет.' },
    remedy: { en: 'The API describes itself in openapi.json.', ru: 'Описание API — в openapi.json.' },
    status: 404,
  },
  NOVA7040: {
    message: { en: 'A client of the engine may not do this: {call}.', ru: 'Клиенту движка это не разрешено: {call}.' },
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
      en: 'Build it again: nova-ctl image build {image}.',
      ru: 'Соберите его снова: nova-ctl image build {image}.',
    },
  },
  // 707x: clients of the engine
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
  // 708x: updates of images
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
  // 81xx: certificates
  NOVA8101: {
    message: {
      en: 'The certificate request cannot be read: {reason}.',
      ru: 'Запрос на сертификат не удаётся прочитать: {reason}.',
    },
    remedy: {
      en: 'Have the node make a new one: run `puppet ssl clean` there, then the agent again.',
      ru: 'Создайте на узле новый запрос: выполните там `puppet ssl clean` и снова запустите агент.',
    },
  },
  NOVA8102: {
    message: {
      en: 'The certificate request is not signed with its own key.',
      ru: 'Запрос на сертификат подписан не своим ключом.',
    },
    remedy: {
      en: 'It was changed on its way, or made from another key. Run `puppet ssl clean` on the node, then the agent again.',
      ru: 'Его изменили по пути или создали с другим ключом. Выполните на узле `puppet ssl clean` и снова запустите агент.',
    },
  },
  NOVA8103: {
    message: {
      en: 'The key of the certificate request is not accepted: {kind}.',
      ru: 'Ключ запроса на сертификат не принимается: {kind}.',
    },
    remedy: {
      en: 'Use RSA of 2048 to 8192 bits with exponent 65537, or EC P-256 or P-384: set `keylength` or `key_type` in puppet.conf on the node, run `puppet ssl clean`, then the agent again.',
      ru: 'Нужен RSA от 2048 до 8192 бит с экспонентой 65537 либо EC P-256 или P-384: задайте `keylength` или `key_type` в puppet.conf на узле, выполните `puppet ssl clean` и снова запустите агент.',
    },
  },
  NOVA8104: {
    message: {
      en: 'The sealed secret {what} cannot be opened.',
      ru: 'Не удаётся открыть запечатанный секрет {what}.',
    },
    remedy: {
      en: 'Give the master key it was sealed with; if it is that one, the secret is damaged: restore it from a backup.',
      ru: 'Укажите мастер-ключ, которым он запечатан; если ключ тот же, секрет повреждён: восстановите его из резервной копии.',
    },
  },
  NOVA8105: {
    message: {
      en: 'The certificate authority {name} ended on {date} and signs no more.',
      ru: 'Срок центра сертификации {name} истёк {date}: он больше не подписывает.',
    },
    remedy: {
      en: 'Replace it; check first that the clock of this machine is right.',
      ru: 'Замените его; сначала проверьте, верны ли часы этой машины.',
    },
  },
  // 80xx: configuration of nodes
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
    message: {
      en: '{node} has not asked what to do within {seconds} seconds.',
      ru: 'Узел {node} не спрашивал о работе в течение {seconds} с.',
    },
    remedy: {
      en: 'Look on the node: `systemctl status nova-agent`, `journalctl -u nova-agent`.',
      ru: 'Проверьте на узле: `systemctl status nova-agent`, `journalctl -u nova-agent`.',
    },
  },
  NOVA8014: {
    message: { en: 'The run on {node} broke off.', ru: 'Запуск на узле {node} прервался.' },
    remedy: {
      en: 'Its log is on the node: `journalctl -u nova-agent`. Try again: `nova-ctl node run {node}`.',
      ru: 'Журнал — на узле: `journalctl -u nova-agent`. Повторите: `nova-ctl node run {node}`.',
    },
  },
  NOVA8015: {
    message: { en: '{node} has no certificate that is valid.', ru: 'У узла {node} нет действующего сертификата.' },
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
      en: 'What would change is no longer what was shown. Now it is: {difference}.',
      ru: 'Изменения уже не те, что были показаны. Теперь: {difference}.',
    },
    remedy: {
      en: 'Facts or another approval came in between. Look again and approve what you see.',
      ru: 'За это время изменились факты или утверждено другое. Посмотрите ещё раз и утвердите увиденное.',
    },
  },

  // 802x: what nodes are refused
  NOVA8020: {
    message: { en: 'A client certificate is needed.', ru: 'Нужен клиентский сертификат.' },
    remedy: {
      en: 'Enrol the node with a token; its certificate must be ours, valid and not revoked.',
      ru: 'Зарегистрируйте узел с токеном; сертификат должен быть выдан здесь, действителен и не отозван.',
    },
  },
  NOVA8021: {
    message: { en: '{node} may not ask for {other}.', ru: '{node} не может запрашивать {other}.' },
    remedy: { en: 'A node asks for itself only.', ru: 'Узел запрашивает только своё.' },
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
  },
  NOVA8023: {
    message: {
      en: 'The request asks for what {node} may not have: {what}.',
      ru: 'В запросе есть то, что узлу {node} не положено: {what}.',
    },
    remedy: {
      en: 'Ask for exactly what is planned for this node.',
      ru: 'Запрашивайте только то, что запланировано для этого узла.',
    },
  },
  NOVA8024: {
    message: { en: '{what} is not planned for {node}.', ru: '{what} не запланировано для узла {node}.' },
    remedy: {
      en: 'Only what the applied plan lists is given out.',
      ru: 'Выдаётся только то, что есть в применённом плане.',
    },
  },
  NOVA8025: {
    message: { en: 'The body cannot be read: {reason}.', ru: 'Тело запроса не читается: {reason}.' },
    remedy: { en: 'Send what a stock agent sends.', ru: 'Отправляйте то же, что стандартный агент.' },
  },

  // 803x: the Configuration Manager itself
  NOVA8030: {
    message: { en: 'The Configuration Manager does not answer.', ru: 'Configuration Manager не отвечает.' },
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
      en: 'Another Configuration Manager answers at {socket}.',
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

  // 82xx: components and images
  NOVA8201: {
    message: { en: 'There is no component {component}.', ru: 'Компонента {component} нет.' },
    remedy: { en: 'Components: {known}.', ru: 'Компоненты: {known}.' },
  },
  NOVA8202: {
    message: { en: 'Building {component} failed: {reason}', ru: 'Не удалось собрать {component}: {reason}' },
    remedy: {
      en: 'Mend the cause and run the command again: what is built already is not built twice.',
      ru: 'Устраните причину и повторите команду: уже собранное заново не собирается.',
    },
  },
  NOVA8203: {
    message: {
      en: '{what} is not what was pinned: its checksum differs.',
      ru: '{what} не совпадает с закреплённой версией: другая контрольная сумма.',
    },
    remedy: {
      en: 'Do not use it. Check where modules come from (GOPROXY).',
      ru: 'Не используйте его. Проверьте, откуда берутся модули (GOPROXY).',
    },
  },
  NOVA8204: {
    message: { en: '{what} cannot be fetched.', ru: 'Не удаётся получить {what}.' },
    remedy: {
      en: 'Check the network and GOPROXY, or install a Go that is new enough.',
      ru: 'Проверьте сеть и GOPROXY или установите достаточно новую версию Go.',
    },
  },
  NOVA8210: {
    status: 403,
    message: {
      en: 'The registry can get a certificate for {names} only.',
      ru: 'Реестр может получить сертификат только на {names}.',
    },
    remedy: {
      en: 'Request certificates for other servers through the socket of the Configuration Manager for administrators.',
      ru: 'Сертификаты для других серверов запрашивайте через сокет Configuration Manager для администраторов.',
    },
  },
  NOVA8211: {
    message: { en: 'The registry does not answer.', ru: 'Реестр не отвечает.' },
    remedy: {
      en: 'Start it with `nova-ctl registry serve`, or name its socket in NOVA_REGISTRY_SOCKET.',
      ru: 'Запустите его: `nova-ctl registry serve`, или укажите его сокет в NOVA_REGISTRY_SOCKET.',
    },
  },
  NOVA8212: {
    message: { en: 'The registry belongs to another user.', ru: 'Реестр принадлежит другому пользователю.' },
    remedy: { en: 'Run the command as that user or as root.', ru: 'Выполните команду от его имени или от root.' },
  },
  NOVA8213: {
    message: { en: 'The registry refused: {reason}', ru: 'Реестр отказал: {reason}' },
    remedy: {
      en: 'Look at its log and free space on its disk; images that are there already are safe. Then run the command again.',
      ru: 'Посмотрите его журнал и свободное место на диске; уже загруженные образы целы. Затем повторите команду.',
    },
  },
  NOVA8214: {
    message: { en: '{component} is not built.', ru: 'Компонент {component} не собран.' },
    remedy: {
      en: 'Build it: `nova-ctl component build {component}`.',
      ru: 'Соберите его: `nova-ctl component build {component}`.',
    },
  },

  // 83xx: Universe
  NOVA8301: {
    message: { en: '{lock} is busy: operation {id} works on it.', ru: '{lock} занят: с ним работает операция {id}.' },
    remedy: {
      en: 'Wait for it: `nova-ctl operation show {id} --follow`, or end it: `nova-ctl operation cancel {id}`.',
      ru: 'Дождитесь её: `nova-ctl operation show {id} --follow` или завершите: `nova-ctl operation cancel {id}`.',
    },
    status: 409,
  },
  NOVA8302: {
    message: { en: 'There is no operation {id}.', ru: 'Операции {id} нет.' },
    remedy: { en: '`nova-ctl operation list` shows them.', ru: 'Список: `nova-ctl operation list`.' },
    status: 404,
  },
  NOVA8303: {
    message: { en: 'Operation {id} is {state}.', ru: 'Операция {id} в состоянии {state}.' },
    remedy: {
      en: 'Only a failed operation can be resumed, and only a running or failed one cancelled.',
      ru: 'Продолжить можно только неудавшуюся операцию, отменить — выполняющуюся или неудавшуюся.',
    },
    status: 409,
  },
  NOVA8304: {
    message: {
      en: 'Operation {newer} has worked on {lock} since operation {id} failed.',
      ru: 'После сбоя операции {id} с {lock} уже работала операция {newer}.',
    },
    remedy: {
      en: 'Look at the newer one: `nova-ctl operation show {newer}`. What {id} left undone is done by applying again.',
      ru: 'Посмотрите более новую: `nova-ctl operation show {newer}`. Недоделанное операцией {id} сделает новое применение.',
    },
    status: 409,
  },
  NOVA8310: {
    message: { en: 'Universe does not know who asks.', ru: 'Universe не знает, кто обращается.' },
    remedy: {
      en: 'Log in: `nova-ctl login`. A token may have ended or been taken back.',
      ru: 'Войдите: `nova-ctl login`. Возможно, токен истёк или отозван.',
    },
    status: 401,
  },
  NOVA8311: {
    message: { en: 'This needs the role {role}.', ru: 'Для этого нужна роль {role}.' },
    remedy: {
      en: 'Ask an administrator for it: `nova-ctl user change NAME --role {role}`.',
      ru: 'Попросите её у администратора: `nova-ctl user change ИМЯ --role {role}`.',
    },
    status: 403,
  },
  NOVA8312: {
    message: { en: 'The name or the password is wrong.', ru: 'Неверное имя или пароль.' },
    remedy: {
      en: 'Try again. An administrator can give a new password: `nova-ctl user password NAME`.',
      ru: 'Попробуйте ещё раз. Новый пароль может задать администратор: `nova-ctl user password ИМЯ`.',
    },
    status: 401,
  },
  NOVA8313: {
    message: { en: 'Too many attempts have failed.', ru: 'Слишком много неудачных попыток.' },
    remedy: { en: 'Try again in {seconds} seconds.', ru: 'Повторите через {seconds} с.' },
    status: 429,
  },
  NOVA8314: {
    message: { en: 'There is a user {name} already.', ru: 'Пользователь {name} уже есть.' },
    remedy: { en: '`nova-ctl user change {name}` changes it.', ru: 'Изменить: `nova-ctl user change {name}`.' },
    status: 409,
  },
  NOVA8315: {
    message: { en: 'There is no user {name}.', ru: 'Пользователя {name} нет.' },
    remedy: { en: '`nova-ctl user list` shows them.', ru: 'Список: `nova-ctl user list`.' },
    status: 404,
  },
  NOVA8316: {
    message: { en: 'There is no token {id}, or it is not yours.', ru: 'Токена {id} нет, или он чужой.' },
    remedy: { en: '`nova-ctl token list` shows them.', ru: 'Список: `nova-ctl token list`.' },
    status: 404,
  },
  NOVA8317: {
    message: { en: '{name} is the last administrator.', ru: '{name} — последний администратор.' },
    remedy: { en: 'Make another one first.', ru: 'Сначала назначьте другого.' },
    status: 409,
  },
  NOVA8318: {
    message: {
      en: 'A token cannot be given the role {role} by somebody without it.',
      ru: 'Роль {role} не может дать токену тот, у кого её нет.',
    },
    remedy: { en: 'Give it a role of yours.', ru: 'Укажите роль не выше своей.' },
    status: 403,
  },
  NOVA8319: {
    message: { en: 'The node {node} may not do this.', ru: 'Узлу {node} это запрещено.' },
    remedy: {
      en: 'Nodes read what belongs to their own cluster, and nothing else.',
      ru: 'Узлы читают только то, что относится к их кластеру.',
    },
    status: 403,
  },
  NOVA8323: {
    message: {
      en: 'This token of {cluster} is good for the release alone.',
      ru: 'Этот токен кластера {cluster} годится только для чтения выпуска.',
    },
    remedy: {
      en: 'Flux of a cluster fetches the release with it; everything else needs a token of a person.',
      ru: 'С ним Flux кластера получает выпуск; для всего остального нужен токен человека.',
    },
    status: 403,
  },
  NOVA8320: {
    message: {
      en: '{cluster} has changed meanwhile: it is at revision {revision}.',
      ru: '{cluster} тем временем изменился: сейчас ревизия {revision}.',
    },
    remedy: { en: 'Look at it again, then repeat the change.', ru: 'Посмотрите его заново и повторите изменение.' },
    status: 412,
  },
  NOVA8321: {
    message: { en: 'There is no cluster {cluster}.', ru: 'Кластера {cluster} нет.' },
    remedy: { en: 'Check the name.', ru: 'Проверьте имя.' },
    status: 404,
  },
  NOVA8322: {
    message: {
      en: 'The documents do not declare the cluster {cluster} alone.',
      ru: 'Документы описывают не только кластер {cluster}.',
    },
    remedy: {
      en: 'Give the documents of that one cluster.',
      ru: 'Передайте документы одного этого кластера.',
    },
  },
  NOVA8324: {
    message: {
      en: 'The secret in {field} is masked, and none is known.',
      ru: 'Секрет в {field} скрыт, а прежнего нет.',
    },
    remedy: {
      en: 'Give the secret itself: asterisks stand only for one that was declared before.',
      ru: 'Укажите сам секрет: звёздочки заменяют только объявленный ранее.',
    },
  },
  NOVA8329: {
    message: { en: 'This login link does not work any more.', ru: 'Эта ссылка для входа больше не действует.' },
    remedy: {
      en: 'A link works once, for an hour. Get another one: `nova-ctl console`. Or log in with your password.',
      ru: 'Ссылка действует один раз, в течение часа. Получить новую: `nova-ctl console`. Или войдите с паролем.',
    },
    status: 401,
  },
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
  },
  NOVA8332: {
    message: {
      en: 'nova-ctl does not know which Universe to speak to.',
      ru: 'nova-ctl не знает, к какому Universe обращаться.',
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
      en: 'Ask who runs Universe for its fingerprint; `nova-ctl up` shows it. Nothing was sent to this server.',
      ru: 'Уточните отпечаток у тех, кто управляет Universe; его показывает `nova-ctl up`. Серверу ничего не отправлено.',
    },
  },
  NOVA8334: {
    message: {
      en: 'The certificate of {server} is not from the known authority: {reason}.',
      ru: 'Сертификат {server} выдан не известным центром: {reason}.',
    },
    remedy: {
      en: 'Log in again with the fingerprint that whoever runs it tells you.',
      ru: 'Войдите заново с отпечатком, который сообщат те, кто им управляет.',
    },
    status: 502,
  },
  NOVA8335: {
    message: { en: 'The store does not answer: {reason}.', ru: 'Хранилище не отвечает: {reason}.' },
    remedy: { en: 'Universe goes on by itself when it is back.', ru: 'Universe продолжит сам, когда оно вернётся.' },
    status: 503,
  },
  NOVA8340: {
    message: { en: 'The engine cannot be reached: {reason}.', ru: 'Engine недоступен: {reason}.' },
    remedy: {
      en: 'On its host `nova-ctl host up` starts it, and `nova-ctl up` gives Universe its identity again.',
      ru: 'На его хосте `nova-ctl host up` запустит его, а `nova-ctl up` заново выдаст Universe удостоверение.',
    },
    status: 502,
  },
  NOVA8341: {
    message: { en: 'Agents did not succeed on {nodes}.', ru: 'Агенты не справились на узлах: {nodes}.' },
    remedy: {
      en: 'See why: `nova-ctl node reports NAME`. Then go on with the operation.',
      ru: 'Причина: `nova-ctl node reports ИМЯ`. Затем продолжите операцию.',
    },
  },
  NOVA8342: {
    message: {
      en: 'The node {node} has not become what was approved.',
      ru: 'Узел {node} не пришёл к утверждённому состоянию.',
    },
    remedy: {
      en: 'See its runs: `nova-ctl node reports {node}`, and its console: `nova-ctl machine console {node}`. Then resume.',
      ru: 'Его запуски: `nova-ctl node reports {node}`, консоль: `nova-ctl machine console {node}`. Затем продолжите.',
    },
  },
  NOVA8343: {
    message: { en: 'The API of {cluster} does not answer.', ru: 'API кластера {cluster} не отвечает.' },
    remedy: {
      en: 'On a control plane: `journalctl -u kube-apiserver -u etcd`. Then resume.',
      ru: 'На узле управления: `journalctl -u kube-apiserver -u etcd`. Затем продолжите.',
    },
  },
  NOVA8344: {
    message: { en: 'The node {node} is not ready: {reason}.', ru: 'Узел {node} не готов: {reason}.' },
    remedy: {
      en: 'On it: `journalctl -u kubelet -u containerd`. Then resume.',
      ru: 'На нём: `journalctl -u kubelet -u containerd`. Затем продолжите.',
    },
  },

  // 8353…8368: what is wrong with a cluster, from symptoms to causes
  NOVA8345: {
    message: {
      en: '{cluster} has no node group {group}, and not exactly one with that role.',
      ru: 'В {cluster} нет группы узлов {group}, и групп с такой ролью не одна.',
    },
    remedy: { en: 'Its groups: {known}.', ru: 'Его группы: {known}.' },
  },
  NOVA8346: {
    message: {
      en: '{leaving} cannot leave: without them etcd of {cluster} would lose its quorum, because {unhealthy} does not answer.',
      ru: '{leaving} нельзя убрать: etcd кластера {cluster} потеряет кворум, потому что {unhealthy} не отвечает.',
    },
    remedy: {
      en: 'Bring {unhealthy} back first; on it: `journalctl -u etcd`. Nothing was changed.',
      ru: 'Сначала верните {unhealthy} в строй; на нём: `journalctl -u etcd`. Ничего не изменено.',
    },
    status: 409,
  },
  NOVA8347: {
    message: {
      en: 'etcd of {cluster} has no quorum: {reason}.',
      ru: 'У etcd кластера {cluster} нет кворума: {reason}.',
    },
    remedy: {
      en: 'Control planes are added and removed while it has one. A stopped cluster is started by `nova-ctl start {cluster}`.',
      ru: 'Узлы управления добавляются и удаляются, пока он есть. Остановленный кластер запустит `nova-ctl start {cluster}`.',
    },
    status: 409,
  },
  NOVA8348: {
    message: {
      en: 'etcd on {node} is not a healthy member: {reason}.',
      ru: 'etcd на {node} не стал исправным участником: {reason}.',
    },
    remedy: {
      en: 'On it: `journalctl -u etcd`. The members before it go on without it. Then resume.',
      ru: 'На нём: `journalctl -u etcd`. Прежние участники работают без него. Затем продолжите.',
    },
  },
  NOVA8349: {
    message: {
      en: 'The API server on {node} is not ready.',
      ru: 'Сервер API на {node} не готов.',
    },
    remedy: {
      en: 'On it: `journalctl -u kube-apiserver`. The other control planes were not touched. Then resume.',
      ru: 'На нём: `journalctl -u kube-apiserver`. Остальные узлы управления не тронуты. Затем продолжите.',
    },
  },
  NOVA8350: {
    message: {
      en: 'The machines of {cluster} (provider {provider}) are not the engine’s to stop or start.',
      ru: 'Машинами кластера {cluster} (провайдер {provider}) управляет не engine.',
    },
    remedy: { en: 'Do it where they run.', ru: 'Сделайте это там, где они работают.' },
  },
  NOVA8351: {
    message: {
      en: 'Nobody answers names in {cluster}: CoreDNS does not run.',
      ru: 'В {cluster} никто не отвечает на имена: CoreDNS не работает.',
    },
    remedy: {
      en: 'See why: `nova-ctl status {cluster}`. Then resume.',
      ru: 'Причина: `nova-ctl status {cluster}`. Затем продолжите.',
    },
  },
  NOVA8352: {
    message: {
      en: '{cluster} has no authority yet that could let anybody in: what its nodes get is not approved.',
      ru: 'У {cluster} ещё нет своего центра сертификации, и доступ выдать нельзя: настройки узлов не утверждены.',
    },
    remedy: {
      en: 'Its first operation does that: `nova-ctl operation list --cluster {cluster}`.',
      ru: 'Это делает первая операция: `nova-ctl operation list --cluster {cluster}`.',
    },
    status: 409,
  },
  NOVA8353: {
    message: { en: '{node} is not ready: {reason}', ru: 'Узел {node} не готов: {reason}' },
    remedy: {
      en: 'Its own words: `nova-ctl machine exec {node} -- journalctl -u kubelet -n 50`.',
      ru: 'Что сообщает он сам: `nova-ctl machine exec {node} -- journalctl -u kubelet -n 50`.',
    },
  },
  NOVA8354: {
    message: { en: 'The machine {node} is stopped.', ru: 'Машина {node} остановлена.' },
    remedy: {
      en: 'Start it: `nova-ctl machine restart {node}`.',
      ru: 'Запустите её: `nova-ctl machine restart {node}`.',
    },
  },
  NOVA8355: {
    message: { en: 'There is no machine {node}.', ru: 'Машины {node} нет.' },
    remedy: {
      en: 'Make it again: `nova-ctl apply -f FILE` with the manifest of {cluster}.',
      ru: 'Создайте её снова: `nova-ctl apply -f ФАЙЛ` с манифестом кластера {cluster}.',
    },
  },
  NOVA8356: {
    message: { en: '{service} {state} on {node}.', ru: '{service} {state} на узле {node}.' },
    remedy: {
      en: 'Its agent starts it: `nova-ctl node run {node}`. Its own words: `nova-ctl machine exec {node} -- journalctl -u {service} -n 50`.',
      ru: 'Агент запустит: `nova-ctl node run {node}`. Что сообщает служба: `nova-ctl machine exec {node} -- journalctl -u {service} -n 50`.',
    },
  },
  NOVA8357: {
    message: {
      en: 'The certificate {certificate} of {node} {end}.',
      ru: 'Сертификат {certificate} узла {node} {end}.',
    },
    remedy: {
      en: 'Its agent obtains a new one: `nova-ctl node run {node}`. Why it was not renewed: `nova-ctl machine exec {node} -- journalctl -u nova-certificates -n 50`.',
      ru: 'Агент получит новый: `nova-ctl node run {node}`. Почему не обновился: `nova-ctl machine exec {node} -- journalctl -u nova-certificates -n 50`.',
    },
  },
  NOVA8358: {
    message: {
      en: 'No {service} has been at work since {at}.',
      ru: '{service}: ни один не работает с {at}.',
    },
    remedy: {
      en: 'Agents start it: `nova-ctl node run {node}`. Why it ended: `nova-ctl machine exec {node} -- journalctl -u {service} -n 50`.',
      ru: 'Агенты запустят: `nova-ctl node run {node}`. Почему остановилось: `nova-ctl machine exec {node} -- journalctl -u {service} -n 50`.',
    },
  },
  NOVA8359: {
    message: {
      en: 'The kubelet of {node} runs, but the API hears nothing from it: it does not get there, or is refused.',
      ru: 'kubelet узла {node} работает, но API его не слышит: он не может обратиться или получает отказ.',
    },
    remedy: {
      en: 'Its agent renews what it knows of the API: `nova-ctl node run {node}`. Its own words: `nova-ctl machine exec {node} -- journalctl -u kubelet -n 50`.',
      ru: 'Агент обновит его настройки: `nova-ctl node run {node}`. Что сообщает он сам: `nova-ctl machine exec {node} -- journalctl -u kubelet -n 50`.',
    },
  },
  NOVA8360: {
    message: {
      en: 'The API of {cluster} does not answer at {address}: {reason}',
      ru: 'API кластера {cluster} не отвечает по адресу {address}: {reason}',
    },
    remedy: {
      en: 'See how its servers are balanced: `nova-ctl network show {cluster}`.',
      ru: 'Посмотрите, как балансируются его серверы: `nova-ctl network show {cluster}`.',
    },
    status: 503,
  },
  NOVA8361: {
    message: {
      en: '{healthy} of {total} members of etcd are well: {meaning}.',
      ru: 'Исправных членов etcd: {healthy} из {total}; {meaning}.',
    },
    remedy: {
      en: 'Its own words: `nova-ctl machine exec {node} -- journalctl -u etcd -n 50`.',
      ru: 'Что сообщает etcd: `nova-ctl machine exec {node} -- journalctl -u etcd -n 50`.',
    },
  },
  NOVA8362: {
    message: {
      en: 'The agent of {node} does not come for orders; {seen}.',
      ru: 'Агент узла {node} не обращается за заданиями; {seen}.',
    },
    remedy: {
      en: 'Restart it: `nova-ctl machine exec {node} -- systemctl restart nova-agent`. Its log: `nova-ctl machine exec {node} -- journalctl -u nova-agent -n 50`.',
      ru: 'Перезапустите его: `nova-ctl machine exec {node} -- systemctl restart nova-agent`. Журнал: `nova-ctl machine exec {node} -- journalctl -u nova-agent -n 50`.',
    },
  },
  NOVA8363: {
    message: {
      en: 'The last run of the agent on {node} failed.',
      ru: 'Последний запуск агента на узле {node} не удался.',
    },
    remedy: {
      en: 'See why: `nova-ctl node reports {node} --last`. Then run it again: `nova-ctl node run {node}`.',
      ru: 'Причина: `nova-ctl node reports {node} --last`. Затем повторите: `nova-ctl node run {node}`.',
    },
  },
  NOVA8364: {
    message: {
      en: 'Operation {id} ({title}) failed at {step}.',
      ru: 'Сбой операции {id} ({title}) на шаге {step}.',
    },
    remedy: {
      en: 'See why: `nova-ctl operation show {id}`. Then go on: `nova-ctl operation resume {id} --follow`.',
      ru: 'Причина: `nova-ctl operation show {id}`. Затем продолжите: `nova-ctl operation resume {id} --follow`.',
    },
  },
  NOVA8365: {
    message: {
      en: '{source} does not answer, so what it knows is missing here: {reason}',
      ru: '{source} не отвечает, и его сведений здесь нет: {reason}',
    },
    remedy: {
      en: 'See how Universe is: `nova-ctl status`. On its host `nova-ctl up` puts it right.',
      ru: 'Состояние Universe: `nova-ctl status`. На его хосте `nova-ctl up` приведёт его в порядок.',
    },
  },
  NOVA8366: {
    message: { en: 'The pod {pod} is not ready: {reason}', ru: 'Под {pod} не готов: {reason}' },
    remedy: {
      en: 'Its events: `kubectl describe pod -n {namespace} {name}`.',
      ru: 'Его события: `kubectl describe pod -n {namespace} {name}`.',
    },
  },
  NOVA8367: {
    message: { en: '{object}: {reason}: {message}', ru: '{object} сообщает {reason}: {message}' },
    remedy: {
      en: 'Kubernetes says it; more of it: `kubectl get events -A`.',
      ru: 'Так сообщает Kubernetes; подробнее: `kubectl get events -A`.',
    },
  },
  NOVA8368: {
    message: {
      en: 'The machine {node} runs, but nothing answers at {address}.',
      ru: 'Машина {node} работает, но по адресу {address} ответа нет.',
    },
    remedy: {
      en: 'See its place in the network: `nova-ctl network show {cluster}`. Restart it: `nova-ctl machine restart {node}`.',
      ru: 'Посмотрите её в сети: `nova-ctl network show {cluster}`. Перезапустите: `nova-ctl machine restart {node}`.',
    },
  },
  NOVA8369: {
    message: { en: 'The registry has no image {image}.', ru: 'В реестре нет образа {image}.' },
    remedy: {
      en: 'Bring it in: `nova-ctl component build {component}`, then `nova-ctl registry import {component}`.',
      ru: 'Добавьте его: `nova-ctl component build {component}`, затем `nova-ctl registry import {component}`.',
    },
  },
  NOVA8370: {
    message: { en: 'The module {module} is not ready: {reason}', ru: 'Модуль {module} не готов: {reason}' },
    remedy: {
      en: 'See what modules wait for: `nova-ctl module list {cluster}`.',
      ru: 'Посмотрите, чего ждут модули: `nova-ctl module list {cluster}`.',
    },
  },
  NOVA8371: {
    message: {
      en: 'Nodes of {cluster} lack security updates of Debian: {nodes}. Packages: {packages}.',
      ru: 'Узлам кластера {cluster} не хватает обновлений безопасности Debian: {nodes}. Пакеты: {packages}.',
    },
    remedy: {
      en: 'Build current images on the host: `nova-ctl image update`. Then replace workers one by one. Drain and delete: `nova-ctl machine delete NODE`. Create again, with the manifest of {cluster}: `nova-ctl apply -f FILE`. Control planes cannot be replaced in place yet.',
      ru: 'Соберите новые образы на хосте: `nova-ctl image update`. Затем замените рабочие узлы по одному. Освободите (drain) и удалите: `nova-ctl machine delete УЗЕЛ`. Создайте снова, с манифестом кластера {cluster}: `nova-ctl apply -f ФАЙЛ`. Узлы управления пока нельзя заменить на месте.',
    },
  },
  NOVA8372: {
    message: {
      en: "Universe's own machine lacks security updates of Debian: {packages}.",
      ru: 'Машине Universe не хватает обновлений безопасности Debian: {packages}.',
    },
    remedy: {
      en: 'Build current images on its host: `nova-ctl image update`. Then move Universe to its new image: `nova-ctl up`.',
      ru: 'Соберите новые образы на его хосте: `nova-ctl image update`. Затем переведите Universe на новый образ: `nova-ctl up`.',
    },
  },
  NOVA8373: {
    message: {
      en: 'The machines of {cluster} are locked by {who} since {since}: {operation}.',
      ru: 'Машины кластера {cluster} заблокированы: {who}, с {since}: {operation}.',
    },
    remedy: {
      en: 'Wait until it is finished. If it no longer runs, release the lock: `kubectl delete terraformlock cluster`.',
      ru: 'Дождитесь её завершения. Если она больше не выполняется, снимите блокировку: `kubectl delete terraformlock cluster`.',
    },
  },

  // 84xx: delivery of modules
  NOVA8401: {
    message: {
      en: 'The module {module} needs {need}, which is not among the modules of this cluster.',
      ru: 'Модулю {module} нужен {need}, которого нет среди модулей этого кластера.',
    },
    remedy: { en: 'Enable {need} as well, or disable {module}.', ru: 'Включите также {need} или выключите {module}.' },
  },
  NOVA8402: {
    message: {
      en: 'Modules need each other in a circle: {circle}.',
      ru: 'Модули нужны друг другу по кругу: {circle}.',
    },
    remedy: {
      en: 'The release is at fault; use another one: `nova-ctl release list`.',
      ru: 'Ошибка в самом выпуске; используйте другой: `nova-ctl release list`.',
    },
  },
  NOVA8403: {
    message: { en: 'The release {release} has no module {module}.', ru: 'В выпуске {release} нет модуля {module}.' },
    remedy: {
      en: 'See what it has: `nova-ctl release show {release}`. Disable the module, or use another release.',
      ru: 'Что в нём есть: `nova-ctl release show {release}`. Выключите модуль или используйте другой выпуск.',
    },
  },
  NOVA8404: {
    message: { en: 'There is no release {release}.', ru: 'Выпуска {release} нет.' },
    remedy: {
      en: 'There are: {known}. `nova-ctl release import` brings the one of this nova-ctl in.',
      ru: 'Есть: {known}. `nova-ctl release import` добавит выпуск, которому принадлежит этот nova-ctl.',
    },
    status: 404,
  },
  NOVA8405: {
    message: {
      en: 'The release {release} is there already, with other content.',
      ru: 'Выпуск {release} уже есть, и его содержимое другое.',
    },
    remedy: {
      en: 'A release never changes. Give this content a version of its own: `nova-ctl release import --version …`.',
      ru: 'Выпуск никогда не меняется. Дайте этому содержимому свою версию: `nova-ctl release import --version …`.',
    },
    status: 409,
  },
  NOVA8406: {
    message: { en: 'The release cannot be built: {file}: {reason}.', ru: 'Выпуск не собрать: {file}: {reason}.' },
    remedy: { en: 'Correct the file in `release`.', ru: 'Исправьте файл в `release`.' },
  },
  NOVA8407: {
    message: {
      en: 'The module {module} is not ready: {reason}',
      ru: 'Модуль {module} не готов: {reason}',
    },
    remedy: {
      en: 'See what it waits for: `nova-ctl module list {cluster}`, `kubectl -n nova-gitops get kustomizations`. Then resume.',
      ru: 'Чего он ждёт: `nova-ctl module list {cluster}`, `kubectl -n nova-gitops get kustomizations`. Затем продолжите.',
    },
  },
  NOVA8408: {
    message: { en: 'Flux of {cluster} does not run: {reason}', ru: 'Flux кластера {cluster} не работает: {reason}' },
    remedy: {
      en: 'See its pods: `kubectl -n nova-gitops get pods`. Then resume.',
      ru: 'Его поды: `kubectl -n nova-gitops get pods`. Затем продолжите.',
    },
  },
  NOVA8409: {
    message: {
      en: 'Flux of {cluster} cannot read the release: {reason}',
      ru: 'Flux кластера {cluster} не может прочитать выпуск: {reason}',
    },
    remedy: {
      en: 'See the source: `kubectl -n nova-gitops describe gitrepositories`. Then resume.',
      ru: 'Источник: `kubectl -n nova-gitops describe gitrepositories`. Затем продолжите.',
    },
  },
  NOVA8410: {
    message: {
      en: '{cluster} has no modules: its `delivery` is `none`.',
      ru: 'В {cluster} нет модулей: `delivery` равно `none`.',
    },
    remedy: {
      en: 'Modules, tenants and releases belong to clusters with `delivery: flux`.',
      ru: 'Модули, команды и выпуски есть у кластеров с `delivery: flux`.',
    },
  },
  NOVA8411: {
    message: { en: 'There is no release that modules could come from.', ru: 'Нет выпуска, из которого взять модули.' },
    remedy: {
      en: 'Bring one in: `nova-ctl release import`. Or make Kubernetes alone: `delivery: none`.',
      ru: 'Добавьте его: `nova-ctl release import`. Либо нужен только Kubernetes: `delivery: none`.',
    },
  },
  NOVA8412: {
    message: {
      en: '{cluster} has a namespace {tenant} that belongs to no team.',
      ru: 'В {cluster} есть пространство имён {tenant}, и оно не принадлежит команде.',
    },
    remedy: { en: 'Give the team another name.', ru: 'Дайте команде другое имя.' },
    status: 409,
  },
  NOVA8413: {
    message: { en: '{tenant} cannot be the name of a team.', ru: '{tenant} не может быть именем команды.' },
    remedy: {
      en: 'Names that begin with kube- or nova- are for the platform, and two hyphens separate an application from its team.',
      ru: 'Имена на kube- и nova- отведены платформе, а два дефиса отделяют приложение от команды.',
    },
  },
  NOVA8450: {
    status: 502,
    message: { en: 'The git service does not respond.', ru: 'Служба git не отвечает.' },
    remedy: {
      en: 'It restarts by itself; retry in a moment. On the host: `nova-ctl machine exec universe journalctl -u nova-git`.',
      ru: 'Она перезапускается сама; повторите чуть позже. На хосте: `nova-ctl machine exec universe journalctl -u nova-git`.',
    },
  },

  // 8421…8439: access to Universe
  NOVA8421: {
    message: {
      en: 'A token cannot outlive the token it is made with, which expires at {expiresAt}.',
      ru: 'Токен не может действовать дольше токена, с которым он создаётся: тот истекает {expiresAt}.',
    },
    remedy: {
      en: 'Give a shorter lifetime. Or make the token in the console after a login with your password, or as root on the host.',
      ru: 'Укажите меньший срок. Либо создайте токен в консоли, войдя с паролем, или от root на хосте.',
    },
    status: 403,
  },

  NOVA8422: {
    message: {
      en: 'The secret in {field} is masked, and {address} beside it has changed.',
      ru: 'Секрет в {field} скрыт, а поле {address} рядом с ним изменилось.',
    },
    remedy: {
      en: 'Give the secret itself: a secret that was declared for one server is not sent to another.',
      ru: 'Укажите сам секрет: объявленный для одного сервера, он не отправляется другому.',
    },
  },

  NOVA8423: {
    message: { en: 'Universe is not ready.', ru: 'Universe не готов.' },
    remedy: {
      en: 'Retry later. The reason is in its log, and in the answer to a request with a token.',
      ru: 'Повторите позже. Причина есть в журнале и в ответе на запрос с токеном.',
    },
    status: 503,
  },

  NOVA8424: {
    message: {
      en: 'Too many {what} at once: a client may have {limit}.',
      ru: 'Слишком много {what} одновременно: клиенту доступно {limit}.',
    },
    remedy: {
      en: 'Retry in {seconds} seconds, or end others.',
      ru: 'Повторите через {seconds} с или завершите другие.',
    },
    status: 429,
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

  NOVA9001: {
    message: { en: 'Something unforeseen went wrong: {reason}.', ru: 'Произошла непредвиденная ошибка: {reason}.' },
    remedy: {
      en: 'This is a defect. Run the command again with NOVA_DEBUG=1 and report what it prints.',
      ru: 'Это дефект программы. Повторите команду с NOVA_DEBUG=1 и сообщите, что она выведет.',
    },
  },
  NOVA9002: {
    message: { en: 'The server failed at this request.', ru: 'Сервер не смог выполнить этот запрос.' },
    remedy: { en: 'Its log says why, under the number {id}.', ru: 'Причина — в его журнале под номером {id}.' },
    status: 500,
  },
} as const satisfies Record<`NOVA${number}`, ErrorEntry>;

export type ErrorCode = keyof typeof errors;

type Placeholders<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** The parameters an error's texts name, so that none is forgotten. */
export type ErrorParams<C extends ErrorCode> = Record<
  Placeholders<(typeof errors)[C]['message']['en'] | (typeof errors)[C]['remedy']['en']>,
  string | number | Text
>;
