import { expect, test } from 'vitest';
import { novaCtl } from '../../testing/terminal.ts';

test('a manifest for the provider that works is written without a question about it', async () => {
  const { exitCode, stdout } = await novaCtl(['init', '--yes', '--file', '-']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('type: local');
});

test.each(['existing', 'zvirt', 'ovirt', 'vsphere'])('the provider %s is not offered', async (provider) => {
  const { exitCode, stdout, stderr } = await novaCtl(['init', '--provider', provider, '--yes', '--file', '-']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('local');
  expect((await novaCtl(['init', '--help'])).stdout).not.toContain(provider);
});
