import { type Element, flagAt, idOf, listAt, numberAt, textAt } from '../engine/elements.ts';
import type { Engine } from '../engine/engine.ts';
import {
  attachmentsOf,
  diskOf,
  type EngineCall,
  isBootable,
  settledDisk,
  settledVm,
  statusOf,
  stopVm,
  vanished,
} from '../engine/vms.ts';
import { until } from '../engine/wait.ts';
import { type Diagnostic, DiagnosticError } from '../protocol/diagnostics.ts';
import { applied } from '../protocol/plan.ts';
import type { Resource } from '../protocol/provider.ts';
import { type Fields, isEqual, unknown } from '../protocol/values.ts';
import { claim, flagIn, given, idsIn, isClaimed, isMarked, markOf, numberIn, requiredIn, textIn } from './fields.ts';
import { vmBlock } from './vm-block.ts';
import { newVm, topologyOf } from './vm-body.ts';

export const vm: Resource<Engine> = {
  block: vmBlock,
  check,
  plan: (planned, { prior, config }) => {
    // The limit follows the memory.
    if (prior && config.maximum_memory === null && !isEqual(prior.memory, planned.state.memory))
      return { ...planned, state: { ...planned.state, maximum_memory: unknown } };
    return planned;
  },
  create: createVm,
  read: async ({ client }, state) => {
    const found = await client.find(`/vms/${requiredIn(state, 'id')}`);
    if (!found) return undefined;
    // A clone has another template than the one that it was created from.
    const template =
      textIn(state, 'template_id') ?? textAt(found, 'original_template.id') ?? textAt(found, 'template.id');
    return { ...observed(await next(client, found)), template_id: template ?? null };
  },
  update: updateVm,
  delete: deleteVm,
  identify: (text) => idsIn(text, 'id'),
};

const together = ['cpu_cores', 'cpu_sockets', 'cpu_threads'];

function check(config: Fields): Diagnostic[] {
  const missing = together.filter((name) => config[name] === null);
  const problems: [boolean, string, string][] = [
    [
      missing.length > 0 && missing.length < together.length,
      missing[0] ?? '',
      `${missing.join(' and ')} must be given too: cpu_cores, cpu_sockets and cpu_threads belong together.`,
    ],
    [config.maximum_memory !== null && config.memory === null, 'memory', 'maximum_memory needs memory.'],
    [
      typeof config.memory === 'number' &&
        typeof config.maximum_memory === 'number' &&
        config.maximum_memory < config.memory,
      'maximum_memory',
      'maximum_memory must be at least memory.',
    ],
    [
      (config.placement_policy_affinity === null) !== (config.placement_policy_host_ids === null),
      'placement_policy_affinity',
      'placement_policy_affinity and placement_policy_host_ids belong together.',
    ],
  ];
  return problems.flatMap(([isWrong, name, detail]) =>
    isWrong ? [{ severity: 'error', summary: `Invalid ${name}`, detail, attribute: [name] }] : [],
  );
}

async function createVm(call: EngineCall, planned: Fields): Promise<Fields> {
  const { client, memory } = call;
  const template = requiredIn(planned, 'template_id');
  if (!(await client.find(`/templates/${template}`)))
    throw new DiagnosticError(
      'There is no such template',
      `The engine has no template with the ID ${template}. The data source ovirt_templates finds a template by its name.`,
      ['template_id'],
    );
  const body = newVm(planned);
  const mark = markOf(body);
  const clone = flagIn(planned, 'clone') === undefined ? '' : `?clone=${flagIn(planned, 'clone')}`;
  const created = await client.create(`/vms${clone}`, 'vm', { ...body, description: mark }, () =>
    remainder(call, requiredIn(planned, 'name'), mark),
  );
  const id = claim(idOf(created));
  call.keep({ ...planned, id });
  await settledVm(call, id);
  const disks: string[] = [];
  for (const attachment of await attachmentsOf(call, id)) {
    const disk = await settledDisk(call, diskOf(attachment));
    if (!isMarked(textAt(disk, 'description'))) disks.push(idOf(disk));
  }
  memory.disks = disks;
  return applied(planned, { id, ...observed(await client.get(`/vms/${id}`)) });
}

/** The VM that a killed apply left, whatever became of it since. Another VM of this name is an error. */
async function remainder({ client, warn }: EngineCall, name: string, mark: string): Promise<Element | undefined> {
  const vms = listAt(await client.get(`/vms?search=${encodeURIComponent(`name=${name}`)}`), 'vm');
  const existing = vms.find((each) => textAt(each, 'name') === name);
  if (!existing) return undefined;
  const id = idOf(existing);
  if (textAt(existing, 'description') === mark && !isClaimed(id)) {
    warn(
      `VM ${name} existed already`,
      `A request or an apply with the same settings was interrupted after it had created ${id}. It is used as it is.`,
    );
    return existing;
  }
  throw new DiagnosticError(
    `A VM with the name ${name} exists already`,
    `Its ID is ${id}. Choose another name, delete that VM, or manage it here with: tofu import ADDRESS ${id}`,
    ['name'],
  );
}

async function updateVm(call: EngineCall, prior: Fields, planned: Fields): Promise<Fields> {
  const { client } = call;
  const id = requiredIn(planned, 'id');
  const before = await settledVm(call, id);
  const isChanged = (...names: string[]) => names.some((name) => !isEqual(prior[name], planned[name]));
  const bytes = numberIn(planned, 'memory');
  const max = numberIn(planned, 'maximum_memory');
  const policy = () => ({
    guaranteed: Math.min(numberAt(before, 'memory_policy.guaranteed') ?? bytes ?? 0, bytes ?? 0),
    max: max ?? Math.max(numberAt(before, 'memory_policy.max') ?? 0, bytes ?? 0),
  });
  const changes = given({
    name: isChanged('name') ? requiredIn(planned, 'name') : undefined,
    comment: isChanged('comment') ? (textIn(planned, 'comment') ?? '') : undefined,
    cpu: isChanged(...together) ? { topology: given(topologyOf(planned)) } : undefined,
    ...(isChanged('memory', 'maximum_memory') && { memory: bytes, memory_policy: policy() }),
  });
  if (Object.keys(changes as object).length > 0) await client.put(`/vms/${id}`, 'vm', changes);
  const after = await settledVm(call, id);
  if (flagAt(after, 'next_run_configuration_exists'))
    call.warn(
      `VM ${textAt(after, 'name')} has to restart`,
      'The engine keeps a part of the new configuration until the VM is stopped and started again: it cannot be changed ' +
        'while the VM runs.',
    );
  return applied(planned, observed(await next(client, after)));
}

/** The disks that the VM was created with are deleted with it. All others are only detached. */
async function deleteVm(call: EngineCall, state: Fields): Promise<void> {
  const { client, memory, signal } = call;
  const id = requiredIn(state, 'id');
  if (!(await client.find(`/vms/${id}`))) return;
  await stopVm(call, id, false);
  const isOwn = (attachment: Element) => memory.disks?.includes(diskOf(attachment)) ?? isBootable(attachment);
  for (const attachment of await attachmentsOf(call, id))
    if (!isOwn(attachment)) await client.delete(`/vms/${id}/diskattachments/${idOf(attachment)}?detach_only=true`);
  await client.delete(`/vms/${id}`);
  const timeout = client.timeouts.vm;
  await until(
    async () => ((await client.find(`/vms/${id}`)) ? undefined : true),
    () =>
      new DiagnosticError(`VM ${id} is not deleted`, 'The engine still lists it. Look at its events in the engine.'),
    { timeout, signal },
  );
}

/** With what the VM gets at its next start, which is what the configuration declares. */
async function next(client: Engine, vm: Element): Promise<Element> {
  if (!flagAt(vm, 'next_run_configuration_exists')) return vm;
  const id = idOf(vm);
  const found = await client.find(`/vms/${id}?next_run=true`);
  if (!found) throw vanished(id);
  return found;
}

function observed(vm: Element): Fields {
  return {
    name: textAt(vm, 'name') ?? null,
    comment: textAt(vm, 'comment') ?? '',
    cluster_id: textAt(vm, 'cluster.id') ?? null,
    effective_template_id: textAt(vm, 'template.id') ?? null,
    status: statusOf(vm),
    cpu_cores: numberAt(vm, 'cpu.topology.cores') ?? null,
    cpu_sockets: numberAt(vm, 'cpu.topology.sockets') ?? null,
    cpu_threads: numberAt(vm, 'cpu.topology.threads') ?? null,
    memory: numberAt(vm, 'memory') ?? null,
    maximum_memory: numberAt(vm, 'memory_policy.max') ?? null,
    os_type: textAt(vm, 'os.type') ?? null,
    vm_type: textAt(vm, 'type') ?? null,
  };
}
