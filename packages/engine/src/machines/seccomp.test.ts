import { expect, test } from 'vitest';
import { seccompProfile } from './seccomp.ts';

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
