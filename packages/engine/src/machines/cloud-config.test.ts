import { ProblemError } from '@nova-platform/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCloudConfig, renderCloudConfig } from './cloud-config.ts';

function refusedFields(text: string): unknown[] {
  try {
    parseCloudConfig(text);
    return [];
  } catch (error) {
    if (error instanceof ProblemError)
      return error.problems.map(({ code, params }) => `${code} ${JSON.stringify(params.field)}`);
    throw error;
  }
}

test('supported fields are parsed with defaults', () => {
  const text = `#cloud-config
hostname: n1
ssh_authorized_keys: [ssh-ed25519 AAAA me]
users:
  - name: nova
    sudo: ALL=(ALL) NOPASSWD:ALL
write_files:
  - path: /etc/puppet/puppet.conf
    content: |
      [main]
`;
  expect(parseCloudConfig(text)).toEqual({
    hostname: 'n1',
    ssh_authorized_keys: ['ssh-ed25519 AAAA me'],
    users: [{ name: 'nova', ssh_authorized_keys: [], sudo: 'ALL=(ALL) NOPASSWD:ALL', shell: '/bin/bash' }],
    write_files: [{ path: '/etc/puppet/puppet.conf', content: '[main]\n', permissions: '0644', owner: 'root:root' }],
  });
});

test.for([
  ['runcmd', '#cloud-config\nruncmd: [reboot]\n', 'runcmd'],
  ['a field of a user', '#cloud-config\nusers: [{name: a, passwd: x}]\n', 'users.0.passwd'],
  ['a path with ".."', '#cloud-config\nwrite_files: [{path: /etc/../../x}]\n', 'write_files.0.path'],
  ['a relative path', '#cloud-config\nwrite_files: [{path: x}]\n', 'write_files.0.path'],
  ['a user name that looks like an option', '#cloud-config\nusers: [{name: "-o"}]\n', 'users.0.name'],
  ['a sudo rule with two lines', '#cloud-config\nusers: [{name: a, sudo: "x\\ny"}]\n', 'users.0.sudo'],
  ['a missing header', 'hostname: n1\n', '#cloud-config'],
  ['broken YAML', '#cloud-config\nusers: [\n', 'YAML'],
])('%s is rejected with the name of the field', ([, text, field]) => {
  expect(refusedFields(text ?? '')).toEqual([`NOVA7012 ${JSON.stringify(field)}`]);
});

test('a rendered configuration is parsed to the same value', () => {
  const content = fc.string({ unit: 'grapheme', maxLength: 200 });
  fc.assert(
    fc.property(content, (text) => {
      const config = parseCloudConfig(`#cloud-config\nwrite_files: [{path: /a, content: ${JSON.stringify(text)}}]\n`);
      expect(parseCloudConfig(renderCloudConfig(config))).toEqual(config);
    }),
  );
});
