import { area } from './area.ts';

export const clusters = area(
  'clusters',
  { en: 'Clusters', ru: 'Кластеры' },
  {
    NOVA8320: {
      message: {
        en: '{cluster} has changed in the meantime: its current revision is {revision}.',
        ru: '{cluster} уже изменён: текущая ревизия — {revision}.',
      },
      remedy: { en: 'Load it again, then repeat the change.', ru: 'Загрузите его заново и повторите изменение.' },
      status: 412,
    },
    NOVA8321: {
      message: { en: 'There is no cluster {cluster}.', ru: 'Кластера {cluster} нет.' },
      remedy: { en: 'Check the name.', ru: 'Проверьте имя.' },
      status: 404,
    },
    NOVA8322: {
      message: {
        en: 'The documents must declare only the cluster {cluster}.',
        ru: 'Документы должны описывать только кластер {cluster}.',
      },
      remedy: { en: 'Remove the documents of other clusters.', ru: 'Уберите документы других кластеров.' },
    },
    NOVA8324: {
      message: {
        en: 'The secret in {field} is masked, but there is no earlier value to keep.',
        ru: 'Секрет в {field} скрыт звёздочками, но прежнего значения нет.',
      },
      remedy: {
        en: 'Enter the secret itself. Asterisks only keep a value that was declared before.',
        ru: 'Укажите сам секрет. Звёздочки сохраняют только заданное ранее значение.',
      },
    },
    NOVA8340: {
      message: { en: 'The engine is unreachable: {reason}.', ru: 'Движок недоступен: {reason}.' },
      remedy: {
        en: 'On the host of the engine, start it: `nova-ctl host up`. To issue a new certificate to Universe: `nova-ctl up`.',
        ru: 'Запустите движок на его хосте: `nova-ctl host up`. Выдать Universe новый сертификат: `nova-ctl up`.',
      },
      status: 502,
    },
    NOVA8341: {
      message: { en: 'Agent runs failed on {nodes}.', ru: 'Запуски агентов завершились сбоем на узлах: {nodes}.' },
      remedy: {
        en: 'See the reports: `nova-ctl node reports NAME`. Then resume the operation.',
        ru: 'Посмотрите отчёты: `nova-ctl node reports ИМЯ`. Затем продолжите операцию.',
      },
    },
    NOVA8342: {
      message: {
        en: 'The node {node} has not converged to its approved catalog.',
        ru: 'Узел {node} не применил утверждённый каталог.',
      },
      remedy: {
        en: 'See its reports: `nova-ctl node reports {node}`, and its console: `nova-ctl logs node {node}`. Then resume the operation.',
        ru: 'Посмотрите его отчёты: `nova-ctl node reports {node}` и консоль: `nova-ctl logs node {node}`. Затем продолжите операцию.',
      },
    },
    NOVA8343: {
      message: { en: 'The API of {cluster} does not respond.', ru: 'API кластера {cluster} не отвечает.' },
      remedy: {
        en: 'See the logs on a control plane node: `journalctl -u kube-apiserver -u etcd`. Then resume the operation.',
        ru: 'Посмотрите журналы на узле управления: `journalctl -u kube-apiserver -u etcd`. Затем продолжите операцию.',
      },
    },
    NOVA8344: {
      message: { en: 'The node {node} is not ready: {reason}.', ru: 'Узел {node} не готов: {reason}.' },
      remedy: {
        en: 'See the logs on the node: `journalctl -u kubelet -u containerd`. Then resume the operation.',
        ru: 'Посмотрите журналы на узле: `journalctl -u kubelet -u containerd`. Затем продолжите операцию.',
      },
    },
    NOVA8345: {
      message: {
        en: '{group} is neither a node group of {cluster} nor a role that exactly one node group has.',
        ru: '{group} — не группа узлов {cluster} и не роль, которую имеет ровно одна группа.',
      },
      remedy: { en: 'Node groups: {known}.', ru: 'Группы узлов: {known}.' },
    },
    NOVA8346: {
      message: {
        en: '{leaving} cannot be removed: etcd of {cluster} would lose its quorum, because {unhealthy} does not respond.',
        ru: '{leaving} нельзя удалить: etcd кластера {cluster} потеряет кворум, потому что {unhealthy} не отвечает.',
      },
      remedy: {
        en: 'First repair {unhealthy}. See the log on it: `journalctl -u etcd`. Nothing was changed.',
        ru: 'Сначала восстановите {unhealthy}. Журнал на нём: `journalctl -u etcd`. Ничего не изменено.',
      },
      status: 409,
    },
    NOVA8347: {
      message: {
        en: 'etcd of {cluster} has no quorum: {reason}.',
        ru: 'У etcd кластера {cluster} нет кворума: {reason}.',
      },
      remedy: {
        en: 'Control plane nodes can be added and removed only with a quorum. Start a stopped cluster: `nova-ctl start {cluster}`. If its creation never completed, you can delete it with all its data and create it again: `nova-ctl destroy {cluster}`.',
        ru: 'Узлы управления можно добавлять и удалять только при наличии кворума. Запустить остановленный кластер: `nova-ctl start {cluster}`. Если его создание не завершилось, кластер можно удалить со всеми данными и создать снова: `nova-ctl destroy {cluster}`.',
      },
      status: 409,
    },
    NOVA8348: {
      message: {
        en: 'The etcd member on {node} is not healthy: {reason}.',
        ru: 'Участник etcd на {node} неисправен: {reason}.',
      },
      remedy: {
        en: 'See the log on the node: `journalctl -u etcd`. The other members keep running. Then resume the operation.',
        ru: 'Посмотрите журнал на узле: `journalctl -u etcd`. Остальные участники работают. Затем продолжите операцию.',
      },
    },
    NOVA8349: {
      message: {
        en: 'The API server on {node} is not ready.',
        ru: 'Сервер API на {node} не готов.',
      },
      remedy: {
        en: 'See the log on the node: `journalctl -u kube-apiserver`. The other control plane nodes were not changed. Then resume the operation.',
        ru: 'Посмотрите журнал на узле: `journalctl -u kube-apiserver`. Остальные узлы управления не изменены. Затем продолжите операцию.',
      },
    },
    NOVA8351: {
      message: {
        en: 'Names do not resolve in {cluster}: CoreDNS is not running.',
        ru: 'Имена в {cluster} не разрешаются: CoreDNS не работает.',
      },
      remedy: {
        en: 'See why: `nova-ctl status {cluster}`. Then resume the operation.',
        ru: 'Узнайте причину: `nova-ctl status {cluster}`. Затем продолжите операцию.',
      },
    },
    NOVA8352: {
      message: {
        en: '{cluster} has no certificate authority yet: no configuration is approved for its nodes.',
        ru: 'У {cluster} ещё нет центра сертификации: конфигурация его узлов не утверждена.',
      },
      remedy: {
        en: 'Wait for the first operation of the cluster, which approves it: `nova-ctl operation list --cluster {cluster}`.',
        ru: 'Дождитесь первой операции кластера, она утвердит конфигурацию: `nova-ctl operation list --cluster {cluster}`.',
      },
      status: 409,
    },
    NOVA8353: {
      message: { en: 'The node {node} is not ready: {reason}', ru: 'Узел {node} не готов: {reason}' },
      remedy: {
        en: 'Kubelet log: `nova-ctl machine exec {node} -- journalctl -u kubelet -n 50`.',
        ru: 'Журнал kubelet: `nova-ctl machine exec {node} -- journalctl -u kubelet -n 50`.',
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
        en: 'Run the agent to start the service: `nova-ctl node run {node}`. Log of the service: `nova-ctl machine exec {node} -- journalctl -u {service} -n 50`.',
        ru: 'Агент запустит службу: `nova-ctl node run {node}`. Журнал службы: `nova-ctl machine exec {node} -- journalctl -u {service} -n 50`.',
      },
    },
    NOVA8357: {
      message: {
        en: 'The certificate {certificate} of {node} {end}.',
        ru: 'Сертификат {certificate} узла {node} {end}.',
      },
      remedy: {
        en: 'Run the agent to renew it: `nova-ctl node run {node}`. Log of renewals: `nova-ctl machine exec {node} -- journalctl -u nova-certificates -n 50`.',
        ru: 'Агент обновит его: `nova-ctl node run {node}`. Журнал обновлений: `nova-ctl machine exec {node} -- journalctl -u nova-certificates -n 50`.',
      },
    },
    NOVA8358: {
      message: { en: '{service} has had no leader since {at}.', ru: 'У {service} нет лидера с {at}.' },
      remedy: {
        en: 'Run the agent to start the service: `nova-ctl node run {node}`. Log of the service: `nova-ctl machine exec {node} -- journalctl -u {service} -n 50`.',
        ru: 'Агент запустит службу: `nova-ctl node run {node}`. Журнал службы: `nova-ctl machine exec {node} -- journalctl -u {service} -n 50`.',
      },
    },
    NOVA8359: {
      message: {
        en: 'The kubelet of {node} runs, but the API server does not receive its status: the kubelet cannot connect, or the API server rejects it.',
        ru: 'kubelet узла {node} работает, но сервер API не получает его статус: kubelet не может подключиться или получает отказ.',
      },
      remedy: {
        en: 'Run the agent to renew the configuration: `nova-ctl node run {node}`. Kubelet log: `nova-ctl machine exec {node} -- journalctl -u kubelet -n 50`.',
        ru: 'Агент обновит настройки: `nova-ctl node run {node}`. Журнал kubelet: `nova-ctl machine exec {node} -- journalctl -u kubelet -n 50`.',
      },
    },
    NOVA8360: {
      message: {
        en: 'The API of {cluster} does not respond at {address}: {reason}',
        ru: 'API кластера {cluster} не отвечает по адресу {address}: {reason}',
      },
      remedy: {
        en: 'Check the load balancer of its API servers: `nova-ctl network show {cluster}`.',
        ru: 'Проверьте балансировщик его серверов API: `nova-ctl network show {cluster}`.',
      },
      status: 503,
    },
    NOVA8361: {
      message: {
        en: '{healthy} of {total} etcd members are healthy: {meaning}.',
        ru: 'Исправных участников etcd: {healthy} из {total}; {meaning}.',
      },
      remedy: {
        en: 'etcd log: `nova-ctl machine exec {node} -- journalctl -u etcd -n 50`.',
        ru: 'Журнал etcd: `nova-ctl machine exec {node} -- journalctl -u etcd -n 50`.',
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
        ru: 'Последний запуск агента на узле {node} завершился сбоем.',
      },
      remedy: {
        en: 'See the report: `nova-ctl node reports {node} --last`. Then run the agent again: `nova-ctl node run {node}`.',
        ru: 'Посмотрите отчёт: `nova-ctl node reports {node} --last`. Затем повторите запуск: `nova-ctl node run {node}`.',
      },
    },
    NOVA8364: {
      message: {
        en: 'Operation {id} ({title}) failed at {step}.',
        ru: 'Операция {id} ({title}) завершилась сбоем на шаге {step}.',
      },
      remedy: {
        en: 'See why: `nova-ctl operation show {id}`. Then resume it: `nova-ctl operation resume {id} --follow`.',
        ru: 'Узнайте причину: `nova-ctl operation show {id}`. Затем продолжите операцию: `nova-ctl operation resume {id} --follow`.',
      },
    },
    NOVA8365: {
      message: {
        en: '{source} is unavailable, so its data is missing here: {reason}',
        ru: 'Источник «{source}» недоступен, поэтому его данных здесь нет: {reason}',
      },
      remedy: {
        en: 'Check Universe: `nova-ctl status`. Repair it on its host: `nova-ctl up`.',
        ru: 'Проверьте Universe: `nova-ctl status`. Восстановить его на его хосте: `nova-ctl up`.',
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
      message: { en: '{object}: {reason}: {message}', ru: '{object}: {reason}: {message}' },
      remedy: { en: 'All events: `kubectl get events -A`.', ru: 'Все события: `kubectl get events -A`.' },
    },
    NOVA8368: {
      message: {
        en: 'The machine {node} runs, but nothing responds at {address}.',
        ru: 'Машина {node} работает, но по адресу {address} ответа нет.',
      },
      remedy: {
        en: 'Check its network: `nova-ctl network show {cluster}`. Restart it: `nova-ctl machine restart {node}`.',
        ru: 'Проверьте её сеть: `nova-ctl network show {cluster}`. Перезапустите её: `nova-ctl machine restart {node}`.',
      },
    },
    NOVA8369: {
      message: { en: 'The registry has no image {image}.', ru: 'В реестре нет образа {image}.' },
      remedy: {
        en: 'Build it: `nova-ctl component build {component}`. Then import it: `nova-ctl registry import {component}`.',
        ru: 'Соберите его: `nova-ctl component build {component}`. Затем импортируйте: `nova-ctl registry import {component}`.',
      },
    },
    NOVA8370: {
      message: { en: 'The module {module} is not ready: {reason}', ru: 'Модуль {module} не готов: {reason}' },
      remedy: {
        en: 'See the state of the modules: `nova-ctl module list {cluster}`.',
        ru: 'Состояние модулей: `nova-ctl module list {cluster}`.',
      },
    },
    NOVA8371: {
      message: {
        en: 'Nodes of {cluster} lack Debian security updates: {nodes}. Packages: {packages}.',
        ru: 'Узлам кластера {cluster} не хватает обновлений безопасности Debian: {nodes}. Пакеты: {packages}.',
      },
      remedy: {
        en: 'Build current images on the host: `nova-ctl image update`. Then replace workers one by one. Drain and delete: `nova-ctl machine delete NODE`. Create again, with the manifest of {cluster}: `nova-ctl apply -f FILE`. Control plane nodes cannot be replaced in place yet.',
        ru: 'Соберите новые образы на хосте: `nova-ctl image update`. Затем замените рабочие узлы по одному. Освободите (drain) и удалите: `nova-ctl machine delete УЗЕЛ`. Создайте снова, с манифестом кластера {cluster}: `nova-ctl apply -f ФАЙЛ`. Узлы управления пока нельзя заменить на месте.',
      },
    },
    NOVA8372: {
      message: {
        en: 'The machine of Universe lacks Debian security updates: {packages}.',
        ru: 'Машине Universe не хватает обновлений безопасности Debian: {packages}.',
      },
      remedy: {
        en: 'Build current images on its host: `nova-ctl image update`. Then move Universe to its new image: `nova-ctl up`.',
        ru: 'Соберите новые образы на его хосте: `nova-ctl image update`. Затем переведите Universe на новый образ: `nova-ctl up`.',
      },
    },
    NOVA8373: {
      message: {
        en: 'The machines of {cluster} have been locked by {who} since {since}: {operation}.',
        ru: 'Машины кластера {cluster} заблокированы: {who}, с {since}: {operation}.',
      },
      remedy: {
        en: 'Wait until the operation is finished. If it no longer runs, release the lock: `kubectl delete terraformlock cluster`.',
        ru: 'Дождитесь завершения операции. Если она больше не выполняется, снимите блокировку: `kubectl delete terraformlock cluster`.',
      },
    },
    NOVA8374: {
      message: {
        en: '{object}: the image {image} is not in the registry{tags}.',
        ru: '{object}: в реестре нет образа {image}{tags}.',
      },
      remedy: {
        en: 'Correct the image in the manifest that {object} comes from, or push the missing image. Then Kubernetes pulls it within five minutes.',
        ru: 'Исправьте образ в манифесте, из которого создан {object}, или загрузите недостающий образ. Kubernetes получит его в течение пяти минут.',
      },
    },
    NOVA8422: {
      message: {
        en: 'The secret in {field} is masked, but {address} next to it has changed.',
        ru: 'Секрет в {field} скрыт звёздочками, но поле {address} рядом с ним изменилось.',
      },
      remedy: {
        en: 'Enter the secret itself. A secret that was declared for one server is not sent to another.',
        ru: 'Укажите сам секрет. Секрет, заданный для одного сервера, не отправляется другому.',
      },
    },
    NOVA8430: {
      message: {
        en: 'The machine {name} belongs to the cluster {cluster}.',
        ru: 'Машина {name} принадлежит кластеру {cluster}.',
      },
      remedy: {
        en: 'Only its cluster changes it. To scale, stop or destroy the cluster, open its page or use `nova-ctl scale`, `nova-ctl stop` or `nova-ctl destroy`.',
        ru: 'Её меняет только кластер. Масштабировать, остановить или удалить кластер можно на его странице и командами `nova-ctl scale`, `nova-ctl stop` и `nova-ctl destroy`.',
      },
      status: 409,
    },
    NOVA8431: {
      message: {
        en: 'The network {name} belongs to the cluster {cluster}.',
        ru: 'Сеть {name} принадлежит кластеру {cluster}.',
      },
      remedy: {
        en: 'Use a network without a cluster, or create one.',
        ru: 'Выберите сеть, которая не принадлежит кластеру, или создайте новую.',
      },
      status: 409,
    },
    NOVA8432: {
      message: { en: 'There is no {kind} {name}.', ru: 'Не найдено: {kind} {name}.' },
      remedy: { en: '{nearest}Known: {known}.', ru: '{nearest}Есть: {known}.' },
      status: 404,
    },
    NOVA8433: {
      message: {
        en: 'The machine {name} belongs to the cluster {cluster}: it can have no snapshots.',
        ru: 'Машина {name} принадлежит кластеру {cluster}: снимков у неё не бывает.',
      },
      remedy: {
        en: 'A restored node would be an old member of etcd with old certificates. To replace a node, delete its machine and apply the documents of the cluster again.',
        ru: 'Восстановленный узел вернулся бы в etcd со старыми данными и сертификатами. Чтобы заменить узел, удалите его машину и примените документы кластера заново.',
      },
      status: 409,
    },
    NOVA8434: {
      message: {
        en: 'The machine {name} belongs to the cluster {cluster}: it can become no template.',
        ru: 'Машина {name} принадлежит кластеру {cluster}: шаблон из неё не создаётся.',
      },
      remedy: {
        en: 'Its disk has the keys of the node. Create a machine from the same image, and the template from that machine.',
        ru: 'На её диске ключи узла. Создайте машину из того же образа и шаблон — из неё.',
      },
      status: 409,
    },
    NOVA8435: {
      message: {
        en: 'The snapshot {name} of {machine} was deleted and created again since the restore was requested.',
        ru: 'После запроса на восстановление снимок {name} машины {machine} удалили и создали заново.',
      },
      remedy: {
        en: 'Cancel this operation, and request the restore of the new snapshot if you want it.',
        ru: 'Отмените эту операцию. Если нужен новый снимок, запросите его восстановление.',
      },
      status: 409,
    },
    NOVA8436: {
      message: {
        en: 'The machine {name} is a container: it has neither a screen nor a serial console.',
        ru: 'Машина {name} — контейнер: у неё нет ни экрана, ни последовательной консоли.',
      },
      remedy: {
        en: 'Read its console output. On the host, root gets a shell with `nova-ctl machine shell {name}`.',
        ru: 'Посмотрите вывод её консоли. На хосте root получит оболочку командой `nova-ctl machine shell {name}`.',
      },
      status: 409,
    },
    NOVA8437: {
      message: {
        en: 'A console needs a WebSocket.',
        ru: 'Консоли нужен WebSocket.',
      },
      remedy: {
        en: 'Connect with the address wss:// and the same path. The console can be opened: everything else was checked.',
        ru: 'Подключитесь по адресу wss:// с тем же путём. Остальное проверено: консоль можно открыть.',
      },
      status: 426,
    },
  },
);
