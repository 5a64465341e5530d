import { universeSiteFile } from '@nova-platform/plan/site-file';
import { noCapabilities, nodeNetwork, sandbox } from '../unit-sandbox.ts';
import type { Recipe } from './recipes.ts';
import { volumeScript } from './universe-volume.ts';

const state = '/var/lib/nova';
const node = '/opt/nova/node/bin/node';
// Limits the memory of servers, which run for a long time beside others.
const server = `${node} --optimize-for-size --max-semi-space-size=4`;
// A preview of a large cluster creates much garbage: with a small young generation most of its time is collection.
const universe = `${node} --max-semi-space-size=4 --heap-growing-percent=100`;
const platform = '/opt/nova/platform';
const prepareVolume = '/usr/local/libexec/nova-volume';

const network = 'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6\n';
const lowPorts = 'AmbientCapabilities=CAP_NET_BIND_SERVICE\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE\n';
/** File permissions have the same effect; this is a second barrier. */
const withoutUniverse = `InaccessiblePaths=${state}/universe /run/nova\n`;

/** setpriv ends child programs together with their service. It calls capset even if it sets no capability. */
const setpriv = 'SystemCallFilter=capset\n';

const units = {
  // It depends only on the system users, so it runs in parallel with the rest of the boot.
  'nova-volume.service': `[Unit]
Description=Nova: folders of the services
DefaultDependencies=no
After=local-fs.target systemd-sysusers.service
Conflicts=shutdown.target
Before=shutdown.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${prepareVolume} ${state}
`,

  // The groups of other services read files that it writes to their folders, hence the umask.
  'nova-universe.service': `[Unit]
Description=Nova: Universe
StartLimitIntervalSec=0
Requires=nova-volume.service
After=nova-volume.service

[Service]
Type=notify
NotifyAccess=all
ExecStart=${universe} ${platform}/nova-universe.js
User=nova
SupplementaryGroups=nova-registry nova-git
UMask=0027
StateDirectory=nova/universe
StateDirectoryMode=0700
RuntimeDirectory=nova
RuntimeDirectoryMode=0700
RuntimeDirectoryPreserve=yes
ReadWritePaths=${state}/git ${state}/resolver /run/nova-config
Environment=NOVA_TOFU=/opt/nova/opentofu/{opentofu}/bin/tofu
${lowPorts}${nodeNetwork}${sandbox}${setpriv}`,

  'nova-registry.service': `[Unit]
Description=Nova: registry
StartLimitIntervalSec=0
Requires=nova-volume.service
Wants=nova-universe.service
After=nova-volume.service nova-universe.service

[Service]
ExecStart=${server} ${platform}/nova-ctl.js registry serve --data ${state}/registry --listen 0.0.0.0:5000 \\
  --site ${universeSiteFile} --program /opt/nova/distribution/{distribution}/bin/registry --group-socket
Environment=NOVA_CONFIG_SOCKET=/run/nova-config/registry.sock NOVA_REGISTRY_SOCKET=/run/nova-registry/registry.sock
User=nova-registry
UMask=0077
StateDirectory=nova/registry
StateDirectoryMode=0700
RuntimeDirectory=nova-registry
RuntimeDirectoryMode=0750
RuntimeDirectoryPreserve=yes
${withoutUniverse}${noCapabilities}${nodeNetwork}${sandbox}${setpriv}`,

  'nova-git.service': `[Unit]
Description=Nova: git
StartLimitIntervalSec=0
Requires=nova-volume.service
After=nova-volume.service

[Service]
ExecStart=${server} ${platform}/nova-git.js
User=nova-git
UMask=0007
RuntimeDirectory=nova-git
RuntimeDirectoryMode=0750
RuntimeDirectoryPreserve=yes
PrivateNetwork=yes
IPAddressDeny=any
RestrictAddressFamilies=AF_UNIX
${withoutUniverse}${noCapabilities}${sandbox}`,

  // Starts the resolver once Universe has written its configuration.
  'nova-resolver.path': `[Unit]
Description=Nova: configuration of the resolver

[Path]
PathExists=${state}/resolver/Corefile
`,

  'nova-resolver.service': `[Unit]
Description=Nova: resolver
StartLimitIntervalSec=0
Requires=nova-volume.service
After=nova-volume.service

[Service]
ExecStart=/opt/nova/coredns/{coredns}/bin/coredns -conf ${state}/resolver/Corefile
User=nova-resolver
UMask=0077
MemoryDenyWriteExecute=yes
${withoutUniverse}${lowPorts}${network}${sandbox}`,
};

/** Files of Universe's own machine: services and their users. */
export const universeFiles: Recipe['files'] = [
  ...Object.entries(units).map(([name, content]) => ({ path: `/etc/systemd/system/${name}`, mode: 0o644, content })),
  {
    path: '/etc/systemd/system/multi-user.target.d/nova.conf',
    mode: 0o644,
    content: '[Unit]\nWants=nova-universe.service nova-registry.service nova-git.service nova-resolver.path\n',
  },
  {
    // The IDs are fixed, so that the files on a volume have the same owners in the next machine.
    path: '/etc/sysusers.d/nova.conf',
    mode: 0o644,
    content: Object.entries({ nova: 900, 'nova-registry': 901, 'nova-resolver': 902, 'nova-git': 903 })
      .map(([name, id]) => `u ${name} ${id} "Nova" - /usr/sbin/nologin\n`)
      .join(''),
  },
  { path: prepareVolume, mode: 0o755, content: volumeScript },
  // Without it Node would have to detect the module type of every file.
  { path: `${platform}/package.json`, mode: 0o644, content: '{ "type": "module" }\n' },
  {
    path: '/usr/local/bin/nova-ctl',
    mode: 0o755,
    content: `#!/bin/sh\nexec ${node} ${platform}/nova-ctl.js "$@"\n`,
  },
];
