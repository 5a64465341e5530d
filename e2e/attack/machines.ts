import { type Site, succeeds } from './site.ts';
import type { Attempt } from './table.ts';

/** A container machine is not a security boundary against these. */
const decision = { possible: 'ADR 17' };

/** Root in a machine against the host, and the service users in Universe's machine against each other. */
export function machineAttempts({ sh }: Site): Attempt[] {
  const inMachine = (what: string, expected: Attempt['expected'], command: string): Attempt => ({
    role: 'root in a machine',
    what,
    expected,
    run: async () => succeeds(await sh('other-cp-1', command)),
  });
  /**
   * Root in Universe's machine must succeed at what a service user must not: this shows that the attempt itself works.
   */
  const asUser = (user: string, what: string, command: string): Attempt => ({
    role: 'service user',
    what: `${user} ${what}`,
    expected: 'denied',
    run: async () => {
      const control = await sh('universe', command);
      if (control.exitCode !== 0) throw new Error(`root failed as well: ${control.stderr}`);
      return succeeds(await sh('universe', `setpriv --reuid ${user} --regid ${user} --init-groups sh -c '${command}'`));
    },
  });
  const curl = 'curl --fail --silent --show-error --max-time 10 --output /dev/null';
  return [
    inMachine('writes the host’s core_pattern', 'denied', 'echo x >/proc/sys/kernel/core_pattern'),
    inMachine('triggers sysrq', 'denied', 'echo h >/proc/sysrq-trigger'),
    inMachine('writes to the host’s kernel log', 'denied', 'echo x >/dev/kmsg'),
    inMachine(
      'mounts a second proc and writes core_pattern there',
      decision,
      'mkdir -p /root/p && mount -t proc proc /root/p && cat /root/p/sys/kernel/core_pattern >/root/c && cat /root/c >/root/p/sys/kernel/core_pattern; code=$?; umount /root/p; exit $code',
    ),
    inMachine(
      'mounts binfmt_misc',
      decision,
      'mkdir -p /root/b && mount -t binfmt_misc none /root/b; code=$?; umount /root/b; exit $code',
    ),
    // In /root, because /tmp is mounted without devices.
    ...['254 0', '253 0', '8 0', '259 0', '7 0'].map((device) =>
      inMachine(`opens a disk of the host (${device})`, 'denied', open('b', device)),
    ),
    inMachine('opens the host’s memory', 'denied', open('c', '1 1')),
    inMachine(
      'permits itself all devices through its cgroup',
      'denied',
      `echo 'b *:* rwm' >/sys/fs/cgroup/devices/devices.allow && ${open('b', '254 0')}`,
    ),
    inMachine(
      'has the kernel run a program on the host (release_agent)',
      'denied',
      'mkdir -p /root/g && mount -t cgroup -o memory cgroup /root/g && echo /bin/true >/root/g/release_agent; code=$?; umount /root/g; exit $code',
    ),
    inMachine(
      'opens a file of the host by its handle',
      'denied',
      // open_by_handle_at(2) of inode 2, the root of an ext4 disk.
      `perl -e 'open(my $d, "<", "/") or exit 1; my $h = pack("Ii", 8, 1) . pack("II", 2, 0); exit(syscall(304, fileno($d), $h, 0) < 0)'`,
    ),
    inMachine('loads a kernel module', 'denied', 'modprobe dummy'),
    inMachine('sets the host’s clock', 'denied', 'date -s "$(date)"'),
    inMachine(
      'sends from an address that is not its own',
      'denied',
      'ip address add 10.46.0.77/24 dev eth0; ping -c 1 -W 2 -I 10.46.0.77 10.46.0.1; code=$?; ip address del 10.46.0.77/24 dev eth0; exit $code',
    ),
    ...['nova-registry', 'nova-resolver', 'nova-git'].flatMap((user) => [
      asUser(user, 'reads the master key', 'cat /var/lib/nova/universe/master.key'),
      asUser(
        user,
        'opens the administrator’s socket of Universe',
        `${curl} --unix-socket /run/nova/universe.sock http://localhost/api/v1/users`,
      ),
      asUser(
        user,
        'opens the administrator’s socket of the Configuration Manager',
        `${curl} --unix-socket /run/nova/config.sock http://localhost/v1/nodes`,
      ),
    ]),
    asUser('nova-git', 'writes the repository of the release', 'touch /var/lib/nova/git/release.git/HEAD'),
    {
      role: 'service user',
      what: 'nova-registry asks the Configuration Manager for nodes over its own socket',
      expected: 'denied',
      run: async () => {
        const asked = `curl --silent --max-time 10 --write-out "%{http_code}" --output /dev/null --unix-socket /run/nova-config/registry.sock http://localhost/v1/nodes`;
        const { stdout } = await sh(
          'universe',
          `setpriv --reuid nova-registry --regid nova-registry --init-groups ${asked}`,
        );
        return stdout.trim() === '404' ? 'denied' : 'allowed';
      },
    },
  ];
}

const open = (kind: string, device: string) =>
  `rm -f /root/d; mknod /root/d ${kind} ${device} && head -c 1 /root/d >/dev/null; code=$?; rm -f /root/d; exit $code`;
