import { readdirSync, readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { password, startTestServer, type TestServer } from '../packages/ovirt/src/testing/server.ts';
import { type FaultyProxy, startFaultyProxy } from './ovirt/faulty.ts';
import { builtTofu, createMirror, createWorkspace, type Workspace } from './ovirt/tofu.ts';

const tofu = await builtTofu();
const gibibyte = 1024 ** 3;

describe('OpenTofu with our provider', () => {
  let server: TestServer;
  let mirror: string;
  let ids: { cluster: string; profile: string; domain: string };
  let workspace: Workspace;

  beforeAll(async () => {
    mirror = await createMirror();
    server = await startTestServer();
    server.engine.addNetwork('lab', '10.30.0.0/24');
    const { access_token: token } = await server.login('admin@internal');
    const list = async (path: string) => {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
      return JSON.parse((await server.ask('GET', `/ovirt-engine/api/${path}`, { headers })).body);
    };
    ids = {
      cluster: (await list('clusters')).cluster[0].id,
      profile: (await list('vnicprofiles')).vnic_profile[0].id,
      domain: (await list('storagedomains')).storage_domain[0].id,
    };
  });

  afterAll(async () => {
    await server.close();
    await rm(mirror, { recursive: true });
  });

  beforeEach(async () => {
    workspace = await createWorkspace(tofu, mirror);
    return async () => {
      server.engine.machines.clear();
      server.engine.disks.clear();
      await workspace.remove();
    };
  });

  const settings = (secret = password, url = `${server.url}/ovirt-engine/api`) => `
    terraform {
      required_providers {
        ovirt = { source = "nova-platform.io/nova/ovirt" }
      }
    }
    provider "ovirt" {
      url           = "${url}"
      username      = "admin@internal"
      password      = "${secret}"
      tls_ca_bundle = ${JSON.stringify(server.authority)}
    }
  `;

  const script = '#cloud-config\nwrite_files:\n  - path: /etc/motd\n    content: "<a> & \\"b\\" ]]> Ω"\n';

  const machine = ({
    name = 'web1',
    memory = 1,
    cores = 2,
    comment = 'a <web> & server',
    hostname = 'web1',
    size = 1,
  } = {}) => `
    ${settings()}
    data "ovirt_templates" "node" {
      name          = "node"
      fail_on_empty = true
    }
    resource "ovirt_vm" "web" {
      name                         = "${name}"
      comment                      = "${comment}"
      cluster_id                   = "${ids.cluster}"
      template_id                  = tolist(data.ovirt_templates.node.templates)[0].id
      cpu_cores                    = ${cores}
      cpu_sockets                  = 1
      cpu_threads                  = 1
      memory                       = ${memory * gibibyte}
      initialization_hostname      = "${hostname}"
      initialization_custom_script = ${JSON.stringify(script)}
      initialization_nic {
        name = "eth0"
        ipv4 {
          address = "10.30.0.50"
          netmask = "255.255.255.0"
          gateway = "10.30.0.1"
        }
      }
    }
    resource "ovirt_nic" "web" {
      name            = "nic1"
      vm_id           = ovirt_vm.web.id
      vnic_profile_id = "${ids.profile}"
    }
    resource "ovirt_disk" "data" {
      alias             = "web-data"
      storage_domain_id = "${ids.domain}"
      format            = "cow"
      sparse            = true
      size              = ${size * gibibyte}
    }
    resource "ovirt_disk_attachments" "web" {
      vm_id = ovirt_vm.web.id
      attachment {
        disk_id        = ovirt_disk.data.id
        disk_interface = "virtio_scsi"
        bootable       = false
        active         = true
      }
    }
    resource "ovirt_tag" "web" {
      name = "nova-web"
    }
    resource "ovirt_vm_tag" "web" {
      tag_id = ovirt_tag.web.id
      vm_id  = ovirt_vm.web.id
    }
    resource "ovirt_affinity_group" "web" {
      name       = "web"
      cluster_id = "${ids.cluster}"
      vms_rule {
        affinity  = "negative"
        enforcing = false
      }
    }
    resource "ovirt_vm_affinity_group" "web" {
      cluster_id        = "${ids.cluster}"
      affinity_group_id = ovirt_affinity_group.web.id
      vm_id             = ovirt_vm.web.id
    }
    resource "ovirt_vm_start" "web" {
      vm_id         = ovirt_vm.web.id
      stop_behavior = "stop"
      depends_on    = [ovirt_nic.web, ovirt_disk_attachments.web]
    }
    data "ovirt_wait_for_ip" "web" {
      vm_id = ovirt_vm_start.web.vm_id
      depends_on = [ovirt_vm_start.web]
    }
    output "address" {
      value = tolist(tolist(data.ovirt_wait_for_ip.web.interfaces)[0].ipv4_addresses)[0]
    }
  `;

  const apply = (...more: string[]) => workspace.done('apply', '-auto-approve', '-no-color', ...more);
  const planCode = async () => {
    const { code, output } = await workspace.run(['plan', '-detailed-exitcode', '-no-color']);
    if (code === 1) throw new Error(output);
    return { code, output };
  };

  test('a machine is created, changed, replaced and destroyed, and each plan after an apply is empty', {
    timeout: 600_000,
  }, async () => {
    await workspace.write(machine());
    await workspace.done('init', '-no-color');
    expect(await apply()).toContain('address = "10.30.0.50"');
    expect(server.engine.machines.get('web1')).toMatchObject({
      state: 'running',
      cpu: 2,
      memoryMebibytes: 1024,
      address: '10.30.0.50',
    });
    expect(server.engine.disks.get('web-data')).toMatchObject({ machine: 'web1', sizeMebibytes: 1024 });
    expect(await planCode()).toMatchObject({ code: 0 });
    const { id } = (await workspace.state())['ovirt_vm.web'] ?? {};

    // In place.
    await workspace.write(machine({ memory: 2, cores: 3, comment: 'changed', size: 2 }));
    expect((await planCode()).output).toContain('0 to add, 2 to change, 0 to destroy');
    await apply();
    expect(server.engine.machines.get('web1')).toMatchObject({ cpu: 3, memoryMebibytes: 2048 });
    expect(server.engine.disks.get('web-data')).toMatchObject({ sizeMebibytes: 2048 });
    expect(await planCode()).toMatchObject({ code: 0 });
    expect((await workspace.state())['ovirt_vm.web']).toMatchObject({ id });

    // By a new one.
    await workspace.write(machine({ memory: 2, cores: 3, comment: 'changed', size: 2, hostname: 'other' }));
    expect((await planCode()).output).toMatch(/initialization_hostname.*forces replacement/);
    const disk = server.engine.disks.get('web-data')?.id;
    await apply();
    expect((await workspace.state())['ovirt_vm.web']?.id).not.toBe(id);
    expect(server.engine.disks.get('web-data')).toMatchObject({ id: disk, machine: 'web1' });
    expect(await planCode()).toMatchObject({ code: 0 });

    expect(await workspace.done('destroy', '-auto-approve', '-no-color')).toContain('Destroy complete');
    expect([...server.engine.machines.keys(), ...server.engine.disks.keys()]).toEqual([]);
  });

  test('the example of the documentation works', { timeout: 300_000 }, async () => {
    const page = await readFile(join(import.meta.dirname, '../docs/terraform.md'), 'utf8');
    const [, example = ''] = /^```hcl\n(.*?)^```/ms.exec(page) ?? [];
    await workspace.write(example);
    const authority = join(workspace.folder, 'ca.pem');
    await writeFile(authority, server.authority);
    const variables = {
      TF_VAR_url: `${server.url}/ovirt-engine/api`,
      TF_VAR_ca_file: authority,
      TF_VAR_password: password,
      TF_VAR_cluster: ids.cluster,
      TF_VAR_vnic_profile: ids.profile,
      TF_VAR_storage_domain: ids.domain,
    };
    const run = async (...args: string[]) => {
      const { code, output } = await workspace.run([...args, '-no-color'], variables);
      expect(code, output).toBe(0);
      return output;
    };
    await run('init');
    expect(await run('apply', '-auto-approve')).toContain('address = "10.30.0.50"');
    expect(server.engine.machines.get('web1')).toMatchObject({ state: 'running', diskMebibytes: 20_480 });
    await run('plan', '-detailed-exitcode');
    await run('destroy', '-auto-approve');
    expect([...server.engine.machines.keys(), ...server.engine.disks.keys()]).toEqual([]);
  });

  test('a configuration that cannot work is refused by validate', async () => {
    await workspace.write(`
      ${settings()}
      resource "ovirt_vm" "web" {
        name        = "a b"
        cluster_id  = "Default"
        template_id = "${ids.cluster}"
        cpu_cores   = 2
      }
    `);
    await workspace.done('init', '-no-color');
    const { code, output } = await workspace.run(['validate', '-no-color']);
    expect(code).toBe(1);
    for (const text of [
      'only letters, digits',
      'cluster_id is "Default"',
      'cpu_sockets and cpu_threads must be given too',
    ])
      expect(output).toContain(text);
  });

  test('a machine that another client created is imported, and its plan is empty', async () => {
    const own = `
      ${settings()}
      resource "ovirt_vm" "old" {
        name        = "old1"
        cluster_id  = "${ids.cluster}"
        template_id = "TEMPLATE"
        memory      = ${gibibyte}
      }
      data "ovirt_templates" "node" { name = "node" }
      output "template" { value = tolist(data.ovirt_templates.node.templates)[0].id }
    `;
    server.engine.addMachine('old1', undefined, { memoryMebibytes: 1024 });
    const { access_token: token } = await server.login('admin@internal');
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const { vm } = JSON.parse((await server.ask('GET', '/ovirt-engine/api/vms', { headers })).body);
    const old = vm.find((each: { name: string }) => each.name === 'old1');
    await workspace.write(own.replace('TEMPLATE', old.template.id));
    await workspace.done('init', '-no-color');
    await workspace.done('import', '-no-color', 'ovirt_vm.old', old.id);
    // Only the output is new.
    expect(await workspace.done('plan', '-no-color')).not.toContain('ovirt_vm.old will be');
    await workspace.write(
      own.replace('TEMPLATE', old.template.id).replace('memory ', 'initialization_hostname = "x"\nmemory '),
    );
    expect(await workspace.done('plan', '-no-color')).toContain('0 to add, 1 to change, 0 to destroy');
  });

  test('what happens behind our back is part of the next plan', { timeout: 600_000 }, async () => {
    await workspace.write(machine({ name: 'web3' }));
    await workspace.done('init', '-no-color');
    await apply();
    const running = server.engine.machines.get('web3');
    if (!running) throw new Error('no machine');
    server.engine.machines.set('web3', { ...running, state: 'stopped', cpu: 7 });
    expect((await planCode()).output).toContain('0 to add, 2 to change, 0 to destroy');
    await apply();
    expect(server.engine.machines.get('web3')).toMatchObject({ state: 'running', cpu: 2 });
    server.engine.machines.delete('web3');
    expect((await planCode()).output).toMatch(/ovirt_vm.web will be created/);
    await workspace.done('destroy', '-auto-approve', '-no-color');
    expect(server.engine.disks.size).toBe(0);
  });

  test('secrets are in no log, and in the state only as part of the configuration', async () => {
    await workspace.write(`
      ${settings()}
      data "ovirt_blank_template" "blank" {}
      output "blank" { value = data.ovirt_blank_template.blank.id }
    `);
    await workspace.done('init', '-no-color');
    const { code, output } = await workspace.run(['apply', '-auto-approve', '-no-color'], { TF_LOG: 'trace' });
    expect(code).toBe(0);
    expect(output).toContain('provider: starting plugin');
    expect(output).not.toContain(password);
    expect(output).not.toMatch(/Bearer /);
  });

  test('a wrong password is one error without the password', async () => {
    await workspace.write(`
      ${settings('not the password')}
      data "ovirt_blank_template" "blank" {}
    `);
    await workspace.done('init', '-no-color');
    const { output } = await workspace.run(['plan', '-no-color']);
    expect(output.match(/Error: /g)).toHaveLength(1);
    expect(output).toContain('The login to the oVirt engine failed');
    expect(output).not.toContain('not the password');
  });

  describe('killed in the middle', () => {
    let proxy: FaultyProxy;

    beforeEach(async () => {
      proxy = await startFaultyProxy(server.url, server.authority);
      return () => proxy.close();
    });

    test.each(['tofu', 'provider'] as const)(
      'applies whose %s is killed lose and double nothing',
      { timeout: 900_000 },
      async (victim) => {
        const name = `kill-${victim}`;
        await workspace.write(machine({ name }).replace(settings(), settings(password, proxy.url)));
        await workspace.done('init', '-no-color');
        // Each apply is killed at the first creation or action of a kind that none was killed at.
        const killedAt = new Set<string>();
        for (;;) {
          let isKilled = false;
          let kill: () => void = () => undefined;
          proxy.fault = (each) => {
            const kind = each.replaceAll(/[0-9a-f-]{36}/g, 'ID');
            if (isKilled || !/^POST \/(?!ovirt-engine)/.test(kind) || killedAt.has(kind)) return undefined;
            isKilled = true;
            killedAt.add(kind);
            kill();
            // The engine does it all the same.
            return 'lost';
          };
          const { code, output } = await workspace.run(['apply', '-auto-approve', '-no-color'], {}, (child) => {
            kill = () => (victim === 'tofu' ? child.kill('SIGKILL') : killProviders(child.pid ?? 0));
          });
          if (isKilled) expect(code, output).not.toBe(0);
          else {
            expect(output).toContain('Apply complete');
            break;
          }
        }
        proxy.fault = () => undefined;
        expect([...killedAt]).toEqual(expect.arrayContaining(['POST /vms/ID/nics', 'POST /vms/ID/start']));
        expect(killedAt.size).toBeGreaterThanOrEqual(5);
        expect([...server.engine.machines.keys()]).toEqual([name]);
        expect([...server.engine.disks.keys()]).toEqual(['web-data']);
        expect(server.engine.disks.get('web-data')).toMatchObject({ machine: name });
        expect(await planCode()).toMatchObject({ code: 0 });
        await workspace.done('destroy', '-auto-approve', '-no-color');
        expect([...server.engine.machines.keys(), ...server.engine.disks.keys()]).toEqual([]);
      },
    );
  });
});

function killProviders(parent: number): void {
  for (const task of readdirSync(`/proc/${parent}/task`)) {
    const children = readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8').trim();
    for (const child of children.split(' ')) if (child !== '') process.kill(Number(child), 'SIGKILL');
  }
}
