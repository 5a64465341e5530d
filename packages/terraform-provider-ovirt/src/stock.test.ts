import { describe, expect, test } from 'vitest';
import { type Block, typeOf } from './protocol/schema.ts';
import type { Type } from './protocol/values.ts';
import { createProvider } from './provider.ts';

/**
 * The documented schema of the provider `ovirt/ovirt` 2.2.0: required, optional and read-only attributes, and blocks. A
 * configuration for it must be one for ours.
 */
interface Documented {
  required?: Record<string, Type>;
  optional?: Record<string, Type>;
  readOnly?: Record<string, Type>;
  blocks?: Record<string, readonly ['list' | 'set', Documented]>;
}

const strings = (...names: string[]): Record<string, Type> => of('string', names);
const numbers = (...names: string[]): Record<string, Type> => of('number', names);
const flags = (...names: string[]): Record<string, Type> => of('bool', names);
const of = (type: Type, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, type]));
const rows = (...names: string[]): Type => ['set', ['object', strings(...names)]];

const address = { optional: strings('address', 'gateway', 'netmask') };
const rule = ['set', { optional: { ...strings('affinity'), ...flags('enforcing') } }] as const;
const id = strings('id');

const resources: Record<string, Documented> = {
  ovirt_vm: {
    required: strings('cluster_id', 'name', 'template_id'),
    optional: {
      ...flags('clone', 'memory_ballooning', 'serial_console', 'soundcard_enabled'),
      ...strings('comment', 'cpu_mode', 'initialization_custom_script', 'initialization_hostname', 'instance_type_id'),
      ...strings('os_type', 'placement_policy_affinity', 'vm_type'),
      ...numbers('cpu_cores', 'cpu_sockets', 'cpu_threads', 'huge_pages', 'maximum_memory', 'memory'),
      placement_policy_host_ids: ['set', 'string'],
    },
    readOnly: strings('effective_template_id', 'id', 'status'),
    blocks: {
      initialization_nic: [
        'list',
        { required: strings('name'), blocks: { ipv4: ['list', address], ipv6: ['list', address] } },
      ],
      template_disk_attachment_override: [
        'set',
        { required: strings('disk_id'), optional: strings('format', 'provisioning', 'storage_domain_id') },
      ],
    },
  },
  ovirt_vm_start: {
    required: strings('vm_id'),
    optional: { ...flags('force_stop'), ...strings('status', 'stop_behavior') },
    readOnly: id,
  },
  ovirt_nic: { required: strings('name', 'vm_id', 'vnic_profile_id'), optional: strings('mac'), readOnly: id },
  ovirt_disk: {
    required: { ...strings('format', 'storage_domain_id'), ...numbers('size') },
    optional: { ...strings('alias'), ...flags('sparse') },
    readOnly: { ...strings('id', 'status'), ...numbers('total_size') },
  },
  ovirt_disk_attachment: {
    required: strings('disk_id', 'disk_interface', 'vm_id'),
    optional: flags('active', 'bootable'),
    readOnly: id,
  },
  ovirt_disk_attachments: {
    required: strings('vm_id'),
    optional: flags('detach_unmanaged', 'remove_unmanaged'),
    readOnly: id,
    blocks: {
      attachment: [
        'set',
        { required: strings('disk_id', 'disk_interface'), optional: flags('active', 'bootable'), readOnly: id },
      ],
    },
  },
  ovirt_disk_resize: { required: { ...strings('disk_id'), ...numbers('size') }, readOnly: id },
  ovirt_vm_disks_resize: { required: { ...strings('vm_id'), ...numbers('size') }, readOnly: id },
  ovirt_tag: { required: strings('name'), optional: strings('description'), readOnly: id },
  ovirt_vm_tag: { required: strings('tag_id', 'vm_id'), readOnly: id },
  ovirt_affinity_group: {
    required: strings('cluster_id', 'name'),
    optional: { ...strings('description'), ...flags('enforcing'), ...numbers('priority') },
    readOnly: id,
    blocks: { hosts_rule: rule, vms_rule: rule },
  },
  ovirt_vm_affinity_group: { required: strings('affinity_group_id', 'cluster_id', 'vm_id'), readOnly: id },
};

const dataSources: Record<string, Documented> = {
  ovirt_affinity_group: { required: strings('cluster_id', 'name'), readOnly: id },
  ovirt_blank_template: { readOnly: id },
  ovirt_cluster_hosts: { required: strings('cluster_id'), readOnly: { ...id, hosts: rows('id', 'status') } },
  ovirt_disk_attachments: {
    required: strings('vm_id'),
    readOnly: { ...id, attachments: rows('disk_id', 'disk_interface', 'id') },
  },
  ovirt_template_disk_attachments: {
    required: strings('template_id'),
    readOnly: { ...id, disk_attachments: rows('disk_id', 'disk_interface', 'id') },
  },
  ovirt_templates: {
    required: strings('name'),
    optional: flags('fail_on_empty'),
    readOnly: { ...id, templates: rows('description', 'id') },
  },
  ovirt_wait_for_ip: {
    required: strings('vm_id'),
    readOnly: {
      ...id,
      interfaces: [
        'set',
        ['object', { name: 'string', ipv4_addresses: ['set', 'string'], ipv6_addresses: ['set', 'string'] }],
      ],
    },
  },
};

const settings: Documented = {
  optional: {
    ...strings('password', 'tls_ca_bundle', 'url', 'username'),
    ...flags('mock', 'tls_insecure', 'tls_system'),
    extra_headers: ['map', 'string'],
    tls_ca_dirs: ['list', 'string'],
    tls_ca_files: ['list', 'string'],
  },
};

/** Our schema in the form of the documentation. */
function documented({ attributes, blocks = {} }: Block): Documented {
  const like = (...modes: string[]) =>
    Object.fromEntries(
      Object.entries(attributes).flatMap(([name, { mode, type }]) => (modes.includes(mode) ? [[name, type]] : [])),
    );
  const sections = { required: like('required'), optional: like('optional', 'adopted'), readOnly: like('computed') };
  const nested = Object.entries(blocks).map(([name, { nesting, block }]) => [name, [nesting, documented(block)]]);
  return {
    ...Object.fromEntries(Object.entries(sections).filter(([, each]) => Object.keys(each).length > 0)),
    ...(nested.length > 0 && { blocks: Object.fromEntries(nested) }),
  };
}

describe('the schema of the stock provider', () => {
  const provider = createProvider();

  test('settings are the same', () => {
    expect(documented(provider.block)).toEqual(settings);
  });

  test.each(Object.entries(resources))('the resource %s is the same', (name, expected) => {
    expect(documented(provider.resources[name]?.block ?? { description: '', attributes: {} })).toEqual(expected);
  });

  test.each(Object.entries(dataSources))('the data source %s is the same', (name, expected) => {
    expect(documented(provider.dataSources[name]?.block ?? { description: '', attributes: {} })).toEqual(expected);
  });

  test('there is nothing that the stock provider lacks', () => {
    expect(Object.keys(provider.resources).sort()).toEqual(Object.keys(resources).sort());
    expect(Object.keys(provider.dataSources).sort()).toEqual(Object.keys(dataSources).sort());
  });

  test('every value has a type that OpenTofu can read', () => {
    for (const { block } of Object.values(provider.resources)) expect(typeOf(block)[0]).toBe('object');
  });
});
