import { expect, test } from 'vitest';
import type { MachineRecord } from '../machines/record.ts';
import { commandLine } from './command-line.ts';

const record: MachineRecord = {
  name: 'v1',
  kind: 'vm',
  hostname: 'v1',
  image: { name: 'vm', digest: '0', layers: [] },
  cpu: 2,
  memoryMebibytes: 1024,
  machineId: '0123456789abcdef0123456789abcdef',
  cloudConfig: {
    ssh_authorized_keys: ['secret-key'],
    users: [],
    write_files: [{ path: '/etc/token', content: 'secret-token', permissions: '0600', owner: 'root:root' }],
  },
  wanted: 'running',
};
const card = { mac: '0a:00:0a:44:00:0a', address: '10.68.0.10', prefix: 24, gateway: '10.68.0.1', mtu: 1500 };
const host = { processors: 4, memoryMebibytes: 8001 };
const optionsOf = (args: readonly string[]) => args.join(' ').split(/ (?=-[a-z])/);

test('a VM boots the kernel of its image with its disk, its network card and its consoles', () => {
  const args = commandLine({ record, link: { netns: 'nova-m-v1', card }, hasKvm: true, disks: [], host });
  expect(optionsOf(args).filter((each) => !each.includes('pcie-root-port'))).toMatchInlineSnapshot(`
    [
      "qemu-system-x86_64",
      "-nodefaults",
      "-no-user-config",
      "-name guest=v1",
      "-uuid 01234567-89ab-cdef-0123-456789abcdef",
      "-sandbox on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny",
      "-machine q35,vmport=off,hpet=off,usb=off",
      "-accel kvm",
      "-cpu host",
      "-smp cpus=2,maxcpus=4",
      "-m size=1024M,maxmem=8000M",
      "-rtc base=utc",
      "-action reboot=shutdown",
      "-kernel /nova/base/kernel",
      "-initrd /nova/run/initrd",
      "-append console=tty0 console=ttyS0 quiet panic=5 net.ifnames=0 memhp_default_state=online nova.machine=0123456789abcdef0123456789abcdef nova.address=10.68.0.10/24 nova.gateway=10.68.0.1 nova.mtu=1500",
      "-chardev socket,id=qmp,path=/nova/run/qmp.sock,server=on,wait=off",
      "-mon chardev=qmp,mode=control",
      "-chardev socket,id=serial,path=/nova/run/serial.sock,server=on,wait=off,logfile=/dev/stdout,logappend=on",
      "-serial chardev:serial",
      "-vnc unix:/nova/run/screen.sock",
      "-device VGA",
      "-blockdev {"driver":"qcow2","node-name":"base","read-only":true,"file":{"driver":"file","filename":"/nova/base/disk.qcow2"}}",
      "-blockdev {"driver":"qcow2","node-name":"root","discard":"unmap","backing":"base","file":{"driver":"file","filename":"/nova/disks/root.qcow2","discard":"unmap"}}",
      "-device virtio-blk-pci,drive=root,serial=root",
      "-netdev tap,id=card,ifname=tap0,script=no,downscript=no,vhost=off",
      "-device virtio-net-pci,netdev=card,mac=0a:00:0a:44:00:0a,host_mtu=1500,romfile=",
      "-object rng-builtin,id=rng",
      "-device virtio-rng-pci,rng=rng",
      "-object memory-backend-ram,id=more-memory,size=6976M,reserve=off",
      "-device virtio-mem-pci,id=memory,memdev=more-memory,requested-size=0",
      "-device virtio-serial-pci",
      "-chardev socket,id=agent,path=/nova/run/agent.sock,server=on,wait=off",
      "-device virtserialport,chardev=agent,name=org.qemu.guest_agent.0",
    ]
  `);
});

test('without KVM the processors are emulated, with a bounded cache', () => {
  const options = optionsOf(commandLine({ record, link: { netns: 'x', card }, hasKvm: false, disks: [], host }));
  expect(options).toContain('-accel tcg,thread=multi,tb-size=256');
  expect(options).toContain('-cpu max');
});

test('a VM in no network has no network card', () => {
  const text = commandLine({ record, link: { netns: 'x' }, hasKvm: false, disks: [], host }).join(' ');
  expect(text).not.toMatch(/netdev|virtio-net|nova\.address/);
});

test('a VM can be larger than its host, and then grows by one block only', () => {
  const options = optionsOf(
    commandLine({
      record: { ...record, cpu: 8, memoryMebibytes: 9000 },
      link: { netns: 'x' },
      hasKvm: true,
      disks: [],
      host,
    }),
  );
  expect(options).toContain('-smp cpus=8,maxcpus=8');
  expect(options).toContain('-m size=9000M,maxmem=9002M');
});

test('the command line holds no secrets', () => {
  expect(commandLine({ record, link: { netns: 'x', card }, hasKvm: true, disks: [], host }).join(' ')).not.toContain(
    'secret',
  );
});
