import { area } from './area.ts';

export const clusters = area(
  'clusters',
  { en: 'Clusters', ru: 'Кластеры' },
  {
    NOVA8320: {
      message: {
        en: '{cluster} has changed since: it is at revision {revision}.',
        ru: '{cluster} тем временем изменился: сейчас ревизия {revision}.',
      },
      remedy: { en: 'Reload it, then repeat the change.', ru: 'Посмотрите его заново и повторите изменение.' },
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
        en: 'The secret in {field} is masked, and no secret was declared before.',
        ru: 'Секрет в {field} скрыт, а прежнего нет.',
      },
      remedy: {
        en: 'Give the secret itself: asterisks stand only for one that was declared before.',
        ru: 'Укажите сам секрет: звёздочки заменяют только объявленный ранее.',
      },
    },
    NOVA8340: {
      message: { en: 'The engine cannot be reached: {reason}.', ru: 'Engine недоступен: {reason}.' },
      remedy: {
        en: 'On its host `nova-ctl host up` starts it, and `nova-ctl up` renews the identity of Universe.',
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
        en: 'The node {node} has not converged to its approved catalog.',
        ru: 'Узел {node} не пришёл к утверждённому состоянию.',
      },
      remedy: {
        en: 'See its runs: `nova-ctl node reports {node}`, and its console: `nova-ctl machine console {node}`. Then resume.',
        ru: 'Его запуски: `nova-ctl node reports {node}`, консоль: `nova-ctl machine console {node}`. Затем продолжите.',
      },
    },
    NOVA8343: {
      message: { en: 'The API of {cluster} does not respond.', ru: 'API кластера {cluster} не отвечает.' },
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
    NOVA8345: {
      message: {
        en: '{cluster} has no node group {group}, and not exactly one with that role.',
        ru: 'В {cluster} нет группы узлов {group}, и групп с такой ролью не одна.',
      },
      remedy: { en: 'Its groups: {known}.', ru: 'Его группы: {known}.' },
    },
    NOVA8346: {
      message: {
        en: '{leaving} cannot leave: without them etcd of {cluster} would lose its quorum, because {unhealthy} does not respond.',
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
    NOVA8351: {
      message: {
        en: 'Names do not resolve in {cluster}: CoreDNS is not running.',
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
        en: 'Recreate it: `nova-ctl apply -f FILE` with the manifest of {cluster}.',
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
        en: 'The API of {cluster} does not respond at {address}: {reason}',
        ru: 'API кластера {cluster} не отвечает по адресу {address}: {reason}',
      },
      remedy: {
        en: 'Check the load balancing of its servers: `nova-ctl network show {cluster}`.',
        ru: 'Посмотрите, как балансируются его серверы: `nova-ctl network show {cluster}`.',
      },
      status: 503,
    },
    NOVA8361: {
      message: {
        en: '{healthy} of {total} members of etcd are healthy: {meaning}.',
        ru: 'Исправных членов etcd: {healthy} из {total}; {meaning}.',
      },
      remedy: {
        en: 'Its own words: `nova-ctl machine exec {node} -- journalctl -u etcd -n 50`.',
        ru: 'Что сообщает etcd: `nova-ctl machine exec {node} -- journalctl -u etcd -n 50`.',
      },
    },
    NOVA8362: {
      message: {
        en: 'The agent of {node} does not poll for runs; {seen}.',
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
        en: '{source} does not respond, so its data is missing here: {reason}',
        ru: '{source} не отвечает, и его сведений здесь нет: {reason}',
      },
      remedy: {
        en: 'Check Universe: `nova-ctl status`. On its host `nova-ctl up` repairs it.',
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
        en: 'Reported by Kubernetes; more: `kubectl get events -A`.',
        ru: 'Так сообщает Kubernetes; подробнее: `kubectl get events -A`.',
      },
    },
    NOVA8368: {
      message: {
        en: 'The machine {node} runs, but nothing responds at {address}.',
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
  },
);
