import type { HostFeatures } from '@nova-platform/contracts/engine';
import { accept } from '../accept.ts';
import type { Call } from '../call.ts';
import { clusterId, hostId } from '../ids.ts';
import { type Body, empty, type Resource, reference } from '../resource.ts';
import { statistics } from './statistics.ts';

const readOnly = ['async', 'reason', 'force', 'stop_gluster_service'];

export const hosts: Resource<HostFeatures, unknown> = {
  path: 'hosts',
  element: 'host',
  elements: 'hosts',
  kind: { en: 'host', ru: 'хост' },
  id: () => hostId,
  list: async (call) => [await call.host()],
  show: async (host, call) => {
    const vms = await call.vms();
    const running = vms.filter(({ machine }) => machine?.state === 'running').length;
    return {
      name: 'host',
      description: '',
      comment: '',
      status: statusOf(call, host),
      external_status: 'ok',
      type: 'rhel',
      cluster: reference('clusters', clusterId),
      cpu: { topology: { cores: host.processors, sockets: 1, threads: 1 } },
      memory: host.memory.totalBytes,
      max_scheduling_memory: host.memory.freeBytes,
      os: { type: 'Debian', version: { full_version: host.kernel.release } },
      summary: { active: running, migrating: 0, total: vms.length },
      spm: { priority: 1, status: 'spm' },
    };
  },
  search: (call) => ({
    name: () => 'host',
    id: () => hostId,
    status: (host) => statusOf(call, host),
    cluster: () => 'Default',
    'clusters.name': () => 'Default',
    datacenter: () => 'Default',
  }),
  actions: {
    deactivate: (call, _host, body) => changeMaintenance(call, body, true),
    activate: (call, _host, body) => changeMaintenance(call, body, false),
  },
  children: [
    statistics<HostFeatures>('host', async (_call, { processors, load, memory }) => [
      { name: 'memory.total', unit: 'bytes', value: memory.totalBytes },
      { name: 'memory.free', unit: 'bytes', value: memory.freeBytes },
      { name: 'memory.used', unit: 'bytes', value: memory.totalBytes - memory.freeBytes },
      { name: 'cpu.load.avg.5m', unit: 'none', value: load },
      { name: 'cpu.current.user', unit: 'percent', value: Math.min(100, Math.round((load / processors) * 100)) },
    ]),
    empty('nics', 'host_nic', 'host_nics'),
    empty('networkattachments', 'network_attachment', 'network_attachments'),
    empty('storage', 'host_storage', 'host_storages'),
    empty('devices', 'host_device', 'host_devices'),
    empty('hooks', 'hook', 'hooks'),
    empty('tags', 'tag', 'tags'),
    empty('permissions', 'permission', 'permissions'),
    empty('affinitylabels', 'affinity_label', 'affinity_labels'),
  ],
};

function statusOf(call: Call, { maintenance }: HostFeatures): string {
  return call.parts.work.statusOf(hostId) ?? (maintenance ? 'maintenance' : 'up');
}

/** The engine decides whether its clients can do this; if not, its reason is the fault. */
async function changeMaintenance(call: Call, body: Body, isOn: boolean): Promise<undefined> {
  accept('action', body, { fields: {}, readOnly });
  const task = {
    ...call.by,
    description: isOn ? 'Moving the host to maintenance' : 'Activating the host',
    done: isOn ? 'The host was moved to maintenance' : 'The host was activated',
    code: isOn ? 517 : 16,
    ...(isOn && { busy: { id: hostId, status: 'preparing_for_maintenance' as const } }),
  };
  await call.parts.work.start(task, async () => {
    await call.engine.changeMaintenance(isOn);
  });
  return undefined;
}
