import { exec, file, piece, type Resource } from '../resource.ts';
import { lines } from './text.ts';

/** Enough open files and tasks for what Kubernetes starts. */
export function limits(): Resource[] {
  const folder = file('/etc/systemd/system.conf.d', { ensure: 'directory', mode: '0755' });
  const defaults = file(
    '/etc/systemd/system.conf.d/nova-limits.conf',
    { content: lines('[Manager]', 'DefaultLimitNOFILE=65536:524288', 'DefaultTasksMax=infinity'), mode: '0644' },
    { require: [folder] },
  );
  return piece(
    'limits',
    folder,
    defaults,
    exec(
      'reload systemd limits',
      { command: '/usr/bin/systemctl daemon-reexec', refreshonly: true },
      { subscribe: [defaults] },
    ),
  );
}
