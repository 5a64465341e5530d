import { execute } from '../nova-ctl.ts';
import { ask, host, outcomeOf, type Site, succeeds } from './site.ts';
import type { Attempt, Outcome } from './table.ts';

const at = { host, port: 8443 };
const paths = ['/ovirt-engine/api', '/ovirt-engine/api/vms', '/ovirt-engine/api/users', '/networking/v2.0/networks'];
const absent = '00000000-0000-0000-0000-0000000000ff';
const changes = [
  ['POST', '/ovirt-engine/api/vms'],
  ['PUT', `/ovirt-engine/api/vms/${absent}`],
  ['DELETE', `/ovirt-engine/api/vms/${absent}`],
  ['POST', `/ovirt-engine/api/vms/${absent}/start`],
  ['POST', '/networking/v2.0/networks'],
  ['DELETE', `/networking/v2.0/networks/${absent}`],
] as const;

/** The oVirt-compatible API against strangers and a user that only reads, and its process against the host. */
export function ovirtAttempts({ ovirt }: Site): Attempt[] {
  const asUser = (what: string, command: string): Attempt => ({
    role: 'service user',
    what: `nova-ovirt ${what}`,
    expected: 'denied',
    run: async () => {
      const control = await execute('sh', ['-c', command]);
      if (control.exitCode !== 0) throw new Error(`root failed as well: ${control.stderr}`);
      return succeeds(
        await execute('setpriv', [
          '--reuid',
          'nova-ovirt',
          '--regid',
          'nova-ovirt',
          '--clear-groups',
          'sh',
          '-c',
          command,
        ]),
      );
    },
  });
  return [
    all(
      'stranger',
      'reads the oVirt-compatible API',
      'denied',
      paths.map((path) => () => ask(path, { at })),
    ),
    all(
      'stranger',
      'reads it with a made-up token',
      'denied',
      paths.map((path) => () => ask(path, { at, token: 'x' })),
    ),
    all(
      'oVirt reader',
      'reads the oVirt-compatible API',
      'allowed',
      paths.map((path) => () => ask(path, { at, token: ovirt.reader })),
    ),
    all(
      'oVirt reader',
      'changes something through it',
      'denied',
      changes.map(
        ([method, path]) =>
          () =>
            ask(path, { at, method, token: ovirt.reader }),
      ),
    ),
    asUser('reads the CA of the engine', 'head -c 1 /var/lib/nova/engine/authority.json'),
    asUser(
      'opens the socket of the engine',
      'curl --silent --fail --unix-socket /run/nova/engine.sock http://engine/v1/health',
    ),
    asUser('changes its own program', 'test -w /var/lib/nova/programs/ovirt/nova-ovirt.js'),
  ];
}

/** One row for several requests. */
function all(
  role: Attempt['role'],
  what: string,
  expected: Outcome,
  requests: readonly (() => ReturnType<typeof ask>)[],
): Attempt {
  return {
    role,
    what: `${what} (${requests.length})`,
    expected,
    run: async () => {
      for (const request of requests) {
        const answer = await request();
        if (outcomeOf(answer) !== expected) throw new Error(`${answer.status} instead of ${expected}`);
      }
      return expected;
    },
  };
}
