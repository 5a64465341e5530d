const notPermitted = 1;
const notImplemented = 38;

/** Of this host's processors, with the older ABIs that its kernel also offers. */
const architectures: Partial<Record<NodeJS.Architecture, string[]>> = {
  x64: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', 'SCMP_ARCH_X32'],
  arm64: ['SCMP_ARCH_AARCH64', 'SCMP_ARCH_ARM'],
};

/** Calls that neither systemd nor Kubernetes needs and that reach the host itself. */
const denied = [
  // Opens any file of a file system of which the machine has one folder.
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
  // Hardware, and what only debuggers of the whole host use.
  'iopl',
  'ioperm',
  'perf_event_open',
  'userfaultfd',
  'lookup_dcookie',
  'nfsservctl',
  'vm86',
  'vm86old',
];

/** Keys belong to a user, not to a namespace: the host's root is the machine's. runc goes on without them. */
const absent = ['keyctl', 'add_key', 'request_key'];

/** Put characters into a terminal as if they had been typed: the host's console is a device of the machine. */
const typingRequests = [0x5412, 0x541c]; // TIOCSTI, TIOCLINUX

/** What of the kernel a machine does not get, though its capabilities would allow some of it. */
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
        // The kernel looks at the lower half only.
        args: [{ index: 1, value: 0xffffffff, valueTwo: value, op: 'SCMP_CMP_MASKED_EQ' }],
      })),
    ],
  };
}
