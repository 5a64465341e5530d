import { area } from './area.ts';

export const rules = area(
  'rules',
  { en: 'Rules between fields and documents', ru: 'Правила между полями и документами' },
  {
    NOVA3001: {
      message: {
        en: '{field} {network} overlaps with {otherField} {other}.',
        ru: '{field} {network} пересекается с {otherField} {other}.',
      },
      remedy: {
        en: 'Choose networks that do not overlap.',
        ru: 'Выберите непересекающиеся сети.',
      },
    },
    NOVA3002: {
      message: {
        en: 'The node network {network} overlaps with {other} of cluster {cluster}.',
        ru: 'Сеть узлов {network} пересекается с сетью {other} кластера {cluster}.',
      },
      remedy: {
        en: 'Node networks of different clusters must not overlap; {free}.',
        ru: 'Сети узлов разных кластеров не должны пересекаться; {free}.',
      },
    },
    NOVA3003: {
      message: {
        en: '{field} {network} overlaps with the {site} network {other}.',
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
      remedy: { en: 'Use {right}.', ru: 'Укажите {right}.' },
    },
    NOVA3005: {
      message: { en: 'The cluster has {count} control plane nodes.', ru: 'Узлов управления в кластере: {count}.' },
      remedy: {
        en: 'Use 1, 3 or 5. An even number does not improve availability, and more than five slow down etcd.',
        ru: 'Укажите 1, 3 или 5. Чётное число не повышает доступность, а больше пяти узлов замедляют etcd.',
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
        ru: '{module} — базовый модуль, его нельзя выключить.',
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
        en: '{field} does not apply to the provider {provider}.',
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
        en: 'The cluster name {name} (the first part of dnsBaseDomain) is longer than {limit} characters.',
        ru: 'Имя кластера {name} (первая часть dnsBaseDomain) длиннее {limit} знаков.',
      },
      remedy: { en: 'Set clusterName.', ru: 'Задайте clusterName.' },
    },
    NOVA3015: {
      message: {
        en: '{name} is inside the zone {zone}, which the cluster serves itself.',
        ru: '{name} находится в зоне {zone}, которую обслуживает сам кластер.',
      },
      remedy: { en: 'Use a name outside that zone.', ru: 'Используйте имя вне этой зоны.' },
    },
    NOVA3016: {
      message: { en: '{name} is the name of a platform service.', ru: 'Имя {name} занято службой платформы.' },
      remedy: {
        en: 'Choose another name. The names of platform services under dnsBaseDomain are fixed.',
        ru: 'Выберите другое имя. Имена служб платформы в dnsBaseDomain нельзя изменить.',
      },
    },
    NOVA3017: {
      message: {
        en: '{address} is inside {field} {network}.',
        ru: 'Адрес {address} находится внутри {field} {network}.',
      },
      remedy: {
        en: 'The cluster assigns the addresses of that network. Use an address outside it.',
        ru: 'Адреса этой сети выдаёт кластер. Используйте адрес вне неё.',
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
        en: '{field} is set, but customerDns.enable is false.',
        ru: 'Задано {field}, но customerDns.enable равно false.',
      },
      remedy: { en: 'Set enable: true, or remove {field}.', ru: 'Укажите enable: true или уберите {field}.' },
    },
    NOVA3020: {
      message: {
        en: 'Group {group} has count {count}, but {hosts} hosts.',
        ru: 'В группе {group} указано count {count}, а хостов — {hosts}.',
      },
      remedy: {
        en: 'Remove count: it follows from the list of hosts.',
        ru: 'Уберите count: число следует из списка хостов.',
      },
    },
    NOVA3021: {
      message: {
        en: '{count} control plane nodes need a common address, but provider {provider} has no load balancer.',
        ru: 'Узлам управления ({count}) нужен общий адрес, а у провайдера {provider} нет своего балансировщика.',
      },
      remedy: {
        en: 'Set k8sAPIAddress to the address of a load balancer in front of them (TCP 6443).',
        ru: 'Укажите в k8sAPIAddress адрес балансировщика перед ними (TCP 6443).',
      },
    },
    NOVA3022: {
      message: {
        en: 'The range {range} ends before it begins.',
        ru: 'Диапазон {range} заканчивается раньше, чем начинается.',
      },
      remedy: { en: 'Write the smaller address first.', ru: 'Укажите меньший адрес первым.' },
    },
    NOVA3023: {
      message: { en: 'Cluster {cluster} is declared twice.', ru: 'Кластер {cluster} описан дважды.' },
      remedy: {
        en: 'The other declaration is in {other}. Keep one of them, or change one clusterName.',
        ru: 'Второе описание — в {other}. Оставьте одно или измените одно из clusterName.',
      },
    },
    NOVA3024: {
      message: {
        en: 'This {kind} could belong to any of {count} clusters.',
        ru: 'Этот {kind} может относиться к нескольким кластерам ({count}).',
      },
      remedy: {
        en: 'Move it to the file of its Infrastructure, or to a folder with only one Infrastructure.',
        ru: 'Поместите его в файл с его Infrastructure или в каталог с единственной Infrastructure.',
      },
    },
    NOVA3025: {
      message: {
        en: 'The zone {zone} is forwarded to {server}, which is inside the cluster: queries would loop.',
        ru: 'Зона {zone} перенаправляется на {server} внутри самого кластера: запросы зациклятся.',
      },
      remedy: { en: 'Use a DNS server outside the cluster.', ru: 'Укажите сервер DNS вне кластера.' },
    },
    NOVA3026: {
      message: {
        en: 'dnsBaseDomain {base} and k8sDefaultDnsZone {zone} overlap.',
        ru: 'dnsBaseDomain {base} и k8sDefaultDnsZone {zone} пересекаются.',
      },
      remedy: { en: 'Use zones that do not contain each other.', ru: 'Используйте зоны, не вложенные друг в друга.' },
    },
    NOVA3027: {
      message: { en: 'Cluster {cluster} has more than one {kind}.', ru: 'У кластера {cluster} больше одного {kind}.' },
      remedy: { en: 'The other is in {other}. Keep one of them.', ru: 'Второй — в {other}. Оставьте один.' },
    },
    NOVA3028: {
      message: { en: 'The pod network {cni} is not supported yet.', ru: 'Сеть подов {cni} пока не поддерживается.' },
      remedy: {
        en: 'Use `cni: basic`. It does not enforce network policies.',
        ru: 'Укажите `cni: basic`. Он не применяет сетевые политики.',
      },
    },
    NOVA3029: {
      message: {
        en: 'Clusters of the provider {provider} can be planned, but not created yet.',
        ru: 'Кластеры провайдера {provider} пока можно только планировать, но не создавать.',
      },
      remedy: {
        en: 'Use the provider `local` or `existing`, or only show the plan: `nova-ctl plan -f FILE`.',
        ru: 'Укажите провайдер `local` или `existing` либо только посмотрите план: `nova-ctl plan -f ФАЙЛ`.',
      },
    },
    NOVA3030: {
      message: {
        en: 'The module {module} cannot be delivered: `delivery` is `none`.',
        ru: 'Модуль {module} нельзя доставить: `delivery` равно `none`.',
      },
      remedy: { en: 'Use `delivery: flux`, or remove the module.', ru: 'Укажите `delivery: flux` или уберите модуль.' },
    },
    NOVA3031: {
      message: {
        en: 'Cluster {cluster} already has the base domain {domain}.',
        ru: 'У кластера {cluster} уже есть базовый домен {domain}.',
      },
      remedy: {
        en: 'Every cluster needs its own base domain. Choose another dnsBaseDomain.',
        ru: 'Каждому кластеру нужен свой базовый домен. Выберите другой dnsBaseDomain.',
      },
    },
    NOVA3040: {
      message: {
        en: 'The base domain {domain} overlaps with {zone}, a zone of the platform.',
        ru: 'Базовый домен {domain} пересекается с зоной платформы {zone}.',
      },
      remedy: {
        en: 'Choose a dnsBaseDomain that does not contain this zone and is not inside it.',
        ru: 'Выберите dnsBaseDomain, который не содержит эту зону и не лежит в ней.',
      },
    },
    NOVA3050: {
      message: {
        en: '{size} is too small for the {field} of a node.',
        ru: 'Значение {size} слишком мало для поля {field} узла.',
      },
      remedy: {
        en: 'Use at least {least}. A number without a suffix is in bytes.',
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
        en: 'Use `gateway: {right}`, or remove `externalNetwork`.',
        ru: 'Укажите `gateway: {right}` или удалите `externalNetwork`.',
      },
    },
    NOVA3070: {
      message: {
        en: 'The role control-plane cannot be added to the installed nodes of the group {group}.',
        ru: 'Роль control-plane нельзя добавить установленным узлам группы {group}.',
      },
      remedy: {
        en: 'Remove the role from this group, and add a group of new nodes with it.',
        ru: 'Уберите роль из этой группы и добавьте группу новых узлов с этой ролью.',
      },
    },
    NOVA3071: {
      message: {
        en: 'The role control-plane cannot be removed from the installed nodes of the group {group}.',
        ru: 'Роль control-plane нельзя убрать у установленных узлов группы {group}.',
      },
      remedy: {
        en: 'Add the role again. To replace the nodes, add a group of new control plane nodes, apply, then remove this group.',
        ru: 'Верните роль. Чтобы заменить узлы, добавьте группу новых узлов управления, примените манифест и затем удалите эту группу.',
      },
    },
    NOVA3072: {
      message: {
        en: 'The address of the host {host} cannot change while it is a node: the address is {before}, but the manifest has {after}.',
        ru: 'Адрес хоста {host} нельзя изменить, пока хост — узел кластера: сейчас {before}, а в манифесте {after}.',
      },
      remedy: {
        en: 'Set it back to {before}. To move the host, remove it from the group, apply, then add it with its new address.',
        ru: 'Верните {before}. Чтобы перенести хост, уберите его из группы, примените манифест и добавьте хост с новым адресом.',
      },
    },
    NOVA3073: {
      message: {
        en: 'The router of {cluster} has the external address {address}, which externalNetwork.addresses does not contain.',
        ru: 'У маршрутизатора кластера {cluster} внешний адрес {address}, а в externalNetwork.addresses его больше нет.',
      },
      remedy: {
        en: 'Add {address} to spec.externalNetwork.addresses. The router keeps its address.',
        ru: 'Добавьте {address} в spec.externalNetwork.addresses. Адрес маршрутизатора не меняется.',
      },
    },
    NOVA3074: {
      message: {
        en: 'The machines of the group {group} cannot change from {before} to {after}: a node keeps its machine and its disk.',
        ru: 'Машины группы {group} нельзя изменить с {before} на {after}: узел сохраняет свою машину и её диск.',
      },
      remedy: {
        en: 'Set `machineKind: {before}` for the group. To replace its nodes, add a group with `machineKind: {after}`, apply, then remove this group.',
        ru: 'Укажите для группы `machineKind: {before}`. Чтобы заменить её узлы, добавьте группу с `machineKind: {after}`, примените манифест и затем удалите эту группу.',
      },
    },
  },
);
