import { isIP } from 'node:net';
import { type Element, idOf, listAt, textAt } from '../engine/elements.ts';
import type { Engine } from '../engine/engine.ts';
import { attachmentsOf, diskOf, type EngineCall, statusOf, vanished } from '../engine/vms.ts';
import { until } from '../engine/wait.ts';
import { DiagnosticError } from '../protocol/diagnostics.ts';
import type { DataSource } from '../protocol/provider.ts';
import type { Attribute } from '../protocol/schema.ts';
import type { Fields, Type, Value } from '../protocol/values.ts';
import { flagIn, isFilled, isUuid, requiredIn } from '../resources/fields.ts';

const id: Attribute = { type: 'string', mode: 'computed', description: 'ID.' };
const uuid = (description: string): Attribute => ({ type: 'string', mode: 'required', check: isUuid, description });
const name = (description: string): Attribute => ({ type: 'string', mode: 'required', check: isFilled, description });
const setOf = (description: string, item: Record<string, Type>): Attribute => ({
  type: ['set', ['object', item]],
  mode: 'computed',
  description,
});
const attachment: Record<string, Type> = { id: 'string', disk_id: 'string', disk_interface: 'string' };

export const dataSources: Record<string, DataSource<Engine>> = {
  ovirt_blank_template: {
    block: { description: 'The blank template.', attributes: { id } },
    read: async ({ client }) => {
      const special = await client.get('');
      return { id: textAt(special, 'special_objects.blank_template.id') ?? '00000000-0000-0000-0000-000000000000' };
    },
  },

  ovirt_templates: {
    block: {
      description: 'Templates with a name.',
      attributes: {
        id,
        name: name('Name of the templates.'),
        fail_on_empty: { type: 'bool', mode: 'optional', description: 'Fail if there is no such template.' },
        templates: setOf('The templates.', { id: 'string', description: 'string' }),
      },
    },
    read: async ({ client }, config) => {
      const wanted = requiredIn(config, 'name');
      const found = listAt(await client.get('/templates'), 'template').filter(
        (each) => textAt(each, 'name') === wanted,
      );
      if (found.length === 0 && flagIn(config, 'fail_on_empty'))
        throw new DiagnosticError(
          'There is no such template',
          `The engine has no template with the name ${wanted} that this user can see. Create it, or correct the name.`,
          ['name'],
        );
      return {
        id: wanted,
        templates: found.map((each) => ({ id: idOf(each), description: textAt(each, 'description') ?? '' })),
      };
    },
  },

  ovirt_template_disk_attachments: {
    block: {
      description: 'The disks of a template.',
      attributes: { id, template_id: uuid('Template.'), disk_attachments: setOf('The disks.', attachment) },
    },
    read: async ({ client }, config) => {
      const template = requiredIn(config, 'template_id');
      const found = listAt(await client.get(`/templates/${template}/diskattachments`), 'disk_attachment');
      return { id: template, disk_attachments: found.map(shown) };
    },
  },

  ovirt_disk_attachments: {
    block: {
      description: 'The disks of a VM.',
      attributes: { id, vm_id: uuid('VM.'), attachments: setOf('The disks.', attachment) },
    },
    read: async (call, config) => {
      const vm = requiredIn(config, 'vm_id');
      return { id: vm, attachments: (await attachmentsOf(call, vm)).map(shown) };
    },
  },

  ovirt_cluster_hosts: {
    block: {
      description: 'The hosts of a cluster.',
      attributes: { id, cluster_id: uuid('Cluster.'), hosts: setOf('The hosts.', { id: 'string', status: 'string' }) },
    },
    read: async ({ client }, config) => {
      const cluster = requiredIn(config, 'cluster_id');
      const found = listAt(await client.get('/hosts'), 'host').filter((each) => textAt(each, 'cluster.id') === cluster);
      return { id: cluster, hosts: found.map((each) => ({ id: idOf(each), status: statusOf(each) })) };
    },
  },

  ovirt_affinity_group: {
    block: {
      description: 'An affinity group by name.',
      attributes: { id, cluster_id: uuid('Cluster.'), name: name('Name of the group.') },
    },
    read: async ({ client }, config) => {
      const wanted = requiredIn(config, 'name');
      const groups = listAt(
        await client.get(`/clusters/${requiredIn(config, 'cluster_id')}/affinitygroups`),
        'affinity_group',
      );
      const found = groups.find((each) => textAt(each, 'name') === wanted);
      if (found) return { id: idOf(found) };
      throw new DiagnosticError('There is no such affinity group', `The cluster has no group ${wanted}.`, ['name']);
    },
  },

  ovirt_wait_for_ip: {
    block: {
      description: 'Waits until a VM reports an address.',
      attributes: {
        id,
        vm_id: uuid('VM.'),
        interfaces: setOf('The interfaces of the guest.', {
          name: 'string',
          ipv4_addresses: ['set', 'string'],
          ipv6_addresses: ['set', 'string'],
        }),
      },
    },
    read: async (call, config) => {
      const vm = requiredIn(config, 'vm_id');
      return { id: vm, interfaces: await addressesOf(call, vm) };
    },
  },
};

function shown(each: Element): Fields {
  return { id: idOf(each), disk_id: diskOf(each), disk_interface: textAt(each, 'interface') ?? '' };
}

/** A VM that is down for this long is not about to start. */
const startTime = 15_000;

async function addressesOf({ client, signal }: EngineCall, id: string): Promise<Value> {
  const timeout = client.timeouts.address;
  const begin = Date.now();
  let name = id;
  return until(
    async () => {
      const vm = await client.find(`/vms/${id}`);
      if (!vm) throw vanished(id);
      name = textAt(vm, 'name') ?? id;
      if (statusOf(vm) === 'down' && Date.now() - begin > Math.min(startTime, timeout))
        throw new DiagnosticError(
          `VM ${name} is not running`,
          'A VM that is down has no address. Start it with ovirt_vm_start, and use its id (ovirt_vm_start.NAME.id) as vm_id.',
          ['vm_id'],
        );
      const interfaces = listAt(await client.get(`/vms/${id}/reporteddevices`), 'reported_device').flatMap(interfaceOf);
      return interfaces.length > 0 ? interfaces : undefined;
    },
    () =>
      new DiagnosticError(
        `VM ${name} reports no address`,
        `The provider waited for ${Math.round(timeout / 1000)} s. The guest agent (qemu-guest-agent) reports addresses: check ` +
          'that it is installed and runs, that the VM has a NIC in the right network, and that DHCP or the static address works.',
        ['vm_id'],
      ),
    { timeout, signal },
  );
}

/** An interface with addresses that other hosts can reach. */
function interfaceOf(device: Element): Fields[] {
  const ips = typeof device === 'object' ? (device.ips as Element | undefined) : undefined;
  const addresses = listAt(ips, 'ip')
    .map((ip) => textAt(ip, 'address') ?? '')
    .filter((each) => isIP(each) !== 0 && !/^(127\.|169\.254\.|::1$|fe[89ab])/i.test(each));
  if (addresses.length === 0) return [];
  const of = (version: number) => addresses.filter((each) => isIP(each) === version);
  return [{ name: textAt(device, 'name') ?? '', ipv4_addresses: of(4), ipv6_addresses: of(6) }];
}
