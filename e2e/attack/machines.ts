import { type Site, succeeds } from './site.ts';
import type { Attempt } from './table.ts';

const adr = 'ADR 17';

/** Root in a machine toward the host, and the users of services in Universe's machine toward each other. */
export function machineAttempts({ sh }: Site): Attempt[] {
  const inMachine = (what: string, expected: Attempt['expected'], command: string): Attempt => ({
    role: 'root in a machine',
    what,
    expected,
    run: async () => succeeds(await sh('other-cp-1', command)),
  });
  const asUser = (user: string, what: string, command: string): Attempt => ({
    role: 'service user',
    what: `${user} ${what}`,
    expected: 'denied',
    run: async () =>
      succeeds(await sh('universe', `setpriv --reuid ${user} --regid ${user} --init-groups sh -c '${command}'`)),
  });
  const services = ['nova-registry', 'nova-resolver', 'nova-git'];
  return [
    inMachine('writes the host’s core_pattern', 'denied', 'echo x >/proc/sys/kernel/core_pattern'),
    inMachine('triggers sysrq', 'denied', 'echo h >/proc/sysrq-trigger'),
    inMachine(
      'mounts a fresh proc and writes core_pattern there',
      { possible: adr },
      'mkdir -p /tmp/p && mount -t proc proc /tmp/p && cat /tmp/p/sys/kernel/core_pattern >/tmp/c && cat /tmp/c >/tmp/p/sys/kernel/core_pattern',
    ),
    inMachine(
      'opens the host’s disk',
      'denied',
      'mknod /tmp/d b $(stat -c "%Hr %Lr" /dev/vda 2>/dev/null || echo 254 0) && head -c 1 /tmp/d',
    ),
    inMachine('opens the host’s memory', 'denied', 'mknod /tmp/m c 1 1 && head -c 1 /tmp/m'),
    inMachine('loads a kernel module', 'denied', 'modprobe dummy'),
    inMachine('sets the host’s clock', 'denied', 'date -s "$(date)"'),
    inMachine(
      'sends from an address that is not its own',
      'denied',
      'ip address add 10.46.0.77/24 dev eth0; ping -c 1 -W 2 -I 10.46.0.77 10.46.0.1; code=$?; ip address del 10.46.0.77/24 dev eth0; exit $code',
    ),
    ...services.flatMap((user) => [
      asUser(user, 'reads the master key', 'cat /var/lib/nova/master.key /var/lib/nova/*/master.key'),
      asUser(
        user,
        'opens the administrator’s socket',
        'for s in /run/nova/universe.sock /run/nova/config.sock; do curl --fail --silent --unix-socket $s http://localhost/v1/health && exit 0; done; exit 1',
      ),
    ]),
  ];
}
