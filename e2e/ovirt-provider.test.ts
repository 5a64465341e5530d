import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createKeyPair, createStandaloneAuthority, issueCertificate, openAuthority } from '@nova-platform/pki';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { password, startTestServer, type TestServer } from '../packages/ovirt/src/testing/server.ts';
import type { Fields } from '../packages/terraform-provider-ovirt/src/protocol/values.ts';
import { type FaultyProxy, startFaultyProxy } from './ovirt/faulty.ts';
import { createProviderClient, type ProviderClient } from './ovirt/provider-client.ts';

const gibibyte = 1024 ** 3;
const timeouts = { connect: 1500, busy: 3000, locked: 3000, vm: 5000, shutdown: 2000, address: 3000 };
const html = { status: 503, type: 'text/html', body: '<!DOCTYPE html><html><body>Busy</body></html>' };

describe('the provider for oVirt', () => {
  let server: TestServer;
  let proxy: FaultyProxy;
  let provider: ProviderClient;
  /** A new one for each test: the engine in memory gives a machine of the same name the same ID. */
  let name: string;
  let count = 0;
  let ids: { cluster: string; template: string; profile: string; domain: string };

  beforeAll(async () => {
    server = await startTestServer();
    server.engine.addNetwork('lab', '10.30.0.0/24');
    const { access_token: token } = await server.login('admin@internal');
    const list = async (path: string) => {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
      return JSON.parse((await server.ask('GET', `/ovirt-engine/api/${path}`, { headers })).body);
    };
    ids = {
      cluster: (await list('clusters')).cluster[0].id,
      template: (await list('templates?search=name%3Dnode')).template[0].id,
      profile: (await list('vnicprofiles')).vnic_profile[0].id,
      domain: (await list('storagedomains')).storage_domain[0].id,
    };
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    count += 1;
    name = `web${count}`;
    proxy = await startFaultyProxy(server.url, server.authority);
    provider = createProviderClient(timeouts);
  });

  afterEach(async () => {
    expect(provider.said()).not.toContain(password);
    await provider.close();
    await proxy.close();
    server.engine.machines.clear();
    server.engine.disks.clear();
    server.engine.isBootFailing = false;
  });

  const settings = (more = {}) => ({ url: proxy.url, username: 'admin@internal', password, ...more });
  const connected = async () => expect(await provider.configure(settings())).toEqual([]);
  const vm = (more = {}) => ({ name, cluster_id: ids.cluster, template_id: ids.template, ...more });
  const disk = (more = {}) => ({
    alias: 'data',
    storage_domain_id: ids.domain,
    format: 'cow',
    size: gibibyte,
    ...more,
  });
  const idOf = ({ state }: { state: Fields | null }) => (typeof state?.id === 'string' ? state.id : '');
  const summaries = ({ diagnostics }: { diagnostics: readonly { summary: string }[] }) =>
    diagnostics.map(({ summary }) => summary);

  describe('connecting', () => {
    test('a wrong password is one clear error without the password', async () => {
      const [problem] = await provider.configure(settings({ password: 'another secret' }));
      expect(problem?.summary).toBe('The login to the oVirt engine failed');
      expect(problem?.detail).toContain('Check username');
      expect(provider.said()).not.toContain('another secret');
    });

    test('an engine that is unreachable is a clear error', async () => {
      const [problem] = await provider.configure(settings({ url: 'http://127.0.0.1:1/ovirt-engine/api' }));
      expect(problem?.summary).toBe('The oVirt engine is unreachable');
      expect(problem?.detail).toContain('ECONNREFUSED');
    });

    test('a certificate of an unknown CA is a clear error that names the address of the CA', async () => {
      const other = await createStandaloneAuthority({
        subject: { commonName: 'other', organizations: [] },
        lifetimeHours: 1,
      });
      const [problem] = await provider.configure(
        settings({ url: `${server.url}/ovirt-engine/api`, tls_ca_bundle: other.certificate }),
      );
      expect(problem?.summary).toBe('The certificate of the oVirt engine is not trusted');
      expect(problem?.detail).toContain('pki-resource');
    });

    test('a certificate for another name is a clear error', async () => {
      const url = `${server.url.replace('127.0.0.1', 'localhost')}/ovirt-engine/api`;
      const [problem] = await provider.configure(settings({ url, tls_ca_bundle: server.authority }));
      expect(problem?.summary).toBe('The certificate of the oVirt engine has another name');
    });

    test('an expired certificate is a clear error', async () => {
      const subject = { commonName: 'engine', organizations: [] };
      const issuer = await openAuthority(await createStandaloneAuthority({ subject, lifetimeHours: 1 }));
      const { privateKey: key, publicKey } = await createKeyPair();
      const order = { subject, publicKey, dnsNames: [], addresses: ['127.0.0.1'], usages: ['server auth' as const] };
      const { certificate: cert } = await issueCertificate(issuer, { ...order, lifetimeHours: -1 });
      const old = createServer({ key, cert }).listen(0, '127.0.0.1');
      await new Promise((resolve) => old.once('listening', resolve));
      const url = `https://127.0.0.1:${(old.address() as AddressInfo).port}/ovirt-engine/api`;
      const [problem] = await provider.configure(settings({ url, tls_ca_bundle: issuer.certificate }));
      expect(problem?.summary).toBe('The certificate of the oVirt engine is not valid now');
      old.close();
    });

    test('the certificate of the engine is verified with its CA', async () => {
      const url = `${server.url}/ovirt-engine/api`;
      expect(await provider.configure(settings({ url, tls_ca_bundle: server.authority }))).toEqual([]);
      expect(await createProviderClient(timeouts).configure(settings({ url, tls_insecure: true }))).toEqual([]);
    });
  });

  describe('an engine in trouble', () => {
    test('a busy engine with an HTML page is retried', async () => {
      await connected();
      let failures = 2;
      proxy.fault = (call) => (call === 'POST /vms' && failures-- > 0 ? html : undefined);
      expect(await provider.create('ovirt_vm', vm())).toMatchObject({ diagnostics: [], state: { name } });
    });

    test('an engine that stays busy is a clear error and no parse error', async () => {
      await connected();
      proxy.fault = (call) => (call === 'POST /vms' ? html : undefined);
      const { state, diagnostics } = await provider.create('ovirt_vm', vm());
      expect(state).toBeNull();
      expect(diagnostics[0]?.summary).toBe('The oVirt engine is busy, or the address is not its API');
      expect(diagnostics[0]?.detail).toContain('HTTP 503 with an HTML page');
    });

    test('a VM whose creation had no response is not created twice', async () => {
      await connected();
      let failures = 1;
      proxy.fault = (call) => (call === 'POST /vms' && failures-- > 0 ? 'lost' : undefined);
      expect(await provider.create('ovirt_vm', vm())).toMatchObject({
        diagnostics: [{ severity: 2, summary: `VM ${name} existed already` }],
      });
      expect([...server.engine.machines.keys()]).toEqual([name]);
      expect(proxy.requests.filter((call) => call === 'POST /vms')).toHaveLength(1);
    });

    test('a disk whose creation had no response is not created twice', async () => {
      await connected();
      let failures = 1;
      proxy.fault = (call) => (call === 'POST /disks' && failures-- > 0 ? 'lost' : undefined);
      expect(await provider.create('ovirt_disk', disk())).toMatchObject({ diagnostics: [] });
      expect(server.engine.disks.size).toBe(1);
    });

    test('a start and a stop without a response are not an error', async () => {
      await connected();
      const web = await provider.create('ovirt_vm', vm());
      let failures = 1;
      proxy.fault = (call) => (/\/(start|stop)$/.test(call) && failures-- > 0 ? 'lost' : undefined);
      const started = await provider.create('ovirt_vm_start', { vm_id: idOf(web), stop_behavior: 'stop' });
      expect(started).toMatchObject({ diagnostics: [], state: { status: 'up' } });
      failures = 1;
      expect((await provider.destroy('ovirt_vm_start', started)).diagnostics).toEqual([]);
      expect(server.engine.machines.get(name)?.state).toBe('stopped');
    });

    test('a connection that breaks is retried', async () => {
      await connected();
      let failures = 2;
      proxy.fault = (call) => (call === 'GET /vms' && failures-- > 0 ? 'drop' : undefined);
      expect(await provider.create('ovirt_vm', vm())).toMatchObject({ diagnostics: [] });
    });

    test('an expired token leads to one new login', async () => {
      await connected();
      const logins = () => proxy.requests.filter((call) => call.includes('/sso/oauth/token')).length;
      let failures = 1;
      const expired = { status: 401, type: 'application/xml', body: '<fault><reason>token expired</reason></fault>' };
      proxy.fault = (call) => (call === 'GET /templates' && failures-- > 0 ? expired : undefined);
      expect(await provider.data('ovirt_templates', { name: 'node' })).toMatchObject({ diagnostics: [] });
      expect(logins()).toBe(2);
      proxy.fault = (call) => (call === 'GET /templates' ? expired : undefined);
      expect(summaries(await provider.data('ovirt_templates', { name: 'node' }))).toEqual([
        'The oVirt engine does not accept the login',
      ]);
      expect(logins()).toBe(3);
    });

    test('a locked VM is retried, and one that stays locked is a clear error', async () => {
      await connected();
      const web = await provider.create('ovirt_vm', vm());
      let failures = 2;
      const locked = {
        status: 409,
        type: 'application/xml',
        body: '<fault><reason>Operation Failed</reason><detail>[Cannot add NIC. VM is locked. Please try again later.]</detail></fault>',
      };
      proxy.fault = (call) => (call.startsWith('POST /vms/') && failures-- > 0 ? locked : undefined);
      const nic = { name: 'nic1', vm_id: idOf(web), vnic_profile_id: ids.profile };
      const created = await provider.create('ovirt_nic', nic);
      expect(created.diagnostics).toEqual([]);
      await provider.destroy('ovirt_nic', created);
      failures = Number.POSITIVE_INFINITY;
      const [problem] = (await provider.create('ovirt_nic', nic)).diagnostics;
      expect(problem?.detail).toContain('VM is locked');
      expect(problem?.detail).toContain('The provider retried for');
    });

    test('an image that stays locked is a clear error, and the VM is in the state', async () => {
      await connected();
      proxy.fault = (call) =>
        /^GET \/vms\/[^/]+$/.test(call)
          ? { status: 200, type: 'application/xml', body: '<vm id="x"><status>image_locked</status></vm>' }
          : undefined;
      const { state, diagnostics } = await provider.create('ovirt_vm', vm());
      expect(diagnostics[0]?.summary).toMatch(/^VM .* stays locked$/);
      expect(state?.id).toBeTypeOf('string');
    });

    test('a fault of the engine is shown with its detail', async () => {
      await connected();
      const { diagnostics } = await provider.create('ovirt_vm', vm({ serial_console: false }));
      expect(diagnostics[0]?.summary).toBe('The oVirt engine refused a request');
      expect(diagnostics[0]?.detail).toContain('vm.console.enabled can only be true');
    });

    test('full storage is shown with the words of the engine', async () => {
      await connected();
      const detail = '[Cannot add Virtual Disk. Low disk space on Storage Domain data.]';
      const full = {
        status: 409,
        type: 'application/xml',
        body: `<fault><reason>Operation Failed</reason><detail>${detail}</detail></fault>`,
      };
      proxy.fault = (call) => (call === 'POST /disks' ? full : undefined);
      const { state, diagnostics } = await provider.create('ovirt_disk', disk());
      expect(state).toBeNull();
      expect(diagnostics[0]?.detail).toContain(detail);
    });

    test('a user without rights gets a clear error', async () => {
      await provider.configure(settings({ username: 'reader@internal' }));
      const { diagnostics } = await provider.create('ovirt_vm', vm());
      expect(diagnostics[0]?.summary).toBe('The user has no permission for this');
    });
  });

  describe('machines', () => {
    test('cloud-init text and comments arrive as they were written', async () => {
      await connected();
      const text = '#cloud-config\nruncmd:\n  - echo "<b>&amp; \\u00e9" \'x\' ]]> ü\n';
      const bodies: string[] = [];
      proxy.fault = (_call, body) => void bodies.push(body);
      const { state } = await provider.create('ovirt_vm', vm({ comment: '<&">', initialization_custom_script: text }));
      expect(state).toMatchObject({ comment: '<&">', initialization_custom_script: text });
      expect(bodies.join('')).toContain('&lt;b&gt;&amp;amp;');
      expect((await provider.read('ovirt_vm', { state, private: new Uint8Array(), diagnostics: [] })).state).toEqual(
        state,
      );
    });

    test('a missing template is a clear error', async () => {
      await connected();
      const missing = vm({ template_id: '11111111-2222-3333-4444-555555555555' });
      expect(summaries(await provider.create('ovirt_vm', missing))).toEqual(['There is no such template']);
    });

    test('another VM with the same name is a clear error that says how to import it', async () => {
      await connected();
      server.engine.addMachine(name);
      const { diagnostics } = await provider.create('ovirt_vm', vm());
      expect(diagnostics[0]?.summary).toBe(`A VM with the name ${name} exists already`);
      expect(diagnostics[0]?.detail).toContain('tofu import');
    });

    test('a second resource with the same name never takes the VM of the first', async () => {
      await connected();
      await provider.create('ovirt_vm', vm());
      expect(summaries(await provider.create('ovirt_vm', vm()))).toEqual([`A VM with the name ${name} exists already`]);
    });

    test('deleting a VM keeps a disk that was attached later, and deletes its own', async () => {
      await connected();
      const web = await provider.create('ovirt_vm', vm());
      const data = await provider.create('ovirt_disk', disk());
      await provider.create('ovirt_disk_attachment', {
        vm_id: idOf(web),
        disk_id: idOf(data),
        disk_interface: 'virtio',
        active: true,
      });
      expect(server.engine.disks.get('data')?.machine).toBe(name);
      proxy.requests.length = 0;
      expect((await provider.destroy('ovirt_vm', web)).diagnostics).toEqual([]);
      expect(proxy.requests.filter((call) => call.startsWith('DELETE'))).toEqual([
        `DELETE /vms/${idOf(web)}/diskattachments/${idOf(data)}`,
        `DELETE /vms/${idOf(web)}`,
      ]);
      expect([...server.engine.machines.keys()]).toEqual([]);
      expect([...server.engine.disks.keys()]).toEqual(['data']);
    });

    test('the disks of a VM grow, those with a resource of their own stay, and a smaller size is refused', async () => {
      await connected();
      const web = await provider.create('ovirt_vm', vm());
      const data = await provider.create('ovirt_disk', disk());
      const vm_id = idOf(web);
      await provider.create('ovirt_disk_attachment', {
        vm_id,
        disk_id: idOf(data),
        disk_interface: 'virtio',
      });
      const grown = await provider.create('ovirt_vm_disks_resize', { vm_id, size: 20 * gibibyte });
      expect(grown.diagnostics).toEqual([]);
      expect(server.engine.machines.get(name)?.diskMebibytes).toBe(20 * 1024);
      expect(server.engine.disks.get('data')?.sizeMebibytes).toBe(1024);
      expect((await provider.read('ovirt_vm_disks_resize', grown)).state).toEqual(grown.state);
      const smaller = await provider.update('ovirt_vm_disks_resize', grown, { vm_id, size: 5 * gibibyte });
      expect(summaries(smaller)).toEqual(['A disk cannot shrink']);
    });

    test('a VM that is deleted behind our back is gone after a read', async () => {
      await connected();
      const web = await provider.create('ovirt_vm', vm());
      server.engine.machines.clear();
      expect((await provider.read('ovirt_vm', web)).state).toBeNull();
      expect((await provider.destroy('ovirt_vm', web)).diagnostics).toEqual([]);
    });

    test('a VM without an address is a clear error after the time limit', async () => {
      await connected();
      const web = await provider.create('ovirt_vm', vm());
      expect(summaries(await provider.data('ovirt_wait_for_ip', { vm_id: idOf(web) }))).toEqual([
        `VM ${name} reports no address`,
      ]);
    });

    test('CPU, memory and comment change in place, and a read finds no difference', async () => {
      await connected();
      const web = await provider.create(
        'ovirt_vm',
        vm({ cpu_cores: 2, cpu_sockets: 1, cpu_threads: 1, memory: gibibyte }),
      );
      const more = vm({ cpu_cores: 4, cpu_sockets: 1, cpu_threads: 1, memory: 2 * gibibyte, comment: 'x' });
      const changed = await provider.update('ovirt_vm', web, more);
      expect(changed.diagnostics).toEqual([]);
      expect(server.engine.machines.get(name)).toMatchObject({ cpu: 4, memoryMebibytes: 2048 });
      expect((await provider.read('ovirt_vm', changed)).state).toEqual(changed.state);
    });
  });
});
