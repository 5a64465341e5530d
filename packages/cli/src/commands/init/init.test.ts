import { expect, test } from 'vitest';
import { novaCtl } from '../../testing/terminal.ts';

test('init writes a manifest for this host by default', async () => {
  const { exitCode, stdout } = await novaCtl(['init', '--yes', '--file', '-']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('type: local');
});

test.each(['single', 'ha'])('init writes a manifest %s of existing hosts', async (template) => {
  const { exitCode, stdout } = await novaCtl([
    'init',
    '--provider',
    'existing',
    '--template',
    template,
    '--yes',
    '--file',
    '-',
  ]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('type: existing');
  expect(stdout).toContain('hosts:');
});

test.each(['zvirt', 'ovirt', 'vsphere'])('init does not offer the provider %s', async (provider) => {
  const { exitCode, stdout, stderr } = await novaCtl(['init', '--provider', provider, '--yes', '--file', '-']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('local');
  expect((await novaCtl(['init', '--help'])).stdout).not.toContain(provider);
});

test.each(['container', 'vm'])('init writes a manifest whose machines have the kind %s', async (kind) => {
  const { exitCode, stdout } = await novaCtl(['init', '--machine-kind', kind, '--yes', '--file', '-']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(new RegExp(`type: local\n( +#.*\n)+ +machineKind: ${kind}\n`));
  expect((await novaCtl(['init', '--yes', '--file', '-'])).stdout).not.toContain('machineKind');
});
