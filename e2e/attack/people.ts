import { configContract } from '@nova-platform/contracts/config-manager';
import { universeContract } from '@nova-platform/contracts/universe';
import type { Access } from '@nova-platform/http';
import { ask, outcomeOf, type Site } from './site.ts';
import type { Attempt, Role } from './table.ts';

interface Call {
  id: string;
  method: string;
  path: string;
  access: Access;
}

/** Calls that are in no contract. */
const others: Record<string, Access> = {
  followEvents: 'viewer',
  openScreen: 'operator',
  openSerialConsole: 'operator',
};

/** Names that do not exist on the site: a call that gets through does no harm. */
const absent: Record<string, string> = { id: '999999', cluster: 'absent', name: 'absent-main-1', release: '9.9.9' };

/** Every call of Universe's API, and everything else that it serves. */
async function calls(): Promise<Call[]> {
  const { paths } = JSON.parse((await ask('/api/v1/openapi.json')).body) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const contracts: Record<string, { access: Access }> = { ...configContract, ...universeContract };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      const access = contracts[operationId]?.access ?? others[operationId];
      if (!access) throw new Error(`${operationId} has no declared access`);
      return {
        id: operationId,
        method: method.toUpperCase(),
        path: path.replace(/\{(\w+)\}/g, (_whole, name: string) => absent[name] ?? 'absent'),
        access,
      };
    }),
  );
  return [
    ...described,
    { id: 'metrics', method: 'GET', path: '/metrics', access: 'viewer' },
    { id: 'git', method: 'GET', path: '/git/release.git/info/refs?service=git-upload-pack', access: 'release' },
    { id: 'pull', method: 'GET', path: '/v2/_catalog', access: 'viewer' },
    { id: 'push', method: 'POST', path: '/v2/nova/absent/blobs/uploads/', access: 'operator' },
  ];
}

const mayOf: Partial<Record<Role, readonly Access[]>> = {
  stranger: ['anyone'],
  'viewer token': ['anyone', 'release', 'node', 'viewer'],
  operator: ['anyone', 'release', 'node', 'viewer', 'operator'],
};

/** Strangers, viewers and operators against every API call, and credentials derived from a token. */
export async function peopleAttempts({ tokens, json }: Site): Promise<Attempt[]> {
  const all = await calls();
  const roles = [
    ['stranger', undefined],
    ['viewer token', tokens.viewer],
    ['operator', tokens.operator],
  ] as const;
  const walks = roles.flatMap(([role, token]) => {
    const forbidden = all.filter(({ access }) => mayOf[role]?.includes(access) !== true);
    // Only reads: other tests cover changes.
    const permitted = all.filter(({ access, method }) => mayOf[role]?.includes(access) === true && method === 'GET');
    return [
      walk(role, `calls of the API that are for others (${forbidden.length})`, forbidden, token, 'denied'),
      walk(role, `calls of the API that it may make (${permitted.length})`, permitted, token, 'allowed'),
    ];
  });
  return [
    ...walks,
    {
      role: 'viewer token',
      what: 'makes a login link and becomes administrator in the session that it opens',
      expected: 'denied',
      run: async () => {
        const link = await ask('/api/v1/login-links', { method: 'POST', token: tokens.viewer, body: {} });
        if (link.status >= 400) return 'denied';
        const { code } = JSON.parse(link.body) as { code: string };
        const session = await ask('/api/v1/session', { method: 'POST', body: { code } });
        const cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
        return outcomeOf(await ask('/api/v1/users', { cookie }));
      },
    },
    {
      role: 'viewer token',
      what: 'makes a token with the role of an administrator',
      expected: 'denied',
      run: async () => {
        const body = { name: 'more', role: 'admin', seconds: 3600 };
        const made = await ask('/api/v1/access-tokens', { method: 'POST', token: tokens.viewer, body });
        if (made.status >= 400) return 'denied';
        const { token } = JSON.parse(made.body) as { token: string };
        return outcomeOf(await ask('/api/v1/users', { token }));
      },
    },
    {
      role: 'viewer token',
      what: 'makes a token that is valid for longer than itself',
      expected: 'denied',
      run: async () => {
        const parent = await json<{ token: string; expiresAt: string }>(
          'token',
          'create',
          '--role',
          'viewer',
          '--ttl',
          '10m',
          '--name',
          'short',
        );
        const body = { name: 'longer', role: 'viewer', seconds: 3600 * 24 * 365 };
        const made = await ask('/api/v1/access-tokens', { method: 'POST', token: parent.token, body });
        if (made.status >= 400) return 'denied';
        const { created } = JSON.parse(made.body) as { created: { expiresAt: string } };
        return Date.parse(created.expiresAt) > Date.parse(parent.expiresAt) ? 'allowed' : 'denied';
      },
    },
    {
      role: 'stranger',
      what: 'learns from /ready which part of the server is broken, and why',
      expected: 'denied',
      run: async () => (/problems|reason|services/.test((await ask('/api/v1/ready')).body) ? 'allowed' : 'denied'),
    },
  ];
}

function walk(
  role: Role,
  what: string,
  tried: readonly Call[],
  token: string | undefined,
  expected: 'allowed' | 'denied',
): Attempt {
  return {
    role,
    what,
    expected,
    run: async () => {
      const wrong: string[] = [];
      for (const { id, method, path } of tried) {
        const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined;
        const answer = await ask(path, { method, ...(token !== undefined && { token }), ...(body && { body }) });
        if (outcomeOf(answer) !== expected) wrong.push(`${id} (${answer.status} ${answer.body.slice(0, 100)})`);
      }
      if (wrong.length > 0) throw new Error(wrong.join(', '));
      return expected;
    },
  };
}
