import { leaveScript } from './leave-script.ts';
import { hostFolder } from './node-scripts.ts';

/** Packages of Debian that a node needs, and what the scripts of joining use. */
export const hostPackages = [
  'puppet-agent',
  'containerd',
  'containernetworking-plugins',
  'nftables',
  'iptables',
  'ipset',
  'conntrack',
  'socat',
  'curl',
  'ca-certificates',
  'openssl',
  'iproute2',
  'ethtool',
  'procps',
  'kmod',
  'netbase',
] as const;

/** The releases of Debian whose machines can join, by version. */
export const hostReleases = { '12': 'bookworm', '13': 'trixie' } as const;

export interface JoinServer {
  /** The address of Universe for hosts, and its names. */
  address: string;
  names: readonly string[];
  /** The CA, PEM. */
  authority: string;
}

/**
 * Makes a Debian machine a node. It is downloaded by its digest, so the certificate of Universe is verified only after
 * the clock was checked: `join NAME ADDRESS ROLE CPUS MEMORY DISK`, sizes in mebibytes, and the token in the environment.
 */
export function joinScript({ address, names, authority }: JoinServer): string {
  const [name = ''] = names;
  const releases = Object.entries(hostReleases);
  return `#!/bin/sh
# Makes this host a node of a Nova cluster.
set -eu
umask 022
export LC_NUMERIC=C DEBIAN_FRONTEND=noninteractive
address=${address} server=${name}
[ $# = 6 ] || { echo 'NOVA_TOKEN=TOKEN join NAME ADDRESS ROLE CPUS MEMORY DISK' >&2; exit 2; }
node=$1 own=$2 role=$3 cpus=$4 memory=$5 disk=$6 token=\${NOVA_TOKEN:?}
unset NOVA_TOKEN
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case \${LC_ALL:-\${LC_MESSAGES:-\${LANG:-}}} in ru*) is_russian=true ;; *) is_russian=false ;; esac
say() { if $is_russian; then echo "$2"; else echo "$1"; fi; }
found=0
problem() { found=$((found + 1)); say "✗ $1" "✗ $2" >&2; }

[ "$(id -u)" = 0 ] || { say 'Run this command as root.' 'Выполните эту команду от имени root.' >&2; exit 1; }

# Everything that prevents the host from becoming a node, before anything changes.
check_system() {
  ID= VERSION_ID=
  [ ! -r /etc/os-release ] || . /etc/os-release
  case $ID:$VERSION_ID in
${releases.map(([version, release]) => `    debian:${version}) release=${release} ;;`).join('\n')}
    *) problem "The system is $ID $VERSION_ID; hosts need Debian ${releases.map(([version]) => version).join(' or ')}." "Система — $ID $VERSION_ID; нужна Debian ${releases.map(([version]) => version).join(' или ')}." ;;
  esac
  [ "$(uname -m)" = x86_64 ] || problem "The processor is $(uname -m); hosts need x86_64." "Процессор — $(uname -m); нужен x86_64."
  [ -d /run/systemd/system ] || problem 'systemd does not run on this host.' 'На этом хосте не работает systemd.'
  [ "$(uname -n | cut -d. -f1)" = "$node" ] ||
    problem "The hostname is $(uname -n), not $node. If this is the right host: hostnamectl set-hostname $node" "Имя хоста — $(uname -n), а не $node. Если хост выбран верно: hostnamectl set-hostname $node"
  # LOCAL entries of the kernel's routing table.
  awk -v own="$own" '$2 ~ /^[0-9.]+$/ { last = $2 } /host LOCAL/ && last == own { is_here = 1 } END { exit !is_here }' /proc/net/fib_trie ||
    problem "The host does not have the address $own." "У хоста нет адреса $own."
}
check_size() {
  [ "$(nproc)" -ge "$cpus" ] || problem "The host has $(nproc) CPUs; its group needs $cpus." "У хоста процессоров: $(nproc); группе нужно: $cpus."
  # The kernel and file systems take a part of the size.
  total=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)
  [ "$total" -ge $((memory * 9 / 10)) ] || problem "The host has $total MiB of memory; its group needs $memory." "У хоста $total МиБ памяти; группе нужно $memory."
  set -- $(df -Pk /var/lib | awk 'NR == 2 { print int($2 / 1024), int($4 / 1024) }')
  [ "$1" -ge $((disk * 9 / 10)) ] || problem "The file system of /var/lib has $1 MiB; the group needs $disk." "Файловая система /var/lib — $1 МиБ; группе нужно $disk."
  [ "$2" -ge 3072 ] || problem "/var/lib has $2 MiB free; a node needs 3072." "В /var/lib свободно $2 МиБ; узлу нужно 3072."
}
# Fails only if the host shows that its kernel lacks the feature.
lacks() {
  [ ! -d "/sys/module/$1" ] || return 1
  config=/boot/config-$(uname -r)
  if [ -r /proc/config.gz ]; then zcat /proc/config.gz >"$work/kernel"; config=$work/kernel; fi
  if [ -r "$config" ]; then ! grep -q "^$2=[ym]" "$config"; return; fi
  modules=/lib/modules/$(uname -r)
  [ -r "$modules/modules.dep" ] && ! grep -qE "/$1\\.ko" "$modules/modules.dep" "$modules/modules.builtin"
}
check_kernel() {
  missing=
  for each in overlay:CONFIG_OVERLAY_FS bridge:CONFIG_BRIDGE veth:CONFIG_VETH nf_tables:CONFIG_NF_TABLES nf_conntrack:CONFIG_NF_CONNTRACK; do
    ! lacks "\${each%:*}" "\${each#*:}" || missing="$missing \${each%:*}"
  done
  [ -z "$missing" ] || problem "The kernel lacks:$missing." "В ядре нет:$missing."
  for each in cgroup ipc mnt net pid uts; do
    [ -e "/proc/self/ns/$each" ] || problem "The kernel has no $each namespaces." "В ядре нет пространств имён $each."
  done
  if [ -r /sys/fs/cgroup/cgroup.controllers ]; then controllers=$(cat /sys/fs/cgroup/cgroup.controllers)
  else controllers=$(awk '$4 == 1 { print $1 }' /proc/cgroups | tr '\\n' ' '); fi
  for each in cpu cpuset memory pids; do
    case " $controllers " in *" $each "*) ;; *) problem "The control group controller $each is disabled." "Контроллер групп управления (cgroups) $each выключен." ;; esac
  done
}
is_listening() {
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null |
    awk -v port="$(printf ':%04X' "$1")" '$4 == "0A" && substr($2, length($2) - 4) == port { is_used = 1 } END { exit !is_used }'
}
check_ports() {
  ports='10248 10249 10250 10256'
  [ "$role" != control-plane ] || ports="$ports 2379 2380 2381 6443 10257 10259"
  for each in $ports; do ! is_listening "$each" || problem "Another program uses port $each." "Порт $each занят другой программой."; done
}
check_leftovers() {
  for each in /etc/kubernetes /var/lib/kubelet /var/lib/etcd; do
    [ -z "$(ls -A "$each" 2>/dev/null)" ] || problem "$each has data of another cluster." "В $each есть данные другого кластера."
  done
  [ ! -e /etc/nova/agent.conf ] || problem 'The host is a node already. To remove it: sh ${hostFolder}/leave' 'Хост уже является узлом. Убрать его: sh ${hostFolder}/leave'
  for each in docker-ce containerd.io containerd puppet-agent; do
    [ ! -e "/var/lib/dpkg/info/$each.list" ] || problem "The package $each is installed; Nova installs and removes its own." "Установлен пакет $each; Nova ставит и удаляет свой."
  done
}
check_universe() {
  for port in 443 8140 5000; do
    timeout 5 bash -c "exec 3<>/dev/tcp/$address/$port" 2>/dev/null ||
      problem "$server ($address) is unreachable on port $port." "$server ($address) недоступен по порту $port."
  done
  download "https://$address/hosts/clock" "$work/clock" 2>/dev/null || { problem 'The clock of Universe is unknown.' 'Часы Universe неизвестны.'; return 0; }
  difference=$(($(date +%s) - $(cat "$work/clock")))
  [ "\${difference#-}" -le 60 ] || problem "The clock differs from that of Universe by $difference seconds." "Часы расходятся с часами Universe на $difference с."
}
download() {
  /usr/lib/apt/apt-helper -qq -o Acquire::https::Verify-Peer=false -o Acquire::https::Verify-Host=false -o Acquire::https::Proxy=DIRECT \\
    -o Acquire::Retries=0 -o APT::Sandbox::User=root download-file "$1" "$2"
}
# A join that was interrupted has done a part of its work.
[ ! -e ${hostFolder}/incomplete ] || sh ${hostFolder}/leave >/dev/null
release=
check_system
check_size
check_kernel
check_ports
check_leftovers
check_universe
if [ "$found" -gt 0 ]; then
  say 'Nothing was changed on this host.' 'На этом хосте ничего не изменено.' >&2
  exit 1
fi

# The state before, for leaving.
mkdir -p -m 0700 ${hostFolder}
touch ${hostFolder}/incomplete
cp -a /etc/hosts ${hostFolder}/hosts
dpkg-query -W -f '\${binary:Package} \${db:Status-Status}\\n' | sed -n 's/ installed$//p' | sort >${hostFolder}/packages
cut -d: -f1 /etc/passwd | sort >${hostFolder}/users
cut -d: -f1 /etc/group | sort >${hostFolder}/groups
find /etc/ssl -maxdepth 1 >${hostFolder}/ssl 2>/dev/null || true
for each in net/ipv4/ip_forward net/ipv4/conf/all/rp_filter net/ipv4/conf/default/rp_filter vm/overcommit_memory vm/max_map_count \\
  kernel/panic kernel/panic_on_oops fs/inotify/max_user_instances fs/inotify/max_user_watches; do
  [ ! -r "/proc/sys/$each" ] || echo "$each $(cat "/proc/sys/$each")"
done >${hostFolder}/sysctls
cat >${hostFolder}/ca.pem <<'END'
${authority.trim()}
END
cp "$0" "$work/self"
sed '1,/^#### leave$/d' "$work/self" >${hostFolder}/leave

grep -q " $server\\( \\|$\\)" /etc/hosts || echo '${address} ${names.join(' ')}' >>/etc/hosts
url=https://$server/hosts
base="-o Acquire::https::CAInfo=${hostFolder}/ca.pem -o Acquire::https::Proxy=DIRECT -o APT::Sandbox::User=root"
get() { /usr/lib/apt/apt-helper -qq $base download-file "$1" "$2" >/dev/null; }
say "Installing packages for Debian $release" "Установка пакетов для Debian $release"
mkdir -p /etc/apt/keyrings
get "$url/repository/key.asc" /etc/apt/keyrings/nova.asc
chmod 0644 /etc/apt/keyrings/nova.asc
echo "deb [signed-by=/etc/apt/keyrings/nova.asc] $url/repository/debian $release/" >/etc/apt/sources.list.d/nova.list
# Only our repository: the others may be unreachable.
ours="$base -o Dir::Etc::SourceList=/etc/apt/sources.list.d/nova.list -o Dir::Etc::SourceParts=/dev/null -o APT::Update::Error-Mode=any"
apt-get -qq $ours update
# Services of these packages are started when the node is configured.
if [ ! -e /usr/sbin/policy-rc.d ]; then
  printf '#!/bin/sh\\nexit 101\\n' >/usr/sbin/policy-rc.d
  chmod 0755 /usr/sbin/policy-rc.d
  touch ${hostFolder}/policy
fi
code=0
apt-get -qq -y $ours -o DPkg::Lock::Timeout=120 -o APT::Get::AutomaticRemove=false install --no-install-recommends ${hostPackages.join(' ')} >"$work/apt" 2>&1 || code=$?
[ ! -e ${hostFolder}/policy ] || rm -f /usr/sbin/policy-rc.d ${hostFolder}/policy
[ "$code" = 0 ] || { tail -n 20 "$work/apt" >&2; say 'The packages could not be installed.' 'Пакеты не удалось установить.' >&2; exit 1; }
systemctl disable --quiet puppet.service containerd.service 2>/dev/null || true
dpkg-query -W -f '\${binary:Package} \${db:Status-Status}\\n' | sed -n 's/ installed$//p' | sort | comm -13 ${hostFolder}/packages - >${hostFolder}/installed

say 'Installing the programs of the node' 'Установка программ узла'
ask() { curl --silent --show-error --fail --noproxy '*' --connect-timeout 10 --retry 3 --cacert ${hostFolder}/ca.pem "$@"; }
ask --output "$work/programs" "$url/repository/programs"
while read -r digest program version; do
  ask --output "$work/program" "$url/repository/sha256/$digest"
  echo "$digest  $work/program" | sha256sum --check --quiet
  mkdir -p "/opt/nova/$program/$version"
  tar --extract --gzip --no-same-owner --file "$work/program" --directory "/opt/nova/$program/$version"
  rm "$work/program"
done <"$work/programs"

# The token goes only to a server that our authority has certified.
printf 'header = "Authorization: Bearer %s"\\n' "$token" | ask --config - --output "$work/files" "$url/files/$node"
tar --extract --no-same-owner --file "$work/files" --directory /
systemctl daemon-reload
systemctl start nova-agent.service
left=60
until [ -s "/var/lib/puppet/ssl/certs/$node.pem" ]; do
  left=$((left - 1))
  [ "$left" -gt 0 ] || { say 'The host did not enrol; see: journalctl -u nova-agent' 'Хост не зарегистрировался; журнал: journalctl -u nova-agent' >&2; exit 1; }
  sleep 1
done
rm -f ${hostFolder}/incomplete
say "✓ $node has joined. It is configured now: nova-ctl node list" "✓ $node присоединился. Теперь он настраивается: nova-ctl node list"
exit 0
#### leave
${leaveScript}`;
}
