import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { engineClient } from '@nova-platform/contracts/engine/client';
import { run } from '@nova-platform/process';
import { execute } from '../nova-ctl.ts';
import { host, type Site } from './site.ts';
import type { Attempt, Outcome } from './table.ts';

const vm = 'attacker';
const neighbour = 'neighbour';
const gateway = '10.47.0.1';
const reach = (address: string, port: number) => `timeout 5 bash -c 'exec 3<>/dev/tcp/${address}/${port}'`;

/**
 * Root in a VM against the host; and a program that has taken over QEMU: a second process in the container of QEMU, with its
 * user and its filter of system calls. QEMU itself has a stricter filter, which ends it when it starts a program.
 */
export async function vmAttempts({ sh }: Site): Promise<Attempt[]> {
  await engineClient.createNetwork('vms', '10.47.0.0/24');
  await Promise.all(
    [vm, neighbour].map((name) =>
      engineClient.createMachine({ name, image: 'vm', network: 'vms', memoryMebibytes: 512 }),
    ),
  );
  const [own, other, node] = [await addressOf(vm), await addressOf(neighbour), await addressOf('other-cp-1')];
  const inVm = (what: string, expected: Attempt['expected'], command: string): Attempt => ({
    role: 'root in a VM',
    what,
    expected,
    run: async () => ended(await sh(vm, marked(command))),
  });
  const inQemu = (what: string, expected: Outcome, command: string): Attempt => ({
    role: 'taken-over QEMU',
    what,
    expected,
    run: async () =>
      ended(await execute('runc', ['--root', '/run/nova/runc', 'exec', vm, 'sh', '-c', marked(command)])),
  });
  const status = readFileSync(`/proc/${pidOf(vm)}/status`, 'utf8');
  const from = (source: string) =>
    `ip address add ${source}/32 dev lo; ping -c 1 -W 3 -I ${source} ${gateway}; code=$?; ip address del ${source}/32 dev lo; exit $code`;
  return [
    inVm('reaches its own network', 'allowed', `ping -c 1 -W 5 ${other} && ping -c 1 -W 5 ${gateway}`),
    inVm('reaches the API of the engine', 'denied', reach(host, 7443)),
    inVm('reaches the oVirt-compatible API', 'denied', reach(host, 8443)),
    inVm('reaches the SSH server of the host', 'denied', `${reach(host, 22)} || ${reach(gateway, 22)}`),
    inVm('reaches a node of a cluster', 'denied', reach(node, 6443)),
    inVm('sends from an address that is not its own', 'denied', from('10.47.0.77')),
    inVm('answers for the address of another VM', 'denied', from(other)),
    inVm(
      'has a disk other than its own',
      'denied',
      'ls /sys/block | grep -v -E "^(vda|loop[0-9]+|ram[0-9]+|zram[0-9]+)$"',
    ),
    inVm(
      'sees processes of the host',
      'denied',
      'ps -eo args | grep -E "nova-engine|ovs-vswitchd|conmon|qemu-system" | grep -v grep',
    ),
    inVm('mounts a file system of the host', 'denied', 'modprobe 9pnet_virtio; mount -t 9p -o trans=virtio host /mnt'),
    inVm(
      'finds secrets of other machines in firmware or SMBIOS',
      'denied',
      // Not qemu_fw_cfg: it has the files of its own first boot.
      'grep -ra token /sys/firmware/dmi /sys/firmware/acpi /sys/class/dmi/id',
    ),
    inQemu(
      'reads and writes its own disk',
      'allowed',
      'head -c 4 /nova/disks/root.qcow2 && : >>/nova/disks/root.qcow2',
    ),
    inQemu('reads the records of machines', 'denied', 'cat /var/lib/nova/machines/*/machine.json'),
    inQemu('opens the socket of the engine', 'denied', 'ls /run/nova/engine.sock'),
    inQemu('reads the disk of another VM', 'denied', `ls /var/lib/nova/machines/${neighbour}`),
    inQemu(
      'sees a process of another VM or of the host',
      'denied',
      `cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -E "[g]uest=${neighbour}|[n]ova-engine|[o]vs-vswitchd|[s]bin/init"`,
    ),
    inQemu('writes to the file system of its root', 'denied', 'touch /usr/bin/x || touch /etc/x || touch /nova/x'),
    inQemu('replaces the base of its disk', 'denied', ': >>/nova/base/disk.qcow2 || touch /nova/base/x'),
    inQemu('puts another file in place of its disk', 'denied', 'ln -sf /etc/passwd /nova/disks/root.qcow2'),
    inQemu('creates a device', 'denied', 'mknod /nova/run/d b 8 0 || mknod /nova/run/d c 1 1'),
    inQemu('mounts a file system', 'denied', 'mount -t tmpfs x /nova/run || unshare -m true'),
    inQemu('creates a user namespace with capabilities in it', 'denied', 'unshare -Ur true || unshare -U true'),
    inQemu('changes its network', 'denied', `ip link add dummy0 type dummy || ip address add 10.47.0.99/24 dev tap0`),
    inQemu('reaches the host over the network', 'denied', `${reach(host, 7443)} || ${reach(gateway, 22)}`),
    inQemu('loads a kernel module', 'denied', '/usr/sbin/modprobe dummy'),
    inQemu('becomes root', 'denied', `setpriv --reuid 0 true || /usr/bin/su -c true`),
    {
      role: 'taken-over QEMU',
      what: 'runs without a filter of system calls, with privileges or with capabilities',
      expected: 'denied',
      run: async () => {
        const isConfined =
          /^Seccomp:\s+2$/m.test(status) &&
          // That of its container, and its own.
          Number(/^Seccomp_filters:\s+(\d+)$/m.exec(status)?.[1]) >= 2 &&
          /^NoNewPrivs:\s+1$/m.test(status) &&
          ['Prm', 'Eff', 'Bnd', 'Inh', 'Amb'].every((set) => new RegExp(`^Cap${set}:\\s+0+$`, 'm').test(status)) &&
          Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) > 1000;
        return isConfined ? 'denied' : 'allowed';
      },
    },
    {
      role: 'taken-over QEMU',
      what: 'has a user that another VM has',
      expected: 'denied',
      run: async () => {
        const users = await run('stat', ['-c', '%u', `/proc/${pidOf(vm)}`, `/proc/${pidOf(neighbour)}`]);
        return new Set(users.trim().split('\n')).size === 2 ? 'denied' : 'allowed';
      },
    },
    {
      role: 'root in a VM',
      what: 'reaches the screen or the monitor of another VM',
      expected: 'denied',
      run: async () =>
        ended(await sh(neighbour, marked([5900, 5901, 4444].map((port) => reach(own, port)).join(' || ')))),
    },
    // Last: afterwards the VM has no serial console.
    inQemu(
      'replaces the socket of its console by a link to that of the engine',
      'allowed',
      'rm /nova/run/serial.sock && ln -s /run/nova/engine.sock /nova/run/serial.sock',
    ),
    {
      role: 'taken-over QEMU',
      what: 'has the engine follow that link',
      expected: 'denied',
      run: () =>
        engineClient.openConsole(vm, 'serial').then(
          (console: Duplex) => {
            console.destroy();
            return 'allowed' as const;
          },
          () => 'denied' as const,
        ),
    },
  ];
}

/** Shows that the command ran to its end: an attack that could not begin is not denied. */
const marked = (command: string) => `(${command}); echo "ended with $?"`;

function ended({ stdout, stderr }: { stdout: string; stderr: string }) {
  const code = /ended with (\d+)$/m.exec(stdout)?.[1];
  if (code === undefined) throw new Error(`the attack did not begin: ${stderr}`);
  return code === '0' ? 'allowed' : 'denied';
}

function pidOf(name: string): string {
  return readFileSync(`/var/lib/nova/machines/${name}/pid`, 'utf8').trim();
}

async function addressOf(name: string): Promise<string> {
  const address = (await engineClient.machines()).find((each) => each.name === name)?.address;
  if (address === undefined) throw new Error(`${name} has no address`);
  return address;
}
