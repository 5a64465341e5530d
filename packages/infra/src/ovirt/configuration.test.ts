import type { OvirtOptions } from '@nova-platform/api';
import { plan } from '@nova-platform/plan/testing';
import { expect, test } from 'vitest';
import { type OvirtPlaces, ovirtConfiguration } from './configuration.ts';

const settings: OvirtOptions = {
  url: 'https://engine.local/ovirt-engine/api',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a name that looks like an expression
  username: 'nova${x}%{y}@internal',
  password: 'hunter2',
  cluster: 'Default',
  storageDomain: 'data',
  template: 'debian',
};
const places: OvirtPlaces = {
  cluster: 'c-1',
  hosts: 3,
  storageDomain: 's-1',
  template: 't-1',
  disks: ['d-1'],
  vnicProfile: 'p-1',
};
const declared = plan({
  provider: { type: 'zvirt', zvirt: settings },
  externalNetwork: { network: '10.250.24.0/24', gateway: '10.250.24.1', addresses: ['10.250.24.171-10.250.24.190'] },
  nodeGroups: [
    { name: 'cp', roles: ['control-plane', 'infra'], count: 3, cpu: 4, memory: '8Gi', disk: '50Gi' },
    { name: 'worker', roles: ['worker'], count: 1, cpu: 2, memory: '4G', disk: '30Gi' },
  ],
  config: { nodeNetwork: '10.21.0.0/23' },
});

interface Machines {
  locals: { machines: Record<string, object>; spread?: string[] };
  resource: Record<string, Record<string, Record<string, unknown>>>;
}
const machinesIn = (given: Partial<Parameters<typeof ovirtConfiguration>[0]> = {}) =>
  ovirtConfiguration({ plan: declared, settings, places, ...given }).files['machines.tf.json'] as Machines;

test('every node of the plan is a machine with its size and address', () => {
  const { locals, resource } = machinesIn();
  expect(Object.keys(locals.machines)).toEqual(['demo-cp-1', 'demo-cp-2', 'demo-cp-3', 'demo-worker-1']);
  expect(locals.machines['demo-worker-1']).toEqual({
    cpu: 2,
    // 4G in whole mebibytes, as everywhere.
    memory: 3815 * 1024 ** 2,
    disk: 30 * 1024 ** 3,
    address: '10.21.0.13',
    is_running: true,
  });
  expect(resource.ovirt_vm?.machine).toMatchObject({
    comment: 'nova/demo',
    cluster_id: 'c-1',
    template_id: 't-1',
    initialization_nic: { name: 'eth0', ipv4: { netmask: '255.255.254.0', gateway: '10.21.0.1' } },
    template_disk_attachment_override: [{ disk_id: 'd-1', storage_domain_id: 's-1', provisioning: 'sparse' }],
  });
  expect(resource.ovirt_nic?.machine).toMatchObject({ vnic_profile_id: 'p-1' });
});

test('control planes are spread only where there is more than one host, and more than one control plane', () => {
  expect(machinesIn().locals.spread).toEqual(['demo-cp-1', 'demo-cp-2', 'demo-cp-3']);
  expect(machinesIn().resource.ovirt_affinity_group?.spread).toMatchObject({
    vms_rule: { affinity: 'negative', enforcing: false },
  });
  const alone = machinesIn({ places: { ...places, hosts: 1 } });
  expect(alone.locals.spread).toBeUndefined();
  expect(Object.keys(alone.resource)).not.toContain('ovirt_affinity_group');
});

test('stopped machines stay in the configuration', () => {
  const { locals } = machinesIn({ stopped: new Set(['demo-cp-2']) });
  const running = Object.entries(locals.machines).map(([name, machine]) => [
    name,
    (machine as { is_running: boolean }).is_running,
  ]);
  expect(running).toEqual([
    ['demo-cp-1', true],
    ['demo-cp-2', false],
    ['demo-cp-3', true],
    ['demo-worker-1', true],
  ]);
});

test('the password and the tokens of machines are in no file, and names are no expressions', () => {
  const cloudConfigs = { 'demo-cp-1': 'token-1' };
  const { files, variables, credentials } = ovirtConfiguration({ plan: declared, settings, places, cloudConfigs });
  const text = JSON.stringify(files);
  expect(text).not.toContain('hunter2');
  expect(text).not.toContain('token-1');
  expect(text).toContain('"nova$${x}%%{y}@internal"');
  expect(credentials).toEqual({ ovirt_password: 'hunter2' });
  expect(variables).toEqual({ cloud_configs: cloudConfigs });
});

test('the CA of the engine replaces those of the system', () => {
  const providerOf = (more: Partial<OvirtOptions>) =>
    (
      ovirtConfiguration({ plan: declared, settings: { ...settings, ...more }, places }).files['provider.tf.json'] as {
        provider: { ovirt: object };
      }
    ).provider.ovirt;
  expect(providerOf({})).toMatchObject({ tls_system: true });
  const bundle = providerOf({ caBundle: Buffer.from('-----BEGIN x').toString('base64') });
  expect(bundle).toMatchObject({ tls_ca_bundle: '-----BEGIN x' });
  expect(bundle).not.toHaveProperty('tls_system');
});

test('without machines there is nothing, not even their tag', () => {
  expect(machinesIn({ plan: { ...declared, nodes: [] } })).not.toHaveProperty('resource');
});

test('the same plan gives the same configuration', () => {
  const made = () => JSON.stringify(ovirtConfiguration({ plan: declared, settings, places }));
  expect(made()).toBe(made());
});
