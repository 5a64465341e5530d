/** Settings of every service: read-only system, no devices, no namespaces, only system calls of ordinary programs. */
export const sandbox = `Environment=MALLOC_ARENA_MAX=2
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProcSubset=pid
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateDevices=yes
PrivateTmp=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM
Restart=always
RestartSec=1s
`;

/** A Node server lists the host's addresses when it starts to listen. */
export const nodeNetwork = 'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK\n';

/** A private user namespace; a service in one cannot listen on ports below 1024. */
export const noCapabilities = 'CapabilityBoundingSet=\nPrivateUsers=yes\n';
