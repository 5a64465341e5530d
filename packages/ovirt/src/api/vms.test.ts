import { ProblemError, problem } from '@nova-platform/api';
import type { EngineClient, MachineStatus } from '@nova-platform/contracts/engine/client';
import { createTestEngine, type TestEngine } from '@nova-platform/contracts/engine/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectEngine, startTestApi, type TestApi } from '../testing/serve.ts';

let engine: TestEngine;
let client: EngineClient;
let api: TestApi;
/** Calls of the engine, with their arguments. */
let calls: [name: string, ...args: unknown[]][];
/** Runs before a call of the engine. */
let before: Partial<Record<keyof EngineClient, () => Promise<void>>>;

beforeEach(async () => {
  engine = await createTestEngine();
  calls = [];
  before = {};
  const own = await connectEngine(engine);
  const wrapped = Object.entries(own).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      calls.push([name, ...args]);
      await before[name as keyof EngineClient]?.();
      return (call as (...given: unknown[]) => Promise<unknown>)(...args);
    },
  ]);
  client = Object.fromEntries(wrapped) as EngineClient;
  api = await startTestApi(client);
  engine.addNetwork('lab', '10.30.0.0/24');
});

afterEach(async () => {
  await api.close();
  await engine.close();
});

const vm = (name: string, more = '', template = 'node') =>
  `<vm><name>${name}</name><cluster><name>Default</name></cluster><template><name>${template}</name></template>${more}</vm>`;

async function created(name: string, more = ''): Promise<string> {
  const { status, body, text } = await api.request('POST', '/vms', vm(name, more));
  expect(status, text).toBe(201);
  return body.id;
}

const post = (path: string, body = '<action/>') => api.request('POST', path, body);
const statusOf = async (id: string) => (await api.request('GET', `/vms/${id}`)).body.status;
const specs = () => calls.flatMap(([name, spec]) => (name === 'createMachine' ? [spec] : []));
const withLab = '<nic><name>nic1</name><vnic_profile><name>lab</name></vnic_profile></nic>';
const initialized = (text: string) => `<initialization>${text}</initialization>`;
const startWith = (text: string) =>
  `<action><use_cloud_init>true</use_cloud_init><vm>${initialized(text)}</vm></action>`;

/** A promise that a test resolves. */
function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

test('a VM that takes long to create is locked at first, and its calls are refused with 409', async () => {
  const { opened, open } = gate();
  before.createMachine = () => opened;
  const id = await created('web1');
  expect(await statusOf(id)).toBe('image_locked');
  const refused = await post(`/vms/${id}/start`);
  expect(refused).toMatchObject({ status: 409, body: { reason: 'Operation Failed' } });
  expect(refused.body.detail).toContain('VM is locked');
  expect((await post('/vms', vm('web1'))).body.detail).toContain('NOVA7021');
  expect((await api.request('GET', '/jobs?search=status%3Dstarted')).body.job).toMatchObject({
    description: 'Creating VM web1',
  });
  open();
  await expect.poll(() => statusOf(id)).toBe('down');
  expect((await api.request('GET', '/events')).body.event.description).toBe(
    'VM web1 was created from template node (admin@internal).',
  );
});

test('a creation that fails at once is a fault, and leaves nothing', async () => {
  before.createMachine = () => Promise.reject(new ProblemError(problem('NOVA7012', { field: 'runcmd' })));
  const { status, body } = await post('/vms', vm('web1'));
  expect(status).toBe(400);
  expect(body.detail).toMatch(/runcmd.*NOVA7012/);
  expect((await api.request('GET', '/vms')).body).toBe('');
});

test('a creation that fails later is an error event, and removes what the engine has made', async () => {
  const { opened, open } = gate();
  const create = client.createMachine;
  client.createMachine = async (spec) => {
    await create(spec);
    await opened;
    throw new ProblemError(problem('NOVA7013', { name: spec.name }));
  };
  const id = await created('web1');
  open();
  await expect.poll(async () => (await api.request('GET', `/vms/${id}`)).status).toBe(404);
  await expect.poll(async () => (await api.request('GET', '/events')).body.event?.severity).toBe('error');
  expect([...engine.machines.keys()]).toEqual([]);
  expect((await api.request('GET', '/jobs')).body.job.status).toBe('failed');
});

test('a machine of another user with the same name stays when a creation fails because of it', async () => {
  before.createMachine = async () => engine.addMachine('web1');
  expect((await post('/vms', vm('web1'))).body.detail).toContain('NOVA7021');
  expect([...engine.machines.keys()]).toEqual(['web1']);
});

test('a creation continues when the API is restarted', async () => {
  const { opened } = gate();
  before.createMachine = () => opened;
  const id = await created('web1', '<comment>mine</comment>');
  before = {};
  api = await api.restart(client);
  await expect.poll(() => statusOf(id)).toBe('down');
  expect((await api.request('GET', `/vms/${id}`)).body).toMatchObject({ name: 'web1', comment: 'mine' });
  const events = (await api.request('GET', '/events?search=severity%3Dwarning')).body.event.description;
  expect(events).toContain('interrupted by a restart');
});

test('a creation that the engine completed while the API was killed is not repeated', async () => {
  const { opened } = gate();
  const create = client.createMachine;
  client.createMachine = async (spec) => {
    await create(spec);
    await opened;
    throw new Error('unreachable');
  };
  const id = await created('web1');
  client.createMachine = create;
  calls = [];
  api = await api.restart(client);
  await expect.poll(() => statusOf(id)).toBe('down');
  expect(specs()).toEqual([]);
});

test('a creation waits for an engine that restarts', async () => {
  let failures = 2;
  before.createMachine = async () => {
    failures -= 1;
    if (failures >= 0) throw new ProblemError(problem('NOVA7030', {}));
  };
  const id = await created('web1');
  await expect.poll(() => statusOf(id)).toBe('down');
});

test('cloud-init of the creation reaches the engine', async () => {
  const script = 'write_files:\n  - path: /etc/motd\n    content: "a &lt; b"\n';
  await created(
    'web1',
    initialized(
      `<host_name>web</host_name><user_name>admin</user_name><authorized_ssh_keys>ssh-rsa A\nssh-rsa B</authorized_ssh_keys><custom_script>${script}</custom_script>`,
    ),
  );
  expect(specs()).toEqual([
    expect.objectContaining({
      isStarted: false,
      diskMebibytes: 10_240,
      memoryMebibytes: 1024,
      cloudConfig:
        '#cloud-config\nwrite_files:\n  - path: /etc/motd\n    content: a < b\nhostname: web\nusers:\n  - name: admin\n    sudo: ALL=(ALL) NOPASSWD:ALL\n    ssh_authorized_keys:\n      - ssh-rsa A\n      - ssh-rsa B\n',
    }),
  ]);
});

test.each([
  ['<root_password>x</root_password>', 'vm.initialization.root_password is not supported'],
  ['<dns_servers>192.0.2.1</dns_servers>', 'vm.initialization.dns_servers is not supported'],
  ['<timezone>UTC</timezone>', 'vm.initialization.timezone is not supported'],
  ['<custom_script>- a list</custom_script>', 'NOVA7624'],
  ['<custom_script>a: *x</custom_script>', 'NOVA7624'],
  [
    '<nic_configurations><nic_configuration><ip><address>x</address></ip></nic_configuration></nic_configurations>',
    'NOVA7026',
  ],
])('the initialization %s is refused', async (text, expected) => {
  const { status, body } = await post('/vms', vm('web1', initialized(text)));
  expect(status).toBe(400);
  expect(body.detail).toContain(expected);
  expect(specs()).toEqual([]);
});

test('cloud-init of the first start creates the machine again, with its NIC and disks', async () => {
  const id = await created('web1');
  await post(`/vms/${id}/nics`, withLab);
  const disk =
    '<disk_attachment><disk><name>data</name><provisioned_size>1073741824</provisioned_size></disk></disk_attachment>';
  expect((await post(`/vms/${id}/diskattachments`, disk)).status).toBe(201);
  calls = [];
  const address = '<ip><address>10.30.0.77</address><netmask>255.255.255.0</netmask><gateway>10.30.0.1</gateway></ip>';
  const nics = `<nic_configurations><nic_configuration><boot_protocol>static</boot_protocol>${address}</nic_configuration></nic_configurations>`;
  expect((await post(`/vms/${id}/start`, startWith(`<host_name>web</host_name>${nics}`))).status).toBe(200);
  expect(specs()).toEqual([
    {
      name: 'web1',
      image: 'node',
      cpu: 1,
      memoryMebibytes: 1024,
      diskMebibytes: 10_240,
      network: 'lab',
      address: '10.30.0.77',
      cloudConfig: '#cloud-config\nhostname: web\n',
      isStarted: false,
    },
  ]);
  expect(await statusOf(id)).toBe('up');
  expect(engine.disks.get('data')).toMatchObject({ machine: 'web1', path: '/mnt/data' });
  const { body } = await api.request('GET', `/vms/${id}/reporteddevices`);
  expect(body.reported_device.ips.ip.address).toBe('10.30.0.77');
});

test('the same cloud-init with the start changes nothing', async () => {
  const id = await created('web1', initialized('<host_name>web</host_name>'));
  calls = [];
  await post(`/vms/${id}/start`, startWith('<host_name>web</host_name>'));
  expect(specs()).toEqual([]);
  expect(await statusOf(id)).toBe('up');
});

test('a VM that was started before keeps its machine, and an event says that cloud-init was not applied', async () => {
  const id = await created('web1');
  await post(`/vms/${id}/start`);
  await post(`/vms/${id}/stop`);
  calls = [];
  expect((await post(`/vms/${id}/start`, startWith('<host_name>web</host_name>'))).status).toBe(200);
  expect(specs()).toEqual([]);
  const { body } = await api.request('GET', '/events?search=severity%3Dwarning');
  expect(body.event.description).toContain('was not applied again');
});

test('a VM that another interface has started keeps its machine', async () => {
  const id = await created('web1');
  client.machineUsage = async () => ({ memory: 1, disk: 2 * 1024 ** 3 });
  calls = [];
  await post(`/vms/${id}/start`, startWith('<host_name>web</host_name>'));
  expect(specs()).toEqual([]);
});

test('a VM whose new cloud-init is refused is what it was before', async () => {
  const id = await created('web1', initialized('<host_name>old</host_name>'));
  before.createMachine = async () => {
    if (JSON.stringify(specs().at(-1)).includes('bad'))
      throw new ProblemError(problem('NOVA7012', { field: 'hostname' }));
  };
  const { status, body } = await post(`/vms/${id}/start`, startWith('<host_name>bad!</host_name>'));
  expect(status).toBe(400);
  expect(body.detail).toContain('NOVA7012');
  expect(await statusOf(id)).toBe('down');
  expect(specs().at(-1)).toMatchObject({ cloudConfig: '#cloud-config\nhostname: old\n' });
  expect((await post(`/vms/${id}/start`)).status).toBe(200);
});

test('a start that takes long is powering_up, and can be stopped', async () => {
  const id = await created('web1');
  const { opened, open } = gate();
  before.startMachine = () => opened;
  expect((await post(`/vms/${id}/start`)).status).toBe(200);
  expect(await statusOf(id)).toBe('powering_up');
  before.stopMachine = () => opened;
  engine.machines.set('web1', { ...(engine.machines.get('web1') as MachineStatus), state: 'running' });
  expect((await post(`/vms/${id}/stop`)).status).toBe(200);
  expect(await statusOf(id)).toBe('powering_down');
  open();
  await expect.poll(() => statusOf(id)).toMatch(/^(up|down)$/);
});

test('actions are refused in the wrong state', async () => {
  const id = await created('web1');
  expect((await post(`/vms/${id}/stop`)).body.detail).toMatch(/is down.*NOVA7612/);
  await post(`/vms/${id}/start`);
  expect((await post(`/vms/${id}/start`)).body.detail).toMatch(/is up.*NOVA7612/);
  expect((await api.request('DELETE', `/vms/${id}`)).body.detail).toMatch(/is up.*NOVA7612/);
  expect((await post(`/vms/${id}/migrate`)).status).toBe(404);
});

test('what this platform cannot do is refused by name, and what it does is accepted', async () => {
  const refused = await post(
    '/vms',
    vm('web1', '<stateless>true</stateless><custom_properties/><io><threads>0</threads></io>'),
  );
  expect(refused.status).toBe(400);
  expect(refused.body.detail).toContain('vm.stateless can only be false');
  expect(refused.body.detail).toContain('vm.custom_properties is not supported');
  const id = await created('web1', '<high_availability><enabled>true</enabled></high_availability><type>server</type>');
  // Clients send back what they have read.
  const { text } = await api.request('GET', `/vms/${id}`);
  expect((await api.request('PUT', `/vms/${id}`, text)).status).toBe(200);
});

test('sizes are bytes, whole MiB', async () => {
  expect((await post('/vms', vm('web1', '<memory>1000</memory>'))).body.detail).toContain('NOVA7619');
  const id = await created(
    'web1',
    '<memory>1073741824</memory><cpu><topology><cores>2</cores><sockets>2</sockets></topology></cpu>',
  );
  expect(engine.machines.get('web1')).toMatchObject({ cpu: 4, memoryMebibytes: 1024 });
  const { body } = await api.request('GET', `/vms/${id}`);
  expect(body.cpu.topology).toEqual({ cores: '2', sockets: '2', threads: '1' });
  await api.request('PUT', `/vms/${id}`, '<vm><memory>2147483648</memory></vm>');
  expect(engine.machines.get('web1')).toMatchObject({ memoryMebibytes: 2048 });
});

test('a new name is kept by the API, and must be free', async () => {
  const id = await created('web1');
  await created('web2');
  expect((await api.request('PUT', `/vms/${id}`, '<vm><name>web2</name></vm>')).body.detail).toContain('NOVA7021');
  expect((await api.request('PUT', `/vms/${id}`, '<vm><name>front</name></vm>')).body.name).toBe('front');
  expect((await api.request('GET', '/vms?search=name%3Dfront')).body.vm.id).toBe(id);
  expect([...engine.machines.keys()]).toEqual(['web1', 'web2']);
  expect((await post('/vms', vm('Web_1'))).body.detail).toContain('NOVA7026');
});

test('a protected VM cannot be deleted', async () => {
  const id = await created('web1', '<delete_protected>true</delete_protected>');
  expect((await api.request('DELETE', `/vms/${id}`)).body.detail).toContain('NOVA7623');
  await api.request('PUT', `/vms/${id}`, '<vm><delete_protected>false</delete_protected></vm>');
  expect((await api.request('DELETE', `/vms/${id}`)).status).toBe(200);
});

test('the machine and the network of the platform are not shown', async () => {
  engine.addNetwork('integration', '10.255.0.0/24');
  engine.addMachine('universe', 'integration');
  engine.addMachine('m1', 'lab');
  const { body } = await api.request('GET', '/vms');
  expect(body.vm.name).toBe('m1');
  expect((await api.request('GET', '/networks')).body.network.name).toBe('lab');
  expect((await api.request('GET', '/templates')).text).not.toContain('<name>universe</name>');
});

test('another machine of the same name is another VM', async () => {
  const id = await created('web1');
  engine.machines.delete('web1');
  engine.addMachine('web1', 'lab', { id: 'another' });
  const { body } = await api.request('GET', '/vms');
  expect(body.vm.id).not.toBe(id);
  expect((await api.request('GET', `/vms/${id}`)).status).toBe(404);
});

test('a clone has its own template, which is deleted with it', async () => {
  const id = await created('web1', '<comment>kept</comment>');
  const { body } = await post(`/vms/${id}/clone`, '<action><vm><name>web2</name></vm></action>');
  expect(body.vm.name).toBe('web2');
  const template = engine.images.find(({ isTemplate }) => isTemplate)?.name;
  expect(engine.machines.get('web2')).toMatchObject({ image: template, state: 'stopped' });
  expect((await api.request('GET', `/vms/${body.vm.id}`)).body.comment).toBe('kept');
  await api.request('DELETE', `/vms/${body.vm.id}`);
  expect(engine.images.some(({ isTemplate }) => isTemplate)).toBe(false);
});

test('an enforced static address must fit the network', async () => {
  const address = (text: string) =>
    initialized(
      `<nic_configurations><nic_configuration><ip><address>${text}</address></ip></nic_configuration></nic_configurations>`,
    );
  const id = await created('web1', address('10.99.0.5'));
  expect((await post(`/vms/${id}/nics`, withLab)).body.detail).toMatch(/does not fit the network lab.*NOVA7613/);
  const other = await created('web2', address('10.30.0.5'));
  expect((await post(`/vms/${other}/nics`, withLab)).status).toBe(201);
  expect(engine.machines.get('web2')).toMatchObject({ address: '10.30.0.5' });
});
