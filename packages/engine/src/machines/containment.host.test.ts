import { engineClient } from '@nova-platform/contracts/engine/client';
import { run } from '@nova-platform/process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostDown } from '../host/down.ts';
import { hostUp } from '../host/up.ts';
import { inside, program } from '../testing.ts';

const say = () => undefined;

beforeAll(async () => {
  // The default on hosts with systemd.
  await run('mount', ['--make-shared', '/var/lib/nova']);
  await hostUp(program, say);
  await engineClient.createNetwork('lab', '10.63.0.0/24');
  const volumes = [{ name: 'data', path: '/srv/data' }];
  await engineClient.createMachine({ name: 'm1', image: 'node', network: 'lab', memoryMebibytes: 512, volumes });
});

afterAll(() => hostDown(say));

test('a machine that has run is not configured again, and none of its programs runs on the host', async () => {
  await engineClient.createMachine({ name: 'ran', image: 'node', network: 'lab', memoryMebibytes: 128 });
  await inside(
    'ran',
    `rm -f /etc/nova-configured
    echo changed > /etc/hostname
    for tool in useradd tar chown sh; do
      path=$(readlink -f $(command -v $tool)); mv $path $path.own
      printf '#!%s\\n[ -e /proc/self ] || echo %s >> /ran\\nexec -a "$0" %s "$@"\\n' $(command -v bash) $tool $path.own > $path
      chmod +x $path
    done`,
  );
  await engineClient.restartMachine('ran');
  expect(await inside('ran', 'cat /ran /etc/hostname 2>/dev/null')).toBe('changed\n');
  await engineClient.deleteMachine('ran');
});

/** Writes the current value: the kernel's response is the same, and nothing changes on this host. */
const rewrite = (file: string) => `p=$(cat ${file}) && echo "$p" > ${file}`;
const device = (type: string, major: number, minor: number, access: string) =>
  `rm -f /root/node; mknod /root/node ${type} ${major} ${minor} && true ${access} /root/node`;
const call = (number: number, ...args: string[]) =>
  `perl -e 'exit(syscall(${[number, ...args].join(', ')}) < 0 && ($! == 1 || $! == 38) ? 1 : 0)'`;

describe('root in a machine', () => {
  test.for([
    ['write core_pattern', rewrite('/proc/sys/kernel/core_pattern')],
    ['write the path of modprobe', rewrite('/proc/sys/kernel/modprobe')],
    ['disable the protection of symbolic links', rewrite('/proc/sys/fs/protected_symlinks')],
    ['use sysrq', 'echo h > /proc/sysrq-trigger'],
    ['write to /sys', 'echo 0 > /sys/devices/system/clocksource/clocksource0/unbind_clocksource || touch /sys/x'],
    ['read the kernel’s timers', 'test -s /proc/timer_list'],
    ['read the host’s keys', 'test -s /proc/keys'],
    ['read the firmware’s files', 'ls /sys/firmware | grep .'],
    ['write to the kernel’s log', 'echo nova > /dev/kmsg'],
    ['allow itself access to the host’s disks', `echo 'b *:* rwm' > /sys/fs/cgroup/devices/devices.allow`],
    ['open a disk of the host', device('b', 254, 0, '<')],
    ['open the memory of the host', device('c', 1, 1, '<')],
    ['open a serial line of the host', device('c', 4, 64, '>')],
    ['open a disk as a SCSI device', device('c', 21, 0, '<')],
    ['set a release agent', 'echo /bin/true > /sys/fs/cgroup/memory/release_agent'],
    ['set a release agent by remounting', 'mount -o remount,release_agent=/none /sys/fs/cgroup/memory'],
    ['create a cgroup hierarchy', 'mount -t cgroup -o none,name=evil,release_agent=/none x /mnt'],
    [
      'open a file of the host by its handle',
      `perl -e 'open(F, "<", "/var/lib/etcd"); $h = pack("Iiii", 8, 1, 2, 0); exit(syscall(304, fileno(F), $h, 0200000) < 0)'`,
    ],
    ['load a kernel module', call(175, '0', '0', '0')],
    ['load another kernel', call(246, '0', '0', '0', '0')],
    ['set the clock', call(227, '0', '0')],
    ['add swap', call(167, '0', '0')],
    ['join a keyring of the host', call(250, '1', '0')],
    ['insert input into a terminal', `perl -e '$c = "x"; exit(!ioctl(STDIN, 0x5412, $c))' < /dev/console`],
    ['write to the shared folder of lxcfs', 'mount -o remount,rw /run/lxcfs; touch /run/lxcfs/x'],
    ['access the cgroups of lxcfs', 'ls /run/lxcfs/cgroup || ls /run/lxcfs/proc/../cgroup'],
  ])('cannot %s', async ([, command]) => {
    expect(await inside('m1', `{ ${command}; } >/dev/null 2>&1 && echo possible || echo denied`)).toBe('denied\n');
  });

  // Without a user namespace the kernel does not prevent these: ADR 17.
  test.for([
    [
      'mount another /proc and write core_pattern',
      `mount -t proc p /mnt && ${rewrite('/mnt/sys/kernel/core_pattern')}`,
    ],
    ['register binary formats', 'mount -t binfmt_misc b /mnt && test -w /mnt/register'],
    ['load BPF programs', call(321, '0', '0', '0')],
  ])('can %s', async ([, command]) => {
    const attempt = `{ ${command}; } >/dev/null 2>&1 && echo possible || echo denied; umount /mnt 2>/dev/null`;
    expect(await inside('m1', attempt)).toBe('possible\n');
  });
});

test('mounts of a machine do not appear on the host', async () => {
  const places = ['/var/lib/kubelet/probe', '/srv/data/probe', '/probe'];
  await inside('m1', places.map((place) => `mkdir -p ${place}; mount -t tmpfs probe ${place}`).join('; '));
  expect(await inside('m1', 'grep -c ^probe /proc/mounts')).toBe('3\n');
  expect(await run('sh', ['-c', 'grep -c ^probe /proc/mounts || true'])).toBe('0\n');
  await inside('m1', places.map((place) => `umount ${place}`).join('; '));
});

test('containers run in a machine, with shared mounts', async () => {
  const script = `systemctl start containerd
    cd /var/lib/etcd && mkdir -p box/bin box/proc box/sys box/dev
    cp -L /bin/sh /bin/echo box/bin
    for library in $(ldd /bin/sh /bin/echo | grep -o '/lib[^ ]*'); do mkdir -p box$(dirname $library); cp -L $library box$library; done
    timeout 60 ctr run --rm --rootfs /var/lib/etcd/box box /bin/sh -c 'echo contained; exec 3>/proc/self/oom_score_adj'
    findmnt -no PROPAGATION /var/lib/kubelet`;
  expect(await inside('m1', script)).toBe('contained\nshared\n');
});
