#!/bin/sh
# Runs a command in a world of its own: `sandbox.sh COMMAND…`, as root. Machines, networks, control groups and state of a
# site on this host are neither seen nor touched, and nothing reaches the outside. Whatever the command leaves behind
# ends and is removed with it. It starts with the components and images that are built on this host.
set -eu
self=$(readlink -f "$0")
worlds=/var/cache/nova-sandbox

# Each control group hierarchy of this host: its place and, for version 1, its controllers.
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
    # First process of the new world. It alone joins the groups, so that they are the roots of the new namespace.
    world=$2
    hierarchies >"$world/hierarchies"
    while read -r place _; do echo 0 >"$place/nova-sandbox-${world##*/}/cgroup.procs"; done <"$world/hierarchies"
    exec unshare --cgroup sh "$self" --inside "$@"
    ;;
  --inside)
    world=$3
    shift 3
    # Mounts of a site on this host: this world has copies. Hidden below its own folders they would still be listed, and
    # keep disks of machines that the site deletes.
    grep -oE ' /(run|var/lib)/nova/[^ ]+' /proc/self/mounts | sort -r | while read -r place; do umount -l "$place"; done
    # A new sysfs lists the links of the new network namespace only.
    mount -t sysfs sysfs /sys
    grep -q '^/sys/fs/cgroup -' "$world/hierarchies" || mount -t tmpfs -o mode=755 cgroup /sys/fs/cgroup
    while read -r place controllers; do
      mkdir -p "$place"
      if [ "$controllers" = - ]; then
        mount -t cgroup2 cgroup2 "$place"
        # A group with processes cannot hand controllers to groups below it.
        mkdir "$place/commands" && echo 0 >"$place/commands/cgroup.procs"
      else
        mount -t cgroup -o "$controllers" cgroup "$place"
        # Names that stand for one of several controllers, such as cpu for cpu,cpuacct.
        for each in $(basename "$place" | tr , ' '); do [ -e "/sys/fs/cgroup/$each" ] || ln -s "$(basename "$place")" "/sys/fs/cgroup/$each"; done
      fi
    done <"$world/hierarchies"
    # Without systemd's folder, and with network namespaces of its own.
    cp -L /etc/resolv.conf "$world/resolv.conf" 2>/dev/null || : >"$world/resolv.conf"
    mount -t tmpfs -o mode=755 run /run
    mkdir /run/lock /run/netns
    mount --bind "$world/resolv.conf" "$(readlink -f /etc/resolv.conf)" 2>/dev/null || true
    for folder in lib/nova log/nova cache/nova; do mount --bind "$world/$folder" "/var/$folder"; done
    ip link set lo up
    export XDG_CONFIG_HOME="$world/config" NOVA_SANDBOX=true
    unset NOVA_CONTEXT
    # Not in this process's place: it collects the processes whose parents have ended.
    "$@"
    exit $?
    ;;
esac

[ "$(id -u)" = 0 ] || { echo "sandbox.sh: run it as root" >&2; exit 1; }
mkdir -p "$worlds" /var/lib/nova /var/log/nova /var/cache/nova/images /var/cache/nova/components
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
# Links to the same files: what removes or adds an image does so for this world alone. Go's caches are large, and of no
# use without a network.
mkdir "$world/cache/nova/images" "$world/cache/nova/components"
for folder in images components; do
  # Not what is being built at this moment.
  find "/var/cache/nova/$folder" -mindepth 1 -maxdepth 1 ! -name '*.building-*' -exec cp -al -t "$world/cache/nova/$folder" {} +
done
hierarchies | while read -r place _; do
  group=$place/nova-sandbox-${world##*/}
  mkdir "$group"
  # These have to be set before anything can run there.
  for file in cpuset.cpus cpuset.mems; do
    [ ! -e "$group/$file" ] || [ -e "$group/cgroup.controllers" ] || cat "$place/$file" >"$group/$file"
  done
done
unshare --mount --net --pid --ipc --uts --fork --kill-child --mount-proc --propagation private sh "$self" --enter "$world" "$@"
