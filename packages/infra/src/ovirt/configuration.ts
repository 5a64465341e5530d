import { ipv4, mebibytesOf, type OvirtOptions } from '@nova-platform/api';
import { type ClusterPlan, controlPlanes, type PlannedNode } from '@nova-platform/plan';
import type { Configuration } from '../tofu/tofu.ts';
import { markOf } from './machines.ts';

/** What the configuration refers to, by its IDs in the engine. */
export interface OvirtPlaces {
  cluster: string;
  /** How many hosts of the cluster are up. */
  hosts: number;
  storageDomain: string;
  template: string;
  /** The disks of the template. */
  disks: readonly string[];
  vnicProfile: string;
}

/** Which provider OpenTofu uses: ours, or the stock one (`ovirt/ovirt`, `2.2.0`). Both have the same resources. */
interface ProviderSource {
  source: string;
  version: string;
}

const ownProvider: ProviderSource = { source: 'nova-platform.io/nova/ovirt', version: '0.1.0' };

interface Input {
  plan: ClusterPlan;
  settings: OvirtOptions;
  places: OvirtPlaces;
  provider?: ProviderSource;
  /** The cloud-init configuration of each new machine, which holds its enrolment token. */
  cloudConfigs?: Readonly<Record<string, string>>;
  /** Machines that are to stay off. */
  stopped?: ReadonlySet<string>;
  /** Machines to adopt: also those that are not planned need a place in the configuration for that. */
  adopted?: readonly string[];
}

const mebibyte = 1024 ** 2;
const unplanned = { cpu: 1, memory: 0, disk: 0, address: '', is_running: true };
/** The name of the NIC in the guest, where cloud-init configures it, and in the engine. */
export const nicName = 'eth0';

/** The tag of the machines of a cluster. */
export function tagOf(cluster: string): string {
  return `nova-${cluster}`;
}

/** The affinity group of the control planes of a cluster. */
export function groupOf(cluster: string): string {
  return `nova-${cluster}-control-planes`;
}

/** Whether a resource of the configuration is a machine. */
export function isMachine(address: string): boolean {
  return address.startsWith('ovirt_vm.machine[');
}

/** The configuration that makes OpenTofu create the machines of a plan. A pure function. */
export function ovirtConfiguration({
  plan,
  settings,
  places,
  provider = ownProvider,
  cloudConfigs = {},
  stopped = new Set(),
  adopted,
}: Input): Configuration {
  const machines = Object.fromEntries([
    ...(adopted ?? []).map((name) => [name, unplanned]),
    ...plan.nodes.map((node) => [node.name, machineOf(node, stopped)]),
  ]);
  const planes = controlPlanes(plan.nodes).map(({ name }) => name);
  const isSpread = planes.length > 1 && places.hosts > 1;
  // Without machines nothing remains, not even the tag.
  const isAny = plan.nodes.length > 0 || adopted !== undefined;
  return {
    files: {
      'provider.tf.json': providerFile(settings, provider),
      'machines.tf.json': {
        variable: { cloud_configs: { type: 'map(string)', sensitive: true } },
        locals: { machines, ...(isSpread && { spread: planes }) },
        ...(isAny && {
          resource: { ...machineResources(plan, places, isSpread), ...(isSpread && spreadResources(plan, places)) },
        }),
      },
    },
    variables: { cloud_configs: cloudConfigs },
    credentials: { ovirt_password: settings.password },
  };
}

function providerFile({ url, username, caBundle }: OvirtOptions, provider: ProviderSource): object {
  return {
    terraform: { required_providers: { ovirt: provider } },
    // Ephemeral: neither plans nor states contain it.
    variable: { ovirt_password: { type: 'string', sensitive: true, ephemeral: true } },
    provider: {
      ovirt: {
        url: literal(url),
        username: literal(username),
        // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of OpenTofu
        password: '${var.ovirt_password}',
        ...(caBundle === undefined
          ? { tls_system: true }
          : { tls_ca_bundle: Buffer.from(caBundle, 'base64').toString() }),
      },
    },
  };
}

function machineOf({ name, cpu, memory, disk, address }: PlannedNode, stopped: ReadonlySet<string>): object {
  return {
    cpu,
    memory: mebibytesOf(memory) * mebibyte,
    disk: mebibytesOf(disk) * mebibyte,
    address,
    is_running: !stopped.has(name),
  };
}

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: expressions of OpenTofu */
function machineResources(
  { cluster, network }: ClusterPlan,
  places: OvirtPlaces,
  isSpread: boolean,
): Record<string, object> {
  const [nodeNetwork, gateway] =
    network.kind === 'sdn' ? [network.service.network, network.service.gateway] : [network.network, network.gateway];
  const each = { for_each: '${local.machines}' };
  const vm = '${ovirt_vm.machine[each.key].id}';
  return {
    ovirt_tag: { cluster: { name: tagOf(cluster.name), description: `Machines of the cluster ${cluster.name}` } },
    ovirt_vm: {
      machine: {
        ...each,
        name: '${each.key}',
        comment: markOf(cluster.name),
        cluster_id: places.cluster,
        template_id: places.template,
        // A machine outlives its template.
        clone: true,
        cpu_cores: '${each.value.cpu}',
        cpu_sockets: 1,
        cpu_threads: 1,
        memory: '${each.value.memory}',
        // What is declared is there: kubelet counts on it.
        maximum_memory: '${each.value.memory}',
        memory_ballooning: false,
        os_type: 'other',
        vm_type: 'server',
        initialization_hostname: '${each.key}',
        // Only new machines have one: it holds a token that is used once.
        initialization_custom_script: '${lookup(var.cloud_configs, each.key, null)}',
        initialization_nic: {
          name: nicName,
          ipv4: {
            address: '${each.value.address}',
            netmask: netmaskOf(nodeNetwork),
            ...(gateway !== undefined && { gateway }),
          },
        },
        template_disk_attachment_override: places.disks.map((disk) => ({
          disk_id: disk,
          storage_domain_id: places.storageDomain,
          provisioning: 'sparse',
        })),
        // They are for the first boot. A newer template is for new machines.
        lifecycle: {
          ignore_changes: [
            'initialization_custom_script',
            'initialization_hostname',
            'initialization_nic',
            'template_id',
            'template_disk_attachment_override',
          ],
        },
      },
    },
    ovirt_vm_tag: { machine: { ...each, vm_id: vm, tag_id: '${ovirt_tag.cluster.id}' } },
    ovirt_vm_disks_resize: { machine: { ...each, vm_id: vm, size: '${each.value.disk}' } },
    ovirt_nic: { machine: { ...each, vm_id: vm, name: nicName, vnic_profile_id: places.vnicProfile } },
    ovirt_vm_start: {
      machine: {
        for_each: '${{ for name, machine in local.machines : name => machine if machine.is_running }}',
        vm_id: vm,
        stop_behavior: 'shutdown',
        depends_on: [
          'ovirt_nic.machine',
          'ovirt_vm_disks_resize.machine',
          'ovirt_vm_tag.machine',
          ...(isSpread ? ['ovirt_vm_affinity_group.spread'] : []),
        ],
      },
    },
  };
}

/** Control planes on different hosts, where that is possible. Without enforcement: a host may fail. */
function spreadResources({ cluster }: ClusterPlan, places: OvirtPlaces): Record<string, object> {
  return {
    ovirt_affinity_group: {
      spread: {
        cluster_id: places.cluster,
        name: groupOf(cluster.name),
        vms_rule: { affinity: 'negative', enforcing: false },
      },
    },
    ovirt_vm_affinity_group: {
      spread: {
        for_each: '${toset(local.spread)}',
        cluster_id: places.cluster,
        affinity_group_id: '${ovirt_affinity_group.spread.id}',
        vm_id: '${ovirt_vm.machine[each.key].id}',
      },
    },
  };
}
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: expressions of OpenTofu */

function netmaskOf(network: string): string {
  return ipv4.formatAddress(2 ** 32 - 2 ** (32 - ipv4.parseNetwork(network).prefix));
}

/** Text that is no expression of OpenTofu. */
function literal(text: string): string {
  // A function: `$$` in a replacement is one `$`.
  return text.replace(/[$%]\{/g, (start) => start.charAt(0) + start);
}
