const notPermitted = 1;
const notImplemented = 38;

/** The architectures of this host's CPUs, with the older ABIs that the kernel also supports. */
const architectures: Partial<Record<NodeJS.Architecture, string[]>> = {
  x64: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', 'SCMP_ARCH_X32'],
  arm64: ['SCMP_ARCH_AARCH64', 'SCMP_ARCH_ARM'],
};

/** System calls that neither systemd nor Kubernetes needs and that affect the host itself. */
const denied = [
  // It can open any file of a file system of which the machine has one folder.
  'open_by_handle_at',
  // The kernel and its modules.
  'init_module',
  'finit_module',
  'delete_module',
  'kexec_load',
  'kexec_file_load',
  'reboot',
  // The host's clock, swap, accounting and kernel log.
  'settimeofday',
  'clock_settime',
  'stime',
  'swapon',
  'swapoff',
  'acct',
  'syslog',
  // Hardware access, and calls for debugging the whole host.
  'iopl',
  'ioperm',
  'perf_event_open',
  'userfaultfd',
  'lookup_dcookie',
  'nfsservctl',
  'vm86',
  'vm86old',
];

/** Keys belong to users, not to namespaces: root in a machine is the host's root. runc works without them. */
const absent = ['keyctl', 'add_key', 'request_key'];

/** They insert input into a terminal: the host's console is a device of the machine. */
const typingRequests = [0x5412, 0x541c]; // TIOCSTI, TIOCLINUX

/** The system calls that a machine is denied, even if its capabilities would allow them. */
export function seccompProfile(architecture: NodeJS.Architecture = process.arch): object {
  return {
    defaultAction: 'SCMP_ACT_ALLOW',
    architectures: architectures[architecture] ?? [],
    syscalls: [
      { names: denied, action: 'SCMP_ACT_ERRNO', errnoRet: notPermitted },
      { names: absent, action: 'SCMP_ACT_ERRNO', errnoRet: notImplemented },
      ...typingRequests.map((value) => ({
        names: ['ioctl'],
        action: 'SCMP_ACT_ERRNO',
        errnoRet: notPermitted,
        // The kernel evaluates only the lower 32 bits.
        args: [{ index: 1, value: 0xffffffff, valueTwo: value, op: 'SCMP_CMP_MASKED_EQ' }],
      })),
    ],
  };
}
