import { area } from './area.ts';

export const rules = area(
  'rules',
  { en: 'Rules between fields and documents', ru: 'Правила между полями и документами' },
  {
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
      message: { en: 'Duplicate value {value} in {field}.', ru: '{value} встречается в {field} дважды.' },
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
        en: 'The module {module} cannot be delivered: `delivery` is `none`.',
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
  },
);
