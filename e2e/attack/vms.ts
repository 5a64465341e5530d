import { readFileSync } from 'node:fs';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { run } from '@nova-platform/process';
import { execute } from '../nova-ctl.ts';
import { host, type Site, succeeds } from './site.ts';
import type { Attempt } from './table.ts';

const vm = 'attacker';
const neighbour = 'neighbour';
/** The VM has no proc of the host: what it reads there is its own. */
const reach = (address: string, port: number) => `timeout 5 bash -c 'exec 3<>/dev/tcp/${address}/${port}'`;

/**
 * Root in a VM against the host; and a program that has taken over QEMU, which runs as the user and in the namespaces
 * of the VM.
 */
export async function vmAttempts({ sh }: Site): Promise<Attempt[]> {
  await engineClient.createNetwork('vms', '10.47.0.0/24');
  await Promise.all(
    [vm, neighbour].map((name) =>
      engineClient.createMachine({ name, image: 'vm', network: 'vms', memoryMebibytes: 512 }),
    ),
  );
  const [own, other] = [await addressOf(vm), await addressOf(neighbour)];
  const inVm = (what: string, expected: Attempt['expected'], command: string): Attempt => ({
    role: 'root in a VM',
    what,
    expected,
    run: async () => succeeds(await sh(vm, command)),
  });
  const pid = readFileSync(`/var/lib/nova/machines/${vm}/pid`, 'utf8').trim();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [uid = ''] = /^Uid:\s+(\d+)/m.exec(status)?.slice(1) ?? [];
  const inQemu = (what: string, command: string): Attempt => ({
    role: 'taken-over QEMU',
    what,
    expected: 'denied',
    run: async () => {
      const enter = ['--target', pid, '--mount', '--pid', '--net', '--ipc', '--uts', '--root', '--wd'];
      const user = ['--reuid', uid, '--regid', uid, '--clear-groups', '--bounding-set=-all', '--no-new-privs'];
      return succeeds(await execute('nsenter', [...enter, 'setpriv', ...user, 'sh', '-c', command]));
    },
  });
  const forged = 'ping -c 1 -W 3 -I 10.47.0.77 10.47.0.1';
  return [
    inVm('reaches its own network', 'allowed', `ping -c 1 -W 5 ${other}`),
    inVm('reaches the API of the engine', 'denied', reach(host, 7443)),
    inVm('reaches the SSH server of the host', 'denied', reach(host, 22)),
    inVm('reaches a node of a cluster', 'denied', reach('10.46.0.10', 6443)),
    inVm(
      'sends from an address that is not its own',
      'denied',
      `ip address add 10.47.0.77/32 dev lo; ${forged}; code=$?; ip address del 10.47.0.77/32 dev lo; exit $code`,
    ),
    inVm(
      'answers for the address of another VM',
      'denied',
      `ip address add ${other}/32 dev lo; ping -c 1 -W 3 -I ${other} 10.47.0.1; code=$?; ip address del ${other}/32 dev lo; exit $code`,
    ),
    inVm('opens a disk other than its own', 'denied', 'ls /dev/vd[b-z] /dev/sd? /dev/nvme*'),
    inVm(
      'sees processes of the host',
      'denied',
      'ps -eo args | grep -E "nova-engine|ovs-vswitchd|conmon" | grep -v grep',
    ),
    inVm('mounts a file system of the host', 'denied', 'modprobe 9pnet_virtio; mount -t 9p -o trans=virtio host /mnt'),
    inVm(
      'finds secrets of other machines in firmware or SMBIOS',
      'denied',
      'grep -ra token /sys/firmware /sys/class/dmi/id',
    ),
    inQemu('reads the records of machines', 'cat /var/lib/nova/machines/*/machine.json'),
    inQemu('opens the socket of the engine', 'ls /run/nova/engine.sock'),
    inQemu('reads the disk of another VM', `ls /var/lib/nova/machines/${neighbour}`),
    inQemu(
      'sees a process of another VM or of the host',
      'ls -d /proc/[0-9]* | grep -vE "^/proc/(1|$$|[0-9]+)$" || [ $(ls -d /proc/[0-9]* | wc -l) -gt 6 ]',
    ),
    inQemu('writes to the file system of its root', 'touch /usr/bin/x || touch /etc/x'),
    inQemu(
      'replaces the base of its disk',
      'for each in $(find / -xdev -name "disk.qcow2" 2>/dev/null); do : >>$each && exit 0; done; exit 1',
    ),
    inQemu('creates a device', 'mknod /tmp/d b 8 0'),
    inQemu('mounts a file system', 'mount -t tmpfs x /mnt || unshare -m true'),
    inQemu('creates a user namespace with capabilities in it', 'unshare -Ur true'),
    inQemu('changes its network', 'ip link add dummy0 type dummy || ip address add 10.47.0.99/24 dev tap0'),
    inQemu('loads a kernel module', 'modprobe dummy'),
    inQemu('becomes root', `setpriv --reuid 0 true`),
    {
      role: 'taken-over QEMU',
      what: 'runs without a filter of system calls, with privileges or with capabilities',
      expected: 'denied',
      run: async () => {
        const isConfined =
          /^Seccomp:\s+2$/m.test(status) &&
          /^NoNewPrivs:\s+1$/m.test(status) &&
          ['Prm', 'Eff', 'Bnd', 'Inh', 'Amb'].every((set) => new RegExp(`^Cap${set}:\\s+0+$`, 'm').test(status)) &&
          Number(uid) > 1000;
        return isConfined ? 'denied' : 'allowed';
      },
    },
    {
      role: 'taken-over QEMU',
      what: 'has a user that another VM has',
      expected: 'denied',
      run: async () => {
        const otherPid = readFileSync(`/var/lib/nova/machines/${neighbour}/pid`, 'utf8').trim();
        const users = await run('stat', ['-c', '%u', `/proc/${pid}`, `/proc/${otherPid}`]);
        return new Set(users.trim().split('\n')).size === 2 ? 'denied' : 'allowed';
      },
    },
    {
      role: 'stranger',
      what: `a machine reaches the screen or monitor of a VM (${own})`,
      expected: 'denied',
      run: async () => succeeds(await sh(neighbour, [5900, 5901, 4444].map((port) => reach(own, port)).join(' || '))),
    },
  ];
}

async function addressOf(name: string): Promise<string> {
  const machine = (await engineClient.machines()).find((each) => each.name === name);
  return machine?.address ?? '';
}
