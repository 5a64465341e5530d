import type { Shown } from '@nova-platform/ovirt/xml';
import { type Fields, isFields, isList, type Value } from '../protocol/values.ts';
import { flagIn, given, numberIn, requiredIn, textIn, textsIn } from './fields.ts';

/** A new VM as the API expects it, without a mark. */
export function newVm(vm: Fields): Record<string, Shown> {
  const { cores, sockets, threads } = topologyOf(vm);
  const memory = numberIn(vm, 'memory');
  return given({
    name: requiredIn(vm, 'name'),
    comment: textIn(vm, 'comment'),
    cluster: { id: requiredIn(vm, 'cluster_id') },
    template: { id: requiredIn(vm, 'template_id') },
    instance_type: idOnly(textIn(vm, 'instance_type_id')),
    cpu: group({ mode: textIn(vm, 'cpu_mode'), topology: group({ cores, sockets, threads }) }),
    memory,
    memory_policy: group({ max: numberIn(vm, 'maximum_memory'), ballooning: flagIn(vm, 'memory_ballooning') }),
    os: group({ type: textIn(vm, 'os_type') }),
    type: textIn(vm, 'vm_type'),
    console: group({ enabled: flagIn(vm, 'serial_console') }),
    soundcard_enabled: flagIn(vm, 'soundcard_enabled'),
    placement_policy: group({
      affinity: textIn(vm, 'placement_policy_affinity'),
      hosts: some(
        'host',
        textsIn(vm.placement_policy_host_ids).map((id) => ({ id })),
      ),
    }),
    custom_properties: some(
      'custom_property',
      [numberIn(vm, 'huge_pages')].flatMap((value) => (value === undefined ? [] : [{ name: 'hugepages', value }])),
    ),
    initialization: group({
      custom_script: textIn(vm, 'initialization_custom_script'),
      host_name: textIn(vm, 'initialization_hostname'),
      nic_configurations: some('nic_configuration', blocksOf(vm.initialization_nic).map(nicConfiguration)),
    }),
    disk_attachments: some('disk_attachment', blocksOf(vm.template_disk_attachment_override).map(diskOverride)),
  }) as Record<string, Shown>;
}

export function topologyOf(vm: Fields) {
  return {
    cores: numberIn(vm, 'cpu_cores'),
    sockets: numberIn(vm, 'cpu_sockets'),
    threads: numberIn(vm, 'cpu_threads'),
  };
}

function nicConfiguration(nic: Fields): Shown {
  const [ipv4 = {}] = blocksOf(nic.ipv4);
  const [ipv6] = blocksOf(nic.ipv6);
  const ip = addressOf(ipv4, 'v4');
  const ip6 = ipv6 && addressOf(ipv6, 'v6');
  return given({
    name: requiredIn(nic, 'name'),
    on_boot: true,
    boot_protocol: ip ? 'static' : 'dhcp',
    ip,
    ...(ipv6 && { ipv6_boot_protocol: ip6 ? 'static' : 'dhcp', ipv6: ip6 }),
  });
}

function addressOf(block: Fields, version: 'v4' | 'v6'): Shown | undefined {
  const address = textIn(block, 'address') || undefined;
  if (address === undefined) return undefined;
  const [netmask, gateway] = [textIn(block, 'netmask') || undefined, textIn(block, 'gateway') || undefined];
  return given({ address, netmask, gateway, version });
}

function diskOverride(block: Fields): Shown {
  const provisioning = textIn(block, 'provisioning');
  const domain = textIn(block, 'storage_domain_id');
  return {
    disk: given({
      id: requiredIn(block, 'disk_id'),
      format: textIn(block, 'format'),
      sparse: provisioning === undefined ? undefined : provisioning === 'sparse',
      storage_domains: domain === undefined ? undefined : { storage_domain: [{ id: domain }] },
    }),
  };
}

export function blocksOf(value: Value | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isFields) : [];
}

function idOnly(id: string | undefined): Shown | undefined {
  return id === undefined ? undefined : { id };
}

/** Undefined if none of the fields has a value. */
function group(fields: Record<string, Shown | undefined>): Shown | undefined {
  return Object.values(fields).every((value) => value === undefined) ? undefined : given(fields);
}

function some(name: string, items: readonly Shown[]): Shown | undefined {
  return items.length === 0 ? undefined : { [name]: items };
}
