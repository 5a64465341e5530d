import { mkdir } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse, stringify } from 'yaml';
import { type Kubectl, kubectlWith } from '../kubectl.ts';
import { execute, novaCtl, root, temporaryFolder } from '../nova-ctl.ts';
import { clusterManifest, platformOf } from '../platform.ts';

export const universe = '172.30.0.10';
export const host = '172.30.0.1';

interface Plan {
  api: { externalAddress: string };
  nodes: { externalAddress: string }[];
}

export interface Published {
  api: string;
  node: string;
}

/** A live site with two clusters: `demo` with all modules and two teams, `other` with another owner. */
export async function startSite() {
  const folder = temporaryFolder();
  const { ctl, done, inside } = platformOf(folder.path);
  const say = (step: string) => console.log(`  ${step}`);
  const json = async <T>(...args: string[]) => JSON.parse(await done(...args, '-o', 'json')) as T;

  say('up');
  await done('up');
  say('a second cluster');
  const manifest = join(folder.path, 'other.yaml');
  await execute('tee', [manifest], { input: clusterManifest('other', '10.46.0.0/24') });
  await done('apply', '-f', manifest, '--yes');
  say('teams and users');
  for (const team of ['team-a', 'team-b']) await done('tenant', 'create', 'demo', team, '--yes');
  const admin = await kubectlWith(folder.path, await done('kubeconfig', 'demo', '--static'));
  const viewer = (await json<{ token: string }>('token', 'create', '--role', 'viewer', '--name', 'monitoring')).token;
  await done('user', 'create', 'olga', '--role', 'operator', '--no-password');
  const operator = (await json<{ token: string }>('token', 'create', '--user', 'olga', '--role', 'operator')).token;

  say('the oVirt-compatible API');
  await done('host', 'ovirt', 'enable');
  const reader = { name: 'reader@internal', password: 'a long password' };
  await novaCtl(['host', 'ovirt', 'user', 'add', reader.name, '--role', 'ReadOnlyAdmin'], {
    input: `${reader.password}\n`,
  });
  const login = await ask('/identity/v2.0/tokens', {
    at: { host, port: 8443 },
    method: 'POST',
    body: { auth: { passwordCredentials: { username: reader.name, password: reader.password } } },
  });
  const { access } = JSON.parse(login.body) as { access: { token: { id: string } } };

  return {
    ctl,
    done,
    inside,
    json,
    admin,
    tokens: { viewer, operator },
    ovirt: { reader: access.token.id },
    /** The addresses that the plan of `demo`, the site's first cluster, publishes. */
    async published(): Promise<Published> {
      const { plan } = await json<{ plan: Plan }>('plan', '-f', join(root, 'examples', 'single.yaml'));
      const { api, nodes } = plan;
      return { api: api.externalAddress, node: nodes[0]?.externalAddress ?? '' };
    },
    /** The Kubernetes API with only the token of a team. */
    async team(name: string): Promise<Kubectl> {
      const token = (await admin(['-n', name, 'create', 'token', name])).stdout.trim();
      return kubectlOf(folder.path, admin, name, { token });
    },
    /** The Kubernetes API with the credentials that Universe gives to an operator. */
    async operator(): Promise<Kubectl> {
      const { body } = await ask('/api/v1/clusters/demo/kubeconfig', { method: 'POST', token: operator, body: {} });
      const { certificate, key } = JSON.parse(body) as { certificate: string; key: string };
      return kubectlOf(folder.path, admin, 'olga', {
        'client-certificate-data': Buffer.from(certificate).toString('base64'),
        'client-key-data': Buffer.from(key).toString('base64'),
      });
    },
    /** Runs a command as root in a machine; returns its exit code and output. */
    sh: (machine: string, command: string) => ctl('machine', 'exec', machine, '--', 'sh', '-c', command),
    async stop() {
      await novaCtl(['down', '--purge', '--yes'], {
        env: { HOME: folder.path, XDG_CONFIG_HOME: join(folder.path, '.config') },
      });
      folder.remove();
    },
  };
}

export type Site = Awaited<ReturnType<typeof startSite>>;

/** A kubectl for the same server with other credentials. */
async function kubectlOf(folder: string, admin: Kubectl, name: string, user: object): Promise<Kubectl> {
  const config = parse((await admin(['config', 'view', '--raw', '-o', 'yaml'])).stdout) as {
    users: { user: object }[];
  };
  for (const each of config.users) each.user = user;
  const place = join(folder, name);
  await mkdir(place, { recursive: true });
  return kubectlWith(place, stringify(config));
}

export interface Answer {
  status: number;
  body: string;
  headers: Record<string, string | string[] | undefined>;
}

interface Request {
  method?: string;
  token?: string;
  body?: object;
  cookie?: string;
  /** Universe, unless it is another server. */
  at?: { host: string; port: number };
}

/** A request from outside, with only the given credentials. */
export function ask(path: string, options: Request = {}) {
  const { method = 'GET', token, body, cookie, at = { host: universe, port: 443 } } = options;
  return new Promise<Answer>((resolve, reject) => {
    const outgoing = request(
      {
        ...at,
        path,
        method,
        rejectUnauthorized: false,
        timeout: 15_000,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(cookie !== undefined && { cookie, origin: `https://${universe}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
      },
      async (response) => {
        const { statusCode = 0, headers } = response;
        const isEndless = headers['content-type'] === 'text/event-stream';
        const said = isEndless ? '' : await text(response).catch(() => '');
        if (isEndless) outgoing.destroy();
        resolve({ status: statusCode, body: said, headers });
      },
    );
    outgoing.once('error', reject);
    outgoing.once('timeout', () => outgoing.destroy(new Error('timed out')));
    outgoing.end(body && JSON.stringify(body));
  });
}

export const outcomeOf = ({ status }: Answer) => (status === 401 || status === 403 ? 'denied' : 'allowed');

export const succeeds = ({ exitCode }: { exitCode: number | null }) => (exitCode === 0 ? 'allowed' : 'denied');
