import { type NodeInput, sharesKernel } from '../node.ts';
import { exec, file, piece, type Resource } from '../resource.ts';
import { lines } from './text.ts';

const modules = ['overlay', 'br_netfilter', 'nf_conntrack'];

/** Loads the modules that containers need, if the kernel has them. A built-in module needs no loading. */
export function kernelModules({ facts }: NodeInput): Resource[] {
  if (sharesKernel(facts)) return [];
  const list = file('/etc/modules-load.d/nova.conf', { content: lines(...modules), mode: '0644' });
  return piece(
    'kernel-modules',
    list,
    ...modules.map((module) =>
      exec(
        `load ${module}`,
        {
          command: `modprobe ${module}`,
          path: ['/usr/sbin', '/usr/bin', '/sbin', '/bin'],
          onlyif: `modprobe --dry-run --quiet ${module}`,
          unless: `test -d /sys/module/${module}`,
        },
        { require: [list] },
      ),
    ),
  );
}
