import { expect, test } from 'vitest';
import { hypervisorSeccompProfile, seccompProfile } from './seccomp.ts';

interface Profile {
  defaultAction: string;
  architectures: string[];
  syscalls: { names: string[]; errnoRet: number; args?: { index: number; value: number; valueTwo: number }[] }[];
}

const profile = seccompProfile('x64') as Profile;

test('system calls of older ABIs are filtered too', () => {
  expect(profile.architectures).toEqual(['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', 'SCMP_ARCH_X32']);
  expect((seccompProfile('arm64') as Profile).architectures).toEqual(['SCMP_ARCH_AARCH64', 'SCMP_ARCH_ARM']);
});

test('system calls of systemd and containers in a machine are allowed', () => {
  expect(profile.defaultAction).toBe('SCMP_ACT_ALLOW');
  const refused = profile.syscalls.flatMap(({ names, args }) => (args ? [] : names));
  for (const needed of ['mount', 'umount2', 'unshare', 'setns', 'pivot_root', 'bpf', 'ptrace', 'clone', 'ioctl'])
    expect(refused).not.toContain(needed);
});

test('keyrings appear unsupported, so runc in a machine works without them', () => {
  const { errnoRet } = profile.syscalls.find(({ names }) => names.includes('keyctl')) ?? {};
  expect(errnoRet).toBe(38);
});

test('QEMU can create neither namespaces nor mounts, and can start threads', () => {
  const { syscalls } = hypervisorSeccompProfile('x64') as Profile;
  const refused = syscalls.flatMap(({ names, args }) => (args ? [] : names));
  for (const name of ['unshare', 'setns', 'mount', 'ptrace', 'bpf', 'io_uring_setup', 'open_by_handle_at', 'keyctl'])
    expect(refused).toContain(name);
  // Without clone3, threads and namespaces are created by clone, whose flags a filter can read.
  expect(syscalls.find(({ names }) => names.includes('clone3'))?.errnoRet).toBe(38);
  const flags = syscalls.flatMap(({ names, args = [] }) => (names.includes('clone') ? args : []));
  const [user, thread] = [0x10000000, 0x10000];
  expect(flags.map(({ value }) => value)).toContain(user);
  for (const { value, valueTwo } of flags) {
    expect(valueTwo).toBe(value);
    expect(value & thread).toBe(0);
  }
});
