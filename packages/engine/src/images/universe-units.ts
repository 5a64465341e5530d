import { defaultSite } from '@nova-platform/plan';
import type { Recipe } from './recipes.ts';

const state = '/var/lib/nova';
const node = '/opt/nova/node/bin/node';
// Servers run for long, beside others: they are told to be modest with memory.
const server = `${node} --optimize-for-size --max-semi-space-size=4`;
const platform = '/opt/nova/platform';

/** None of them is root; each may write to what is theirs together, and listen on the ports below 1024. */
const sandbox = `User=nova
StateDirectory=nova
StateDirectoryMode=0700
RuntimeDirectory=nova
RuntimeDirectoryMode=0700
RuntimeDirectoryPreserve=yes
Environment=MALLOC_ARENA_MAX=2
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
Restart=always
RestartSec=1s
`;

const units = {
  'nova-universe.service': `[Unit]
Description=Nova: Universe
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=all
ExecStart=${server} ${platform}/nova-universe.js
${sandbox}`,

  'nova-registry.service': `[Unit]
Description=Nova: registry
StartLimitIntervalSec=0
Wants=nova-universe.service
After=nova-universe.service

[Service]
ExecStart=${server} ${platform}/nova-ctl.js registry serve --data ${state}/registry --listen 0.0.0.0:5000 \\
  --address ${defaultSite.universe.address} --program /opt/nova/distribution/{distribution}/bin/registry
Environment=NOVA_CONFIG_SOCKET=/run/nova/config.sock NOVA_REGISTRY_SOCKET=/run/nova/registry.sock
${sandbox}`,

  // It runs once Universe has written what it should answer.
  'nova-resolver.path': `[Unit]
Description=Nova: configuration of the resolver

[Path]
PathExists=${state}/resolver/Corefile
`,

  'nova-resolver.service': `[Unit]
Description=Nova: resolver
StartLimitIntervalSec=0

[Service]
ExecStart=/opt/nova/coredns/{coredns}/bin/coredns -conf ${state}/resolver/Corefile
${sandbox}`,
};

/** Universe's own machine: who runs what in it. */
export const universeFiles: Recipe['files'] = [
  ...Object.entries(units).map(([name, content]) => ({ path: `/etc/systemd/system/${name}`, mode: 0o644, content })),
  {
    path: '/etc/systemd/system/multi-user.target.d/nova.conf',
    mode: 0o644,
    content: '[Unit]\nWants=nova-universe.service nova-registry.service nova-resolver.path\n',
  },
  {
    // The number is fixed: the files on a volume have the same owner in the next machine.
    path: '/etc/sysusers.d/nova.conf',
    mode: 0o644,
    content: `u nova 900 "Nova" ${state} /usr/sbin/nologin\n`,
  },
  // As in the checkout, or Node would have to find out for every file.
  { path: `${platform}/package.json`, mode: 0o644, content: '{ "type": "module" }\n' },
  {
    path: '/usr/local/bin/nova-ctl',
    mode: 0o755,
    content: `#!/bin/sh\nexec ${node} ${platform}/nova-ctl.js "$@"\n`,
  },
];
