import { afterAll, beforeAll, expect, test } from 'vitest';
import { password, startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  token = (await server.login('admin@internal')).access_token ?? '';
});

afterAll(() => server.close());

async function call<T>(method: string, path: string, body?: object): Promise<{ status: number; body: T }> {
  const answer = await server.ask(method, `/networking/v2.0/${path}`, {
    headers: { 'x-auth-token': token },
    ...(body && { body }),
  });
  return { status: answer.status, body: (answer.body === '' ? {} : JSON.parse(answer.body)) as T };
}

type One<Name extends string> = { [name in Name]: Record<string, never> & { id: string } };
type Many<Name extends string> = { [name in Name]: Record<string, unknown>[] };

/** The type of the error of a refused request. */
async function refusal(method: string, path: string, body?: object): Promise<string> {
  const { status, body: answer } = await call<{ NeutronError?: { type: string; message: string } }>(method, path, body);
  return `${status} ${answer.NeutronError?.type}`;
}

async function createNetwork(name: string, cidr?: string): Promise<{ network: string; subnet: string }> {
  const { network } = (await call<One<'network'>>('POST', 'networks', { network: { name } })).body;
  if (cidr === undefined) return { network: network.id, subnet: '' };
  const subnet = { network_id: network.id, cidr, ip_version: 4, name: `${name}-subnet` };
  return { network: network.id, subnet: (await call<One<'subnet'>>('POST', 'subnets', { subnet })).body.subnet.id };
}

test('the engine has a network once it has a subnet, and no longer', async () => {
  const { network } = await createNetwork('two-steps');
  expect((await call('GET', `networks/${network}`)).body).toMatchObject({
    network: { name: 'two-steps', status: 'DOWN', subnets: [] },
  });
  expect([...server.engine.networks.keys()]).not.toContain('two-steps');

  const given = { network_id: network, cidr: '10.61.0.0/24', name: 'addresses', enable_dhcp: true };
  const created = await call<One<'subnet'>>('POST', 'subnets', { subnet: given });
  expect(created).toMatchObject({
    status: 201,
    body: { subnet: { name: 'addresses', cidr: '10.61.0.0/24', gateway_ip: '10.61.0.1', network_id: network } },
  });
  expect(server.engine.networks.get('two-steps')?.network).toBe('10.61.0.0/24');
  expect((await call('GET', `networks/${network}`)).body).toMatchObject({ network: { status: 'ACTIVE' } });

  const subnet = created.body.subnet.id;
  expect((await call('PUT', `subnets/${subnet}`, { subnet: { name: 'renamed' } })).body).toMatchObject({
    subnet: { id: subnet, name: 'renamed' },
  });
  expect((await call('DELETE', `subnets/${subnet}`)).status).toBe(204);
  expect([...server.engine.networks.keys()]).not.toContain('two-steps');
  expect((await call('GET', `networks/${network}`)).body).toMatchObject({ network: { status: 'DOWN' } });
  expect((await call('DELETE', `networks/${network}`)).status).toBe(204);
  expect((await call('GET', `networks/${network}`)).status).toBe(404);
});

test('networks that were created elsewhere have stable IDs, subnets, routers and ports', async () => {
  server.engine.addNetwork('lab', '10.30.0.0/24');
  server.engine.addNetwork('integration', '10.255.0.0/24');
  server.engine.addMachine('web', 'lab');
  server.engine.addMachine('universe', 'integration');
  server.engine.addMachine('alone');
  const listed = async () => {
    const [networks, subnets, routers, ports] = await Promise.all([
      call<Many<'networks'>>('GET', 'networks?name=lab'),
      call<Many<'subnets'>>('GET', 'subnets'),
      call<Many<'routers'>>('GET', 'routers'),
      call<Many<'ports'>>('GET', 'ports'),
    ]);
    return { ...networks.body, ...subnets.body, ...routers.body, ...ports.body };
  };
  const all = await listed();
  const [{ id: network, subnets }] = all.networks as [{ id: string; subnets: string[] }];
  const [subnet] = subnets;
  expect(all.subnets).toMatchObject([
    { id: subnet, name: 'lab', network_id: network, allocation_pools: [{ start: '10.30.0.10', end: '10.30.0.254' }] },
  ]);
  expect(all.routers).toMatchObject([{ name: 'lab-router', status: 'ACTIVE' }]);
  expect(all.ports).toMatchObject([
    { device_owner: 'network:router_interface', fixed_ips: [{ subnet_id: subnet, ip_address: '10.30.0.1' }] },
    { name: 'web', status: 'ACTIVE', network_id: network, mac_address: '0a:00:0a:1e:00:0a' },
  ]);
  expect(await listed()).toEqual(all);
  expect((await call('GET', `ports?device_owner=oVirt&network_id=${network}&fields=name`)).body).toEqual({
    ports: [{ name: 'web' }],
  });
  expect((await call<Many<'ports'>>('GET', `ports?limit=1&marker=${all.ports[0]?.id as string}`)).body.ports).toEqual([
    all.ports[1],
  ]);
});

test('what networks of the engine cannot be is refused with a reason', async () => {
  const { network, subnet } = await createNetwork('fixed', '10.62.0.0/24');
  const other = await createNetwork('other', '10.63.0.0/24');
  const [router = {}] = (await call<Many<'routers'>>('GET', 'routers?name=fixed-router')).body.routers;
  const [own = {}] = (await call<Many<'ports'>>('GET', `ports?device_id=${router.id as string}`)).body.ports;
  const at = (id: unknown) => String(id);

  expect(
    await refusal('POST', 'subnets', { subnet: { network_id: network, cidr: '10.64.0.0/24', ip_version: 4 } }),
  ).toBe('409 NOVA7671');
  expect(await refusal('POST', 'routers', { router: { name: 'mine' } })).toBe('409 NOVA7672');
  expect(await refusal('DELETE', `routers/${at(router.id)}`)).toBe('409 NOVA7672');
  expect(await refusal('PUT', `routers/${at(router.id)}/remove_router_interface`, { subnet_id: subnet })).toBe(
    '409 NOVA7673',
  );
  expect(await refusal('PUT', `routers/${at(router.id)}/add_router_interface`, { subnet_id: other.subnet })).toBe(
    '409 NOVA7673',
  );
  expect(
    (await call('PUT', `routers/${at(router.id)}/add_router_interface`, { subnet_id: subnet })).body,
  ).toMatchObject({ port_id: own.id, subnet_id: subnet });
  expect(
    await refusal('PUT', `routers/${at(router.id)}`, {
      router: { routes: [{ destination: '0.0.0.0/0', nexthop: '10.62.0.9' }] },
    }),
  ).toBe('400 NOVA7675');
  expect(await refusal('DELETE', `ports/${at(own.id)}`)).toBe('409 NOVA7673');
  expect(await refusal('POST', 'ports', { port: { network_id: network, name: 'loose' } })).toBe('409 NOVA7674');

  expect(await refusal('POST', 'networks', { network: { name: 'fixed' } })).toBe('409 NOVA7021');
  expect(await refusal('POST', 'networks', { network: { name: 'integration' } })).toBe('409 NOVA7021');
  expect(await refusal('POST', 'networks', { network: { name: 'Not a label' } })).toBe('400 NOVA7026');
  expect(await refusal('POST', 'networks', { network: { name: 'x', mtu: 9000 } })).toBe('400 NOVA7675');
  expect(await refusal('POST', 'networks', { network: { name: 'x', 'provider:physical_network': 'p' } })).toBe(
    '400 NOVA7675',
  );
  expect(await refusal('PUT', `networks/${network}`, { network: { name: 'renamed' } })).toBe('400 NOVA7675');
  expect((await call('PUT', `networks/${network}`, { network: { name: 'fixed', mtu: 1500 } })).status).toBe(200);

  const empty = await createNetwork('empty');
  const wrong = async (more: object) =>
    refusal('POST', 'subnets', { subnet: { network_id: empty.network, cidr: '10.65.0.0/24', ip_version: 4, ...more } });
  expect(await wrong({ gateway_ip: '10.65.0.254' })).toBe('400 NOVA7026');
  expect(await wrong({ gateway_ip: null })).toBe('400 NOVA7026');
  expect(await wrong({ ip_version: 6, cidr: 'fd00::/64' })).toBe('400 NOVA7026');
  expect(await wrong({ enable_dhcp: false })).toBe('400 NOVA7675');
  expect(await wrong({ dns_nameservers: ['192.0.2.53'] })).toBe('400 NOVA7675');
  expect(await wrong({ network_id: 'unknown' })).toBe('404 NOVA7670');
});

test('a network with machines cannot be deleted', async () => {
  const { network, subnet } = await createNetwork('used', '10.66.0.0/24');
  server.engine.addMachine('user', 'used');
  expect(await refusal('DELETE', `networks/${network}`)).toBe('409 NOVA7024');
  expect(await refusal('DELETE', `subnets/${subnet}`)).toBe('409 NOVA7024');
  expect((await call('GET', `subnets/${subnet}`)).body).toMatchObject({ subnet: { name: 'used-subnet' } });
  server.engine.machines.delete('user');
  expect((await call('DELETE', `networks/${network}`)).status).toBe(204);
});

test('a port connects a stopped machine', async () => {
  const { network, subnet } = await createNetwork('ports', '10.67.0.0/24');
  server.engine.addMachine('probe', 'ports');
  const [{ device_id } = {}] = (await call<Many<'ports'>>('GET', 'ports?name=probe')).body.ports;
  const { network: _network, ...unconnected } = server.engine.machines.get('probe') ?? { network: '' };
  server.engine.machines.set('probe', { ...unconnected, state: 'stopped' } as never);

  const port = { network_id: network, device_id, fixed_ips: [{ subnet_id: subnet, ip_address: '10.67.0.77' }] };
  const created = await call<One<'port'>>('POST', 'ports', { port });
  expect(created).toMatchObject({ status: 201, body: { port: { device_id, fixed_ips: port.fixed_ips } } });
  expect(await refusal('POST', 'ports', { port })).toBe('409 NOVA7676');
  expect((await call('DELETE', `ports/${created.body.port.id}`)).status).toBe(204);
  expect(server.engine.machines.get('probe')?.network).toBeUndefined();
});

test('a port has the ID of the virtual machine that was created through the API', async () => {
  const { network } = await createNetwork('api', '10.71.0.0/24');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/xml' };
  const body =
    '<vm><name>web1</name><cluster><name>Default</name></cluster><template><name>node</name></template></vm>';
  const created = await server.ask('POST', '/ovirt-engine/api/vms', { headers, body });
  expect(created.status, created.body).toBeLessThan(300);
  const [, vm] = /<vm [^>]*id="([^"]+)"/.exec(created.body) ?? [];
  await expect.poll(() => server.engine.machines.get('web1')?.state).toBe('stopped');
  await expect
    .poll(async () => (await call('POST', 'ports', { port: { network_id: network, device_id: vm } })).status)
    .toBe(201);
  expect((await call('GET', `ports?device_id=${vm}`)).body).toMatchObject({ ports: [{ name: 'web1' }] });
});

test('parallel requests do not disturb each other', async () => {
  const { network } = await createNetwork('raced');
  const subnet = { network_id: network, cidr: '10.68.0.0/24', ip_version: 4, name: 'winner' };
  const statuses = (await Promise.all([1, 2, 3].map(() => call('POST', 'subnets', { subnet })))).map(
    ({ status }) => status,
  );
  expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 409, 409]);
  expect((await call('GET', 'subnets?name=winner')).body).toMatchObject({ subnets: [{ network_id: network }] });
});

test('the Identity API issues tokens and refuses wrong passwords', async () => {
  const ask = (body: object) => server.ask('POST', '/identity/v2.0/tokens', { body });
  const credentials = (secret: string) => ({
    auth: { passwordCredentials: { username: 'admin@internal', password: secret } },
  });
  const { access } = JSON.parse((await ask(credentials(password))).body) as { access: { token: { id: string } } };
  expect(access).toMatchObject({
    user: { name: 'admin@internal' },
    serviceCatalog: [{ type: 'network' }, { type: 'identity' }],
  });
  expect((await ask({ auth: { token: { id: access.token.id } } })).status).toBe(200);
  expect((await ask({ auth: { token: { id: 'wrong' } } })).status).toBe(401);
  expect((await ask(credentials('wrong'))).status).toBe(401);
  for (const body of [{}, { auth: {} }, { auth: { passwordCredentials: { username: 1 } } }])
    expect((await ask(body)).status).toBe(400);
});
