import type { Vm } from '../call.ts';
import { type AnyResource, empty } from '../resource.ts';
import { permissions } from './access.ts';
import { diskAttachments } from './disk-attachments.ts';
import { nics, reportedDevices } from './nics.ts';
import { snapshots } from './snapshots.ts';
import { statistics } from './statistics.ts';
import { vmTags } from './tags.ts';

const mebibyte = 1024 ** 2;

export const vmChildren: readonly AnyResource[] = [
  diskAttachments,
  nics,
  snapshots,
  vmTags,
  reportedDevices,
  permissions,
  statistics<Vm>('vm', async (call, { machine }) => {
    if (!machine) return [];
    const { memory, disk } = await call.engine.machineUsage(machine.name);
    return [
      { name: 'memory.installed', unit: 'bytes', value: machine.memoryMebibytes * mebibyte },
      { name: 'memory.used', unit: 'bytes', value: memory },
      { name: 'disk.used', unit: 'bytes', value: disk },
    ];
  }),
  empty('affinitylabels', 'affinity_label', 'affinity_labels'),
  empty('applications', 'application', 'applications'),
  empty('cdroms', 'cdrom', 'cdroms'),
  empty('graphicsconsoles', 'graphics_console', 'graphics_consoles'),
  empty('hostdevices', 'host_device', 'host_devices'),
  empty('numanodes', 'vm_numa_node', 'vm_numa_nodes'),
  empty('sessions', 'session', 'sessions'),
  empty('watchdogs', 'watchdog', 'watchdogs'),
];
