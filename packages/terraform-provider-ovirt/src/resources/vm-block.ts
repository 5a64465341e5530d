import type { Attribute, Block, NestedBlock } from '../protocol/schema.ts';
import { id, isPositive, isUuid, oneOf, reference, unreadable } from './fields.ts';

const address: NestedBlock['block'] = {
  description: 'The address of the NIC. Without an address, DHCP is used.',
  attributes: Object.fromEntries(
    ['address', 'gateway', 'netmask'].map((name): [string, Attribute] => [
      name,
      { type: 'string', mode: 'optional', description: `The ${name}.` },
    ]),
  ),
};

const cores = (what: string): Attribute => ({
  type: 'number',
  mode: 'adopted',
  check: isPositive,
  description: `Number of CPU ${what}. Give cpu_cores, cpu_sockets and cpu_threads together.`,
});

/** Creation-only settings are replaced when they change; CPU, memory, name and comment change in place. */
export const vmBlock: Block = {
  description: 'A virtual machine. `ovirt_vm_start` starts it.',
  attributes: {
    id,
    name: {
      type: 'string',
      mode: 'required',
      check: (value) =>
        /^[\w.-]{1,255}$/.test(String(value))
          ? undefined
          : `is "${value}", but may have only letters, digits, "-", "_" and "."`,
      description: 'Name of the VM: letters, digits, dash, underscore and dot.',
    },
    comment: { type: 'string', mode: 'optional', description: 'Comment of the VM.' },
    cluster_id: reference('Cluster of the VM.'),
    template_id: reference('Template of the VM.'),
    effective_template_id: {
      type: 'string',
      mode: 'computed',
      description: 'Template that the VM depends on: the blank one if the VM is a clone.',
    },
    status: { type: 'string', mode: 'computed', isVolatile: true, description: 'Status of the VM, for example `up`.' },
    cpu_cores: cores('cores'),
    cpu_sockets: cores('sockets'),
    cpu_threads: cores('threads'),
    cpu_mode: unreadable('string', 'CPU mode.', oneOf('custom', 'host_model', 'host_passthrough')),
    memory: { type: 'number', mode: 'adopted', check: isPositive, description: 'Memory in bytes.' },
    maximum_memory: {
      type: 'number',
      mode: 'adopted',
      check: isPositive,
      description: 'How far memory can grow while the VM runs, in bytes.',
    },
    memory_ballooning: unreadable('bool', 'Memory ballooning.'),
    os_type: { type: 'string', mode: 'adopted', replaces: true, description: 'Type of the operating system.' },
    vm_type: {
      type: 'string',
      mode: 'adopted',
      replaces: true,
      check: oneOf('desktop', 'server', 'high_performance'),
      description: 'Type of the VM.',
    },
    placement_policy_affinity: unreadable('string', 'Placement.', oneOf('migratable', 'pinned', 'user_migratable')),
    placement_policy_host_ids: {
      type: ['set', 'string'],
      mode: 'optional',
      replaces: 'unreadable',
      description: 'Hosts that the VM is pinned to.',
    },
    initialization_custom_script: unreadable('string', 'cloud-init user data. Any text: the provider escapes it.'),
    initialization_hostname: unreadable('string', 'Host name that cloud-init sets.'),
    serial_console: unreadable('bool', 'Serial console.'),
    soundcard_enabled: unreadable('bool', 'Sound card.'),
    instance_type_id: unreadable('string', 'Instance type.', isUuid),
    clone: unreadable('bool', 'Copy the disks of the template, so that the VM does not depend on it.'),
    huge_pages: unreadable('number', 'Size of huge pages in KiB.', oneOf(2048, 1_048_576)),
  },
  blocks: {
    initialization_nic: {
      nesting: 'list',
      max: 1,
      replaces: 'unreadable',
      block: {
        description: 'Network configuration by cloud-init.',
        attributes: { name: { type: 'string', mode: 'required', description: 'Name in the guest, for example eth0.' } },
        blocks: {
          ipv4: { nesting: 'list', min: 1, max: 1, block: address },
          ipv6: { nesting: 'list', max: 1, block: address },
        },
      },
    },
    template_disk_attachment_override: {
      nesting: 'set',
      replaces: 'unreadable',
      block: {
        description: 'Other settings for a disk of the template.',
        attributes: {
          disk_id: { type: 'string', mode: 'required', check: isUuid, description: 'Disk of the template.' },
          format: { type: 'string', mode: 'optional', check: oneOf('cow', 'raw'), description: 'Format: cow or raw.' },
          provisioning: {
            type: 'string',
            mode: 'optional',
            check: oneOf('sparse', 'non-sparse'),
            description: 'sparse or non-sparse.',
          },
          storage_domain_id: { type: 'string', mode: 'optional', check: isUuid, description: 'Storage domain.' },
        },
      },
    },
  },
};
