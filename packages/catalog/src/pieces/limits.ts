import { file, piece, type Resource } from '../resource.ts';
import { lines } from './text.ts';
import { unitsRead } from './unit.ts';

/** Enough open files and tasks for Kubernetes. */
export function limits(): Resource[] {
  const folder = file('/etc/systemd/system.conf.d', { ensure: 'directory', mode: '0755' });
  const defaults = file(
    '/etc/systemd/system.conf.d/nova-limits.conf',
    { content: lines('[Manager]', 'DefaultLimitNOFILE=65536:524288', 'DefaultTasksMax=infinity'), mode: '0644' },
    { require: [folder], notify: [unitsRead] },
  );
  return piece('limits', folder, defaults);
}
