import { join } from 'node:path';
import { translationMebibytes } from '@nova-platform/contracts/engine';
import type { MachineLink } from '../machines/driver.ts';
import type { MachineRecord } from '../machines/record.ts';
import { type AttachedDisk, slots } from '../storage/disks.ts';
import { inside } from './hypervisor.ts';
import { diskBlockdev, diskDevice } from './plugged.ts';
import type { SocketName } from './sockets.ts';

/** Ports for disks that are attached while the VM runs: QEMU can add none later. */
const diskPorts: readonly string[] = slots.map((slot) => `disk-port-${slot}`);
/** The link of the tap that connects a VM, in its network namespace. */
export const tapName = 'tap0';
/** What virtio-mem adds and removes at once, and what must divide sizes of memory. */
export const memoryBlockMebibytes = 2;

interface HostSize {
  processors: number;
  memoryMebibytes: number;
}

export interface CommandLineOptions {
  record: MachineRecord;
  link: MachineLink;
  hasKvm: boolean;
  /** Its additional disks. */
  disks: readonly AttachedDisk[];
  /** A running VM can grow to this size. */
  host: HostSize;
}

/** The command line of QEMU. Every user of the host can read it: it holds no secrets. */
export function commandLine({ record, link: { card }, hasKvm, disks, host }: CommandLineOptions): string[] {
  const { name, cpu, memoryMebibytes, machineId } = record;
  const extraMebibytes = floorToBlock(Math.max(host.memoryMebibytes - memoryMebibytes, memoryBlockMebibytes));
  const socket = (socketName: SocketName) => join(inside.run, `${socketName}.sock`);
  const chardev = (socketName: SocketName, ...more: string[]) => [
    '-chardev',
    [`socket,id=${socketName},path=${socket(socketName)},server=on,wait=off`, ...more].join(','),
  ];
  const blockdev = (options: object) => ['-blockdev', JSON.stringify(options)];
  const file = (path: string) => ({ driver: 'file', filename: path });
  return [
    'qemu-system-x86_64',
    '-nodefaults',
    '-no-user-config',
    ['-name', `guest=${name}`],
    ['-uuid', uuidOf(machineId)],
    ['-sandbox', 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'],
    ['-machine', 'q35,vmport=off,hpet=off,usb=off'],
    ...(hasKvm
      ? ['-accel', 'kvm', '-cpu', 'host']
      : ['-accel', `tcg,thread=multi,tb-size=${translationMebibytes}`, '-cpu', 'max']),
    ['-smp', `cpus=${cpu},maxcpus=${Math.max(cpu, host.processors)}`],
    ['-m', `size=${memoryMebibytes}M,maxmem=${memoryMebibytes + extraMebibytes}M`],
    ['-rtc', 'base=utc'],
    // The engine starts the machine again, with its current size.
    ['-action', 'reboot=shutdown'],
    ['-kernel', join(inside.base, 'kernel'), '-initrd', join(inside.run, 'initrd')],
    ['-append', kernelParameters(machineId, card)],
    ...chardev('qmp'),
    ['-mon', 'chardev=qmp,mode=control'],
    // conmon bounds the log.
    ...chardev('serial', 'logfile=/dev/stdout', 'logappend=on'),
    ['-serial', 'chardev:serial'],
    ['-vnc', `unix:${socket('screen')}`, '-device', 'VGA'],
    ...blockdev({
      driver: 'qcow2',
      'node-name': 'base',
      'read-only': true,
      file: file(join(inside.base, 'disk.qcow2')),
    }),
    ...blockdev({
      driver: 'qcow2',
      'node-name': 'root',
      discard: 'unmap',
      backing: 'base',
      file: { ...file(join(inside.disks, 'root.qcow2')), discard: 'unmap' },
    }),
    ['-device', 'virtio-blk-pci,drive=root,serial=root'],
    ...(card
      ? [
          ['-netdev', `tap,id=card,ifname=${tapName},script=no,downscript=no,vhost=off`],
          ['-device', `virtio-net-pci,netdev=card,mac=${card.mac},host_mtu=${card.mtu},romfile=`],
        ]
      : []),
    ['-object', 'rng-builtin,id=rng', '-device', 'virtio-rng-pci,rng=rng'],
    ['-object', `memory-backend-ram,id=more-memory,size=${extraMebibytes}M,reserve=off`],
    ['-device', 'virtio-mem-pci,id=memory,memdev=more-memory,requested-size=0'],
    ['-device', 'virtio-serial-pci', ...chardev('agent')],
    ['-device', 'virtserialport,chardev=agent,name=org.qemu.guest_agent.0'],
    ...diskPorts.flatMap((port, index) => ['-device', `pcie-root-port,id=${port},chassis=${index + 1}`]),
    ...disks.flatMap((disk) => [...blockdev(diskBlockdev(disk)), '-device', JSON.stringify(diskDevice(disk))]),
  ].flat();
}

/** Read by the first program of the VM; see `guest-files.ts`. */
function kernelParameters(machineId: string, card: MachineLink['card']): string {
  return [
    // The last one is the console of systemd.
    'console=tty0 console=ttyS0 quiet panic=5 net.ifnames=0 memhp_default_state=online',
    `nova.machine=${machineId}`,
    ...(card ? [`nova.address=${card.address}/${card.prefix} nova.gateway=${card.gateway} nova.mtu=${card.mtu}`] : []),
  ].join(' ');
}

export function floorToBlock(mebibytes: number): number {
  return mebibytes - (mebibytes % memoryBlockMebibytes);
}

function uuidOf(machineId: string): string {
  return machineId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
