import { hostFolder, prelude } from './node-scripts.ts';

const sets = {
  /** Files and folders of the agent, of its catalogs and of the programs that they start. */
  files: [
    '/etc/nova',
    '/etc/puppet',
    '/etc/facter',
    '/etc/containerd',
    '/etc/cni',
    '/etc/sysctl.d/99-nova.conf',
    '/etc/modules-load.d/nova.conf',
    '/etc/systemd/system.conf.d/nova-limits.conf',
    '/etc/profile.d/nova-proxy.sh',
    '/usr/local/share/ca-certificates/nova.crt',
    '/usr/local/share/ca-certificates/nova-proxy.crt',
    '/etc/ssl/certs/nova.pem',
    '/etc/ssl/certs/nova-proxy.pem',
    '/usr/local/lib/nova',
    '/opt/nova',
    '/opt/cni',
    '/opt/containerd',
    '/usr/libexec/kubernetes',
    '/var/lib/kubelet',
    '/var/lib/etcd',
    '/var/lib/containerd',
    '/var/lib/cni',
    '/var/lib/puppet',
    '/var/lib/nova-boot-pending',
    '/var/log/kubernetes',
    '/var/log/containers',
    '/var/log/pods',
    '/var/log/puppet',
    '/var/cache/puppet',
    '/run/nova-boot',
    '/run/containerd',
    '/run/puppet',
    '/etc/apt/sources.list.d/nova.list',
    '/etc/apt/keyrings/nova.asc',
  ],
  /** Folders that only existed for the files above, if they are empty. */
  folders: [
    '/etc/systemd/system.conf.d',
    '/etc/systemd/system/containerd.service.d',
    '/etc/systemd/system/multi-user.target.d',
    '/usr/local/share/ca-certificates',
  ],
};

/**
 * Removes everything of Nova from an existing host and restores what joining has changed. `leave ORDER` reports to
 * Universe before it removes the identity of the node.
 */
export const leaveScript = `#!/bin/sh
# Removes Nova from this host.
set -u
export PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive
[ "$(id -u)" = 0 ] || { echo 'Run this command as root.' >&2; exit 1; }
cd /
before=${hostFolder}

stop_programs() {
  systemctl stop nova-agent.service 2>/dev/null
  for path in /etc/systemd/system/nova-*.timer /etc/systemd/system/*.service; do
    case $path in *.service) grep -qsE '/opt/nova/|/usr/local/lib/nova/' "$path" || continue ;; esac
    unit=\${path##*/}
    echo "stopping $unit"
    systemctl stop "$unit" 2>/dev/null
    rm -f "$path" /etc/systemd/system/*.wants/"$unit"
  done
  systemctl stop containerd.service 2>/dev/null
  # Containers and their shims outlive their service.
  for process in /proc/[0-9]*; do
    grep -qs kubepods "$process/cgroup" || grep -qsx containerd-shim "$process/comm" || continue
    kill -KILL "\${process#/proc/}" 2>/dev/null
  done
  systemctl stop 'kubepods*.slice' 2>/dev/null
}
unmount() {
  # The deepest mounts first.
  awk '$2 ~ "^/(var/lib/kubelet|run/containerd|var/lib/containerd|run/netns/cni-|var/run/netns/cni-)" { print $2 }' /proc/self/mounts |
    sort -r | while read -r place; do umount -l "$place" 2>/dev/null; done
  rm -f /run/netns/cni-*
  umount /run/netns 2>/dev/null
  rmdir /run/netns 2>/dev/null
}
clean_network() {
  for route in $(ip -o route show proto 99 2>/dev/null | awk '{ print $1 }'); do ip route delete "$route" proto 99; done
  ip link delete cni0 2>/dev/null
  nft list tables 2>/dev/null | awk '$3 ~ /^(kube-proxy|nova-pods)$/ { print $2, $3 }' | while read -r family table; do nft delete table "$family" "$table"; done
  for family in iptables ip6tables; do
    $family-save 2>/dev/null | grep -qE 'KUBE-|CNI-' || continue
    $family-save | grep -vE 'KUBE-|CNI-' | $family-restore
  done
  # Tables that iptables itself has made, without rules.
  for table in 'ip filter' 'ip nat' 'ip mangle' 'ip6 filter' 'ip6 nat' 'ip6 mangle'; do
    nft list table $table 2>/dev/null | grep -qE '^\\s+(counter|ip|ip6|tcp|udp|ct|meta|jump|iifname|oifname|xt|fib)' || nft delete table $table 2>/dev/null
  done
}
restore() {
  while read -r name value; do echo "$value" >"/proc/sys/$name"; done <"$before/sysctls" 2>/dev/null
  for each in /sys/fs/cgroup /sys/fs/cgroup/*; do
    find "$each" -maxdepth 1 -name 'kubepods*' -exec find {} -depth -type d -exec rmdir {} + \\; 2>/dev/null
  done
}
remove_packages() {
  [ ! -s "$before/installed" ] || {
    # Packages that others need by now stay.
    xargs dpkg --purge <"$before/installed" >/dev/null 2>&1
    xargs dpkg --purge <"$before/installed" >/dev/null 2>&1
  }
  for name in $(cut -d: -f1 /etc/passwd | sort | comm -13 "$before/users" - | grep -x puppet); do userdel "$name" 2>/dev/null; done
  for name in $(cut -d: -f1 /etc/group | sort | comm -13 "$before/groups" - | grep -x puppet); do groupdel "$name" 2>/dev/null; done
  if command -v update-ca-certificates >/dev/null; then update-ca-certificates --fresh >/dev/null 2>&1
  elif ! grep -qx /etc/ssl/certs "$before/ssl"; then rm -rf /etc/ssl/certs; fi
  [ -s "$before/ssl" ] || rmdir /etc/ssl 2>/dev/null
}
remove_files() {
  # The names of Universe were needed until now.
  cat "$before/hosts" >/etc/hosts
  rm -rf ${sets.files.join(' ')}
  rm -rf /var/lib/apt/lists/*_hosts_repository_* /etc/systemd/system/multi-user.target.wants/containerd.service
  rm -f /etc/systemd/system/multi-user.target.d/nova*.conf /etc/systemd/system/containerd.service.d/nova*.conf
  rmdir ${sets.folders.join(' ')} 2>/dev/null
  systemctl daemon-reload
  systemctl reset-failed 2>/dev/null
}

if [ -n "\${1:-}" ]; then
  ${prelude.split('\n').slice(2).join('\n  ')}
  # The identity is needed for the report; the rest follows.
  (stop_programs; unmount; clean_network; restore; echo 'exit 0') |
    request --no-buffer --upload-file - "$server/nova/v1/nodes/$name/orders/$1/log"
else
  stop_programs; unmount; clean_network; restore
fi
remove_packages
remove_files
rm -rf "$before"
echo 'Nova is removed from this host.'
`;
