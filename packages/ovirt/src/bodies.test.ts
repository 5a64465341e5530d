import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './testing/server.ts';

// The parts of the API that `e2e/fuzz-ovirt.ts` does not reach.

let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  token = (await server.login('admin@internal')).access_token ?? '';
});

afterAll(() => server.close());

/** Any JSON, most often an object with some of these fields, each any JSON. */
function bodyWith(...fields: readonly string[]) {
  const any = fc.oneof(fc.jsonValue(), fc.constantFrom('password', '10.30.0.0/24', 4, 'lab'));
  const object = fc.record(Object.fromEntries(fields.map((field) => [field, any])), { requiredKeys: [] });
  return fc.oneof({ weight: 4, arbitrary: object }, fc.jsonValue());
}

const within = (name: string, body: fc.Arbitrary<unknown>) =>
  fc.oneof(
    body.map((each) => ({ [name]: each })),
    body,
  );
const login = bodyWith('grant_type', 'username', 'password', 'token');
const networkFields = ['name', 'network_id', 'cidr', 'gateway_ip', 'ip_version', 'device_id', 'fixed_ips', 'mtu'];

test.for([
  ['POST', '/ovirt-engine/sso/oauth/token', login],
  ['POST', '/ovirt-engine/sso/oauth/token-info', login],
  ['POST', '/ovirt-engine/sso/oauth/revoke', login],
  ['POST', '/identity/v2.0/tokens', within('auth', within('passwordCredentials', within('token', login)))],
  ['POST', '/networking/v2.0/networks', within('network', bodyWith(...networkFields))],
  ['POST', '/networking/v2.0/subnets', within('subnet', bodyWith(...networkFields))],
  ['POST', '/networking/v2.0/ports', within('port', bodyWith(...networkFields))],
  ['PUT', '/networking/v2.0/subnets/x', within('subnet', bodyWith('name'))],
  ['PUT', '/networking/v2.0/routers/x/add_router_interface', bodyWith('subnet_id', 'port_id')],
] as const)('%s %s never fails for its body', async ([method, path, bodies]) => {
  await fc.assert(
    fc.asyncProperty(bodies, async (value) => {
      const headers = { 'content-type': 'application/json', 'x-auth-token': token };
      const { status, body } = await server.ask(method, path, { headers, body: JSON.stringify(value) });
      expect(status, body).toBeLessThan(500);
    }),
  );
});
