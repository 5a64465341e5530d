import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { cloudConfigOf } from './cloud-config.ts';

const key = 'ssh-ed25519 AAAAC3 ann@desk';

test('a machine without keys and configuration has no cloud-config', () => {
  expect(cloudConfigOf(' \n', '\n')).toBeUndefined();
});

test('keys alone become a cloud-config', () => {
  expect(cloudConfigOf(`${key}\n\n  ssh-rsa AAAAB3 ben\n`, '')).toBe(
    `#cloud-config\nssh_authorized_keys:\n  - ${key}\n  - ssh-rsa AAAAB3 ben\n`,
  );
});

test('keys join the given configuration, whose first line stays', () => {
  const given = '#cloud-config\nhostname: web\nssh_authorized_keys: [ssh-rsa AAAAB3 ben]\n';
  const merged = cloudConfigOf(key, given) ?? '';
  expect(merged.startsWith('#cloud-config\n')).toBe(true);
  expect(parse(merged)).toEqual({ hostname: 'web', ssh_authorized_keys: ['ssh-rsa AAAAB3 ben', key] });
});

test('a configuration that cannot be read is sent as it is, so that the server explains it', () => {
  for (const given of ['#cloud-config\nusers: [', '#cloud-config\nssh_authorized_keys: none\n'])
    expect(cloudConfigOf(key, given)).toBe(given);
});
