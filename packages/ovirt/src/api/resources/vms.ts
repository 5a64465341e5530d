import { randomUUID } from 'node:crypto';
import { ProblemError, problem } from '@nova-platform/api';
import { z } from 'zod';
import { accept, bytes, flag, group, integer, listOf, named, text } from '../accept.ts';
import type { Call, Vm } from '../call.ts';
import { clusterId, hostId } from '../ids.ts';
import { initialization, initialized } from '../initialization.ts';
import type { MachineRecord } from '../records.ts';
import { type Body, type Fields, type Resource, reference } from '../resource.ts';
import type { SearchKeys } from '../search.ts';
import { defaultDiskMebibytes, templateBootDiskId } from './disks.ts';
import { assertCluster } from './places.ts';
import { namedTemplate, templateId } from './templates.ts';
import { vmActions } from './vm-actions.ts';
import { vmChildren } from './vm-children.ts';
import { assertFreeName, vmName } from './vm-names.ts';
import { assertSettled, statusOf, vmWord } from './vm-status.ts';

const mebibyte = 1024 ** 2;
const defaultMemory = 1024;

/** What oVirt lets a VM choose, and this platform does not. */
const fixed = {
  stateless: 'false',
  start_paused: 'false',
  use_latest_template_version: 'false',
  'high_availability.enabled': 'true',
  'high_availability.priority': '1',
  'bios.boot_menu.enabled': 'false',
  'memory_policy.ballooning': 'false',
  'os.boot.devices.device': 'hd',
  'cpu.architecture': 'x86_64',
  'console.enabled': 'true',
  'usb.enabled': 'false',
  soundcard_enabled: 'false',
  tpm_enabled: 'false',
  multi_queues_enabled: 'false',
  'virtio_scsi.enabled': 'false',
  'io.threads': '0',
  cpu_shares: '0',
  'time_zone.name': 'etc/gmt',
} as const;

const readOnly = [
  'id',
  'status',
  'creation_time',
  'original_template',
  'host',
  'run_once',
  'next_run_configuration_exists',
  'placement_policy.affinity',
  'origin',
];

const fields = {
  name: vmName.optional(),
  comment: text().optional(),
  description: text().optional(),
  cluster: named.optional(),
  template: named.optional(),
  memory: bytes.optional(),
  memory_policy: group({ guaranteed: bytes.optional(), max: bytes.optional() }).optional(),
  cpu: group({
    topology: group({ cores: integer.optional(), sockets: integer.optional(), threads: integer.optional() }).optional(),
  }).optional(),
  os: group({ type: text(64).optional() }).optional(),
  type: z.enum(['server', 'desktop', 'high_performance']).optional(),
  delete_protected: flag.optional(),
  initialization: initialization.optional(),
};

const diskAttachments = listOf(
  'disk_attachment',
  group({
    disk: group({
      id: text(),
      provisioned_size: bytes.optional(),
      format: z.enum(['cow', 'raw']).optional(),
      sparse: z.literal('true').optional(),
      storage_domains: listOf('storage_domain', named),
    }),
    interface: text().optional(),
    bootable: flag.optional(),
    active: flag.optional(),
  }),
);

export const vms: Resource<Vm, undefined> = {
  path: 'vms',
  element: 'vm',
  elements: 'vms',
  kind: vmWord,
  id: ({ id }) => id,
  list: (call) => call.vms(),
  show: showVm,
  search: searchKeys,
  add: addVm,
  update: updateVm,
  remove: removeVm,
  actions: vmActions,
  children: vmChildren,
};

function showVm(vm: Vm, call: Call): Fields {
  const { record, machine } = vm;
  const { creation, topology, osType, type, memoryPolicy, isProtected, comment, description } = record;
  const isNext = call.request.query.next_run === 'true';
  const before = isNext ? undefined : machine?.untilRestart;
  const cpu = before?.cpu ?? machine?.cpu ?? creation?.spec.cpu ?? 1;
  const memory =
    (before?.memoryMebibytes ?? machine?.memoryMebibytes ?? creation?.spec.memoryMebibytes ?? 0) * mebibyte;
  const template = templateId(machine?.image ?? creation?.spec.image ?? '');
  const fits = topology && topology.cores * topology.sockets * topology.threads === cpu;
  return {
    name: vm.name,
    description: description ?? '',
    comment: comment ?? '',
    status: statusOf(call, vm),
    type: type ?? 'server',
    memory,
    memory_policy: {
      guaranteed: Math.min(memoryPolicy?.guaranteed ?? memory, memory),
      max: Math.max(memoryPolicy?.max ?? memory, memory),
      ballooning: false,
    },
    cpu: { architecture: 'x86_64', topology: fits ? topology : { cores: cpu, sockets: 1, threads: 1 } },
    os: { type: osType ?? 'other', boot: { devices: { device: ['hd'] } } },
    cluster: reference('clusters', clusterId),
    template: reference('templates', template),
    original_template: reference('templates', template),
    ...(machine?.state === 'running' && { host: reference('hosts', hostId) }),
    ...(machine?.createdAt !== undefined && { creation_time: machine.createdAt }),
    delete_protected: isProtected ?? false,
    stateless: false,
    start_paused: false,
    run_once: false,
    next_run_configuration_exists: machine?.untilRestart !== undefined,
    use_latest_template_version: false,
    high_availability: { enabled: true, priority: 1 },
    bios: { boot_menu: { enabled: false } },
    console: { enabled: true },
    usb: { enabled: false },
    soundcard_enabled: false,
    tpm_enabled: false,
    multi_queues_enabled: false,
    virtio_scsi: { enabled: false },
    io: { threads: 0 },
    cpu_shares: 0,
    time_zone: { name: 'Etc/GMT' },
    origin: 'nova',
  };
}

async function searchKeys(call: Call): Promise<SearchKeys<Vm>> {
  const templates = await call.images();
  const tags = [...call.records.all('tag').values()];
  return {
    name: ({ name }) => name,
    id: ({ id }) => id,
    status: (vm) => statusOf(call, vm),
    description: ({ record }) => record.description ?? '',
    comment: ({ record }) => record.comment ?? '',
    cluster: () => 'Default',
    'clusters.name': () => 'Default',
    datacenter: () => 'Default',
    host: ({ machine }) => (machine?.state === 'running' ? 'host' : undefined),
    template: ({ machine }) => machine?.image,
    'templates.name': ({ machine }) => templates.find(({ name }) => name === machine?.image)?.name,
    tag: ({ id }) => tags.filter((tag) => tag.vms.includes(id)).map((tag) => tag.name),
    ip: ({ machine }) => machine?.address,
    network: ({ machine }) => machine?.network,
    type: ({ record }) => record.type ?? 'server',
    os: ({ record }) => record.osType ?? 'other',
    memory: ({ machine }) => machine?.memoryMebibytes,
    cpus: ({ machine }) => machine?.cpu,
    creationdate: ({ machine }) => machine?.createdAt,
  };
}

async function addVm(call: Call, body: Body): Promise<Vm> {
  const { records, parts } = call;
  const vm = accept('vm', body, { fields: { ...fields, disk_attachments: diskAttachments }, fixed, readOnly });
  const { name, template, cluster, initialization: given } = vm;
  for (const [field, value] of Object.entries({ 'vm.name': name, 'vm.cluster': cluster, 'vm.template': template }))
    if (value === undefined) throw new ProblemError(problem('NOVA7602', { field }));
  if (name === undefined || template === undefined || cluster === undefined) throw new Error('unreachable');
  assertCluster(cluster);
  const image = await namedTemplate(call, template);
  await assertFreeName(call, name);
  const bootDisk = templateBootDiskId(image.name);
  const [own, other] = vm.disk_attachments;
  if (other || (own && own.disk.id !== bootDisk))
    throw new ProblemError(problem('NOVA7600', { field: 'vm.disk_attachments' }));
  const memoryMebibytes = (vm.memory ?? defaultMemory * mebibyte) / mebibyte;
  const size = own?.disk.provisioned_size;
  const diskMebibytes = size === undefined ? (image.diskMebibytes ?? defaultDiskMebibytes) : size / mebibyte;
  const first = given ? initialized(given, undefined) : {};
  const { cloudConfig } = first;
  const spec = {
    name,
    image: image.name,
    cpu: cpusOf(vm) ?? 1,
    memoryMebibytes,
    diskMebibytes,
    ...(cloudConfig !== undefined && { cloudConfig }),
    isStarted: false,
  };
  const id = randomUUID();
  const record = { engineName: name, ...declared(vm), creation: { ...first, spec } };
  await parts.lifecycle.create(id, record, {
    ...call.by,
    description: `Creating VM ${name}`,
    done: `VM ${name} was created from template ${image.name}`,
    code: 53,
  });
  call.refresh();
  const machines = await call.vms();
  return (
    machines.find((each) => each.id === id) ?? {
      id,
      name,
      record: records.all('machine').get(id) ?? record,
      machine: undefined,
    }
  );
}

async function updateVm(call: Call, vm: Vm, body: Body): Promise<Vm> {
  const { records, parts } = call;
  const changes = accept('vm', body, { fields, fixed, readOnly });
  const machine = assertSettled(call, vm);
  const { name, cluster, template, initialization: given } = changes;
  if (cluster) assertCluster(cluster);
  if (template && (await namedTemplate(call, template)).name !== machine.image)
    throw new ProblemError(problem('NOVA7601', { field: 'vm.template', value: machine.image }));
  if (name !== undefined && name !== vm.name) await assertFreeName(call, name);
  const { unstarted } = vm.record;
  if (given && !unstarted) throw new ProblemError(problem('NOVA7614', { name: vm.name }));
  const network = (await call.networks()).find((each) => each.name === machine.network);
  const first = given && initialized(given, network);
  const cpu = cpusOf(changes);
  const memoryMebibytes = changes.memory === undefined ? undefined : changes.memory / mebibyte;
  const task = {
    ...call.by,
    description: `Updating VM ${vm.name}`,
    done: `VM ${vm.name} was updated`,
    code: 35,
    vm: vm.id,
  };
  await parts.work.run(task, async () => {
    if (
      (cpu ?? machine.cpu) !== machine.cpu ||
      (memoryMebibytes ?? machine.memoryMebibytes) !== machine.memoryMebibytes
    )
      await call.engine.resizeMachine(machine.name, {
        ...(cpu !== undefined && { cpu }),
        ...(memoryMebibytes !== undefined && { memoryMebibytes }),
      });
    const renamed = name !== undefined && { name: name === machine.name ? undefined : name };
    await records.change('machine', vm.id, vm.record, { ...declared(changes), ...renamed });
    if (first && machine.state === 'stopped') {
      const record = records.all('machine').get(vm.id) ?? vm.record;
      await parts.lifecycle.initialize(vm.id, record, machine, first);
    }
  });
  call.refresh();
  return (await call.vms()).find(({ id }) => id === vm.id) ?? vm;
}

async function removeVm(call: Call, vm: Vm): Promise<void> {
  const { engine, records, parts } = call;
  const machine = assertSettled(call, vm);
  if (vm.record.isProtected) throw new ProblemError(problem('NOVA7623', { name: vm.name }));
  if (machine.state === 'running')
    throw new ProblemError(problem('NOVA7612', { name: vm.name, status: 'up', needed: 'down' }));
  const { name } = machine;
  const task = {
    ...call.by,
    description: `Removing VM ${vm.name}`,
    done: `VM ${vm.name} was removed`,
    code: 113,
    vm: vm.id,
    busy: { id: vm.id, status: 'image_locked' as const },
  };
  await parts.work.run(task, async () => {
    // Data outlives its machine.
    for (const { disk } of await call.disks()) if (disk.machine === name) await engine.detachDisk(name, disk.name);
    await engine.deleteMachine(name);
    const { ownTemplate } = vm.record;
    // Another machine may have been cloned from it meanwhile.
    if (ownTemplate !== undefined) await engine.deleteTemplate(ownTemplate).catch(() => undefined);
    const without = (ids: readonly string[]) => ids.filter((id) => id !== vm.id);
    for (const [id, tag] of records.all('tag'))
      if (tag.vms.includes(vm.id)) await records.put('tag', id, { ...tag, vms: without(tag.vms) });
    for (const [id, group] of records.all('affinityGroup'))
      if (group.vms.includes(vm.id)) await records.put('affinityGroup', id, { ...group, vms: without(group.vms) });
    await records.remove('machine', vm.id);
  });
}

/** The fields that only this API keeps. */
function declared(vm: {
  comment?: string | undefined;
  description?: string | undefined;
  type?: string | undefined;
  delete_protected?: boolean | undefined;
  os?: { type?: string | undefined } | undefined;
  memory_policy?: { guaranteed?: number | undefined; max?: number | undefined } | undefined;
  cpu?: Cpu | undefined;
}): Partial<MachineRecord> {
  const { comment, description, type, delete_protected: isProtected, os, memory_policy: policy, cpu } = vm;
  const { cores = 1, sockets = 1, threads = 1 } = cpu?.topology ?? {};
  const { guaranteed, max } = policy ?? {};
  return {
    ...(comment !== undefined && { comment }),
    ...(description !== undefined && { description }),
    ...(type !== undefined && { type }),
    ...(isProtected !== undefined && { isProtected }),
    ...(os?.type !== undefined && { osType: os.type }),
    ...(policy && {
      memoryPolicy: { ...(guaranteed !== undefined && { guaranteed }), ...(max !== undefined && { max }) },
    }),
    ...(cpu?.topology && { topology: { cores, sockets, threads } }),
  };
}

interface Cpu {
  topology?: { cores?: number | undefined; sockets?: number | undefined; threads?: number | undefined } | undefined;
}

function cpusOf({ cpu }: { cpu?: Cpu | undefined }): number | undefined {
  if (!cpu?.topology) return undefined;
  const { cores = 1, sockets = 1, threads = 1 } = cpu.topology;
  return cores * sockets * threads;
}
