import { type NodeInput, sharesKernel } from '../node.ts';
import { exec, file, piece, type Resource } from '../resource.ts';
import { lines } from './text.ts';

/** Settings of the node's own network namespace, even if it shares a kernel. */
const networkSettings = {
  'net.ipv4.ip_forward': 1,
  'net.ipv4.conf.all.rp_filter': 0,
  'net.ipv4.conf.default.rp_filter': 0,
};

const kernelSettings = {
  'net.bridge.bridge-nf-call-iptables': 1,
  'vm.overcommit_memory': 1,
  'vm.max_map_count': 262144,
  'kernel.panic': 10,
  'kernel.panic_on_oops': 1,
  'fs.inotify.max_user_instances': 8192,
  'fs.inotify.max_user_watches': 524288,
};

export function sysctls({ facts }: NodeInput): Resource[] {
  const settings = { ...networkSettings, ...(!sharesKernel(facts) && kernelSettings) };
  // Sorted last, so that no file of the distribution overrides it.
  const path = '/etc/sysctl.d/99-nova.conf';
  const content = lines(...Object.entries(settings).map(([name, value]) => `${name} = ${value}`));
  const settingsFile = file(path, { content, mode: '0644' });
  const quoted = Object.entries(settings).map(
    ([name, value]) => `test "$(sysctl -n ${name} 2>/dev/null || echo ${value})" = ${value}`,
  );
  return piece(
    'sysctls',
    settingsFile,
    exec(
      'apply sysctls',
      {
        // `--ignore` skips settings that this kernel does not have.
        command: `sysctl --quiet --ignore --load ${path}`,
        path: ['/usr/sbin', '/usr/bin', '/sbin', '/bin'],
        unless: `sh -c '${quoted.join(' && ')}'`,
      },
      { require: [settingsFile] },
    ),
  );
}
