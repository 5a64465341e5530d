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

/** What QEMU does not need either: namespaces, mounts, other processes and io_uring, without which it works. */
const deniedInHypervisor = [
  'unshare',
  'setns',
  'mount',
  'umount',
  'umount2',
  'pivot_root',
  'chroot',
  'open_tree',
  'move_mount',
  'fsopen',
  'fsconfig',
  'fsmount',
  'fspick',
  'mount_setattr',
  'name_to_handle_at',
  'ptrace',
  'process_vm_readv',
  'process_vm_writev',
  'kcmp',
  'pidfd_getfd',
  'bpf',
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
  'fanotify_init',
  'quotactl',
  'quotactl_fd',
  'mknod',
  'mknodat',
];

/** Flags of clone(2) that create namespaces, user namespaces included. */
const namespaceFlags = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];

/** The system calls that a machine is denied, even if its capabilities would allow them. */
export function seccompProfile(architecture: NodeJS.Architecture = process.arch): object {
  return profileOf(architecture, denied, absent);
}

/** The profile of QEMU and its tools. QEMU itself adds a stricter one. */
export function hypervisorSeccompProfile(architecture: NodeJS.Architecture = process.arch): object {
  // The flags of clone3 are in memory, which a filter cannot read; without it, programs use clone.
  return profileOf(architecture, [...denied, ...deniedInHypervisor], [...absent, 'clone3'], namespaceFlags);
}

function profileOf(
  architecture: NodeJS.Architecture,
  refused: readonly string[],
  missing: readonly string[],
  cloneFlags: readonly number[] = [],
): object {
  return {
    defaultAction: 'SCMP_ACT_ALLOW',
    architectures: architectures[architecture] ?? [],
    syscalls: [
      { names: refused, action: 'SCMP_ACT_ERRNO', errnoRet: notPermitted },
      { names: missing, action: 'SCMP_ACT_ERRNO', errnoRet: notImplemented },
      ...cloneFlags.map((flag) => ({
        names: ['clone'],
        action: 'SCMP_ACT_ERRNO',
        errnoRet: notPermitted,
        args: [{ index: 0, value: flag, valueTwo: flag, op: 'SCMP_CMP_MASKED_EQ' }],
      })),
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
