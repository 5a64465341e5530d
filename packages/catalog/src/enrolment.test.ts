import { expect, test } from 'vitest';
import { parseCloudConfig } from '../../engine/src/machines/cloud-config.ts';
import { compileCatalog } from './compile.ts';
import { type Enrolment, enrolmentConfig } from './enrolment.ts';
import { contentOf, existing, manager, nodeInput, resourceOf } from './testing.ts';

const token = 'dG9rZW4tb2Ytb25lLXVzZS1vbmx5LTAx';

function config(enrolment: Partial<Enrolment> = {}) {
  return enrolmentConfig({ node: 'demo-main-1', token, manager, resolver: '10.255.0.10', ...enrolment });
}

function fileOf({ write_files: files }: ReturnType<typeof config>, path: string) {
  return files.find((file) => file.path === path);
}

test('machines accept the cloud-init configuration without losing any part', () => {
  for (const resolver of ['10.255.0.10', undefined]) {
    const given = config({ resolver });
    // JSON is YAML.
    const parsed = parseCloudConfig(`#cloud-config\n${JSON.stringify(given)}\n`);
    expect(parsed).toEqual({
      hostname: 'demo-main-1',
      ssh_authorized_keys: [],
      users: [],
      write_files: given.write_files.map((file) => ({ ...file, owner: 'root:root' })),
    });
  }
});

test('the hostname is the first label of a long node name', () => {
  const given = config({ node: 'n1.rack1.mycompany.local' });
  expect(given.hostname).toBe('n1');
  expect(fileOf(given, '/etc/puppet/puppet.conf')?.content).toMatch(/^certname = n1\.rack1\.mycompany\.local$/m);
});

test('the token is in one file, which only root can read', () => {
  const given = config();
  const holders = given.write_files.filter((file) => JSON.stringify(file).includes(token));
  expect(holders).toEqual([
    {
      path: '/etc/puppet/csr_attributes.yaml',
      content: `custom_attributes:\n  1.2.840.113549.1.9.7: ${token}\n`,
      permissions: '0600',
    },
  ]);
  expect(JSON.stringify({ ...given, write_files: [] })).not.toContain(token);
});

test('the hosts file has the address of the manager, and the machine uses the platform’s resolver if there is one', () => {
  const asked = config({ resolver: '10.255.0.10' });
  expect(fileOf(asked, '/etc/resolv.conf')).toMatchObject({
    content: expect.stringMatching(/^nameserver 10\.255\.0\.10$/m),
    permissions: '0644',
  });
  expect(fileOf(asked, '/etc/hosts')?.content).toContain(`${manager.address} ${manager.name}`);

  const told = config({ resolver: undefined, manager: { ...manager, name: 'cm.local', address: '192.0.2.7' } });
  expect(fileOf(told, '/etc/hosts')?.content.split('\n')).toEqual(['127.0.0.1 localhost', '192.0.2.7 cm.local', '']);
  expect(fileOf(told, '/etc/resolv.conf')).toBeUndefined();
});

test('no file is written twice', () => {
  const paths = config().write_files.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
});

test('the first agent run changes no file from cloud-init', () => {
  const catalog = compileCatalog(nodeInput());
  // The token is used only once, and the hosts file gets more names.
  const once = ['/etc/puppet/csr_attributes.yaml', '/etc/hosts'];
  const kept = config().write_files.filter(({ path }) => !once.includes(path));
  expect(kept.length).toBeGreaterThan(7);
  for (const { path, content, permissions } of kept) {
    expect(contentOf(catalog, path)).toBe(content);
    expect(resourceOf(catalog, `File[${path}]`).parameters.mode).toBe(permissions);
  }
});

test('the address of the manager survives the first agent run', () => {
  // Differs from the plan.
  const elsewhere = { ...manager, address: '192.0.2.7' };
  const line = `192.0.2.7 ${manager.name}`;
  const told = config({ resolver: undefined, manager: elsewhere });
  expect(fileOf(told, '/etc/hosts')?.content.split('\n')).toContain(line);
  const kept = compileCatalog({ ...nodeInput(existing), manager: elsewhere });
  expect(contentOf(kept, '/etc/hosts').split('\n')).toContain(line);
});

test('scripts are executable, and the unit starts the agent', () => {
  const given = config();
  const unit = fileOf(given, '/etc/systemd/system/nova-agent.service')?.content ?? '';
  const program = /^ExecStart=(\S+)$/m.exec(unit)?.[1] ?? '';
  expect(fileOf(given, program)?.permissions).toBe('0755');
  expect(fileOf(given, '/etc/systemd/system/multi-user.target.d/nova-agent.conf')?.content).toMatch(
    /^\[Unit\]\nWants=nova-agent\.service$/m,
  );
});
