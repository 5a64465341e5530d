#!/bin/sh
# Runs a command in a sandbox: `sandbox.sh COMMAND…`, as root. The command has no access to machines, networks, control
# groups and state of a site on this host, nor to outside networks. Its leftover processes and files are removed when it
# ends. The sandbox starts with the components and images that are built on this host.
set -eu
self=$(readlink -f "$0")
worlds=/var/cache/nova-sandbox

# Lists the control group hierarchies of this host: mount point and, for version 1, controllers.
hierarchies() {
  while read -r _ place kind options _; do
    case $kind in
      cgroup2) echo "$place -" ;;
      cgroup) echo "$place $(echo "$options" | tr , '\n' | grep -xE "name=.*|$(cut -f1 /proc/cgroups | grep -v '^#' | paste -sd'|')" | paste -sd,)" ;;
    esac
  done </proc/self/mounts
}

case ${1:-} in
  --enter)
    # First process of the sandbox. Only this process joins the groups, so that they become the roots of the new namespace.
    world=$2
    hierarchies >"$world/hierarchies"
    while read -r place _; do echo 0 >"$place/nova-sandbox-${world##*/}/cgroup.procs"; done <"$world/hierarchies"
    exec unshare --cgroup sh "$self" --inside "$@"
    ;;
  --inside)
    world=$3
    shift 3
    # Unmount the copies of a site's mounts. Hidden below the sandbox's own folders, they would still be listed, and would
    # keep the disks of deleted machines.
    grep -oE ' /(run|var/lib)/nova/[^ ]+' /proc/self/mounts | sort -r | while read -r place; do umount -l "$place"; done
    # A new sysfs lists only the links of the new network namespace.
    mount -t sysfs sysfs /sys
    grep -q '^/sys/fs/cgroup -' "$world/hierarchies" || mount -t tmpfs -o mode=755 cgroup /sys/fs/cgroup
    while read -r place controllers; do
      mkdir -p "$place"
      if [ "$controllers" = - ]; then
        mount -t cgroup2 cgroup2 "$place"
        # A group with processes cannot delegate controllers to its child groups.
        mkdir "$place/commands" && echo 0 >"$place/commands/cgroup.procs"
      else
        mount -t cgroup -o "$controllers" cgroup "$place"
        # Add aliases for single controllers, such as cpu for cpu,cpuacct.
        for each in $(basename "$place" | tr , ' '); do [ -e "/sys/fs/cgroup/$each" ] || ln -s "$(basename "$place")" "/sys/fs/cgroup/$each"; done
      fi
    done <"$world/hierarchies"
    # Its own users and settings: a test that removes a user must not remove that of a site or of another sandbox.
    mkdir -p "$world/etc/upper" "$world/etc/work"
    mount -t overlay -o "lowerdir=/etc,upperdir=$world/etc/upper,workdir=$world/etc/work" etc /etc
    # A fresh /run: without systemd's folder, and with separate network namespaces.
    cp -L /etc/resolv.conf "$world/resolv.conf" 2>/dev/null || : >"$world/resolv.conf"
    mount -t tmpfs -o mode=755 run /run
    mkdir /run/lock /run/netns
    mount --bind "$world/resolv.conf" "$(readlink -f /etc/resolv.conf)" 2>/dev/null || true
    for folder in lib/nova log/nova cache/nova; do mount --bind "$world/$folder" "/var/$folder"; done
    ip link set lo up
    export XDG_CONFIG_HOME="$world/config" NOVA_SANDBOX=true
    unset NOVA_CONTEXT
    # No exec: this process is PID 1 and reaps orphaned processes.
    "$@"
    exit $?
    ;;
esac

[ "$(id -u)" = 0 ] || { echo "sandbox.sh: run it as root" >&2; exit 1; }
mkdir -p "$worlds" /var/lib/nova /var/log/nova /var/cache/nova/images /var/cache/nova/components /var/cache/nova/hosts
world=$(mktemp -d "$worlds/XXXXXXXX")
mkdir -p "$world/lib/nova" "$world/log/nova" "$world/cache/nova" "$world/config"
clean_up() {
  hierarchies | while read -r place _; do
    find "$place/nova-sandbox-${world##*/}" -depth -type d -exec rmdir {} + 2>/dev/null || true
  done
  rm -rf "$world"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP
# Hard links: adding or removing an image affects only this sandbox. Go's caches are omitted: they are large, and useless
# without a network.
mkdir "$world/cache/nova/images" "$world/cache/nova/components" "$world/cache/nova/hosts"
for folder in images components hosts; do
  # Skip unfinished builds.
  find "/var/cache/nova/$folder" -mindepth 1 -maxdepth 1 ! -name '*.building-*' -exec cp -al -t "$world/cache/nova/$folder" {} +
done
hierarchies | while read -r place _; do
  group=$place/nova-sandbox-${world##*/}
  mkdir "$group"
  # Processes can join the group only after these are set.
  for file in cpuset.cpus cpuset.mems; do
    [ ! -e "$group/$file" ] || [ -e "$group/cgroup.controllers" ] || cat "$place/$file" >"$group/$file"
  done
done
unshare --mount --net --pid --ipc --uts --fork --kill-child --mount-proc --propagation private sh "$self" --enter "$world" "$@"
