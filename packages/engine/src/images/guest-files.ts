/** What a template leaves out, one pattern in a line; only in the initramfs of a template. */
export const identityPath = '/identity';
/** The first program of a VM; the initramfs of an image contains it. */
export const initPath = '/usr/lib/nova/init';

/**
 * Mounts the root disk, configures the network as the engine does in containers, and starts systemd. The first boot of a
 * machine also writes its configuration: a disk that comes from another machine has another mark.
 */
const init = `#!/bin/busybox sh
/bin/busybox --install -s /bin
mkdir -p /proc /sys /dev /root
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev 2>/dev/null

fail() {
  echo "nova: $1"
  poweroff -f
}

for word in $(cat /proc/cmdline); do
  case $word in
    nova.*=*) setting=\${word#nova.}; eval "\${setting%%=*}='\${word#*=}'" ;;
  esac
done
while read -r module; do insmod "/modules/$module" || fail "the module $module cannot be loaded"; done </modules/order

# Devices appear a moment after their modules are loaded.
await() {
  for _ in $(seq 200); do
    [ -e "$1" ] && return
    sleep 0.1
  done
  fail "there is no $1"
}

if [ -n "$address" ]; then
  await /sys/class/net/eth0
  ip link set eth0 mtu "$mtu" up
  ip address add "$address" dev eth0
  ip route add default via "$gateway"
fi

await /dev/vda
mount -t ext4 -o discard /dev/vda /root || fail "the root disk cannot be mounted"
mark=/root/var/lib/nova/machine
if [ "$(cat $mark 2>/dev/null)" != "$machine" ]; then
  if [ -f ${identityPath} ]; then
    while read -r path; do rm -rf /root$path; done <${identityPath}
    find /root/var/log ! -type d -exec rm -f {} +
  fi
  cp -a /first-boot/. /root/ || fail "the configuration cannot be written"
  mkdir -p /root/var/lib/nova
  echo "$machine" >$mark.new
  sync
  mv $mark.new $mark
  sync
fi

umount /sys /proc
mount -o move /dev /root/dev
exec switch_root /root /sbin/init
`;

/** Files of every VM. */
export const guestFiles: { path: string; mode: number; content: string }[] = [
  { path: initPath, mode: 0o755, content: init },
  { path: '/etc/fstab', mode: 0o644, content: '/dev/vda / ext4 rw,discard,x-systemd.growfs 0 0\n' },
  // Only the engine opens this console: it is what a shell is for containers.
  {
    path: '/etc/systemd/system/serial-getty@ttyS0.service.d/nova.conf',
    mode: 0o644,
    content: '[Service]\nExecStart=\nExecStart=-/sbin/agetty --autologin root --noclear --keep-baud 115200 %I $TERM\n',
  },
  // It fails where the host has no vsock. An empty file switches it off.
  { path: '/etc/systemd/system-generators/systemd-ssh-generator', mode: 0o644, content: '' },
  // The kernel adds a processor offline.
  {
    path: '/etc/udev/rules.d/90-nova.rules',
    mode: 0o644,
    content: 'SUBSYSTEM=="cpu", ACTION=="add", TEST=="online", ATTR{online}=="0", ATTR{online}="1"\n',
  },
];
